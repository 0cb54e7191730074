"""The messages that the bot keeps up to date: which there are, where one stands, and the key that names it.

A post is the bot's own message in Discord, known by its key: kind, deal and seat within a game. The store
keeps posts, delivery draws and edits them; nothing here speaks to either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class PostKind(Enum):
    """A message of the bot that is kept up to date."""

    LOBBY = "lobby"
    TABLE = "table"
    """One for each deal."""
    SHOW = "show"
    """One for each deal that came to the show."""
    RESULT = "result"
    HAND = "hand"
    """A player's message by DM, one for each seat; an earlier version had one for each deal and seat."""
    STALE = "stale"
    """A message by DM in whose place a new one is posted or stands: it is still to be deleted."""
    NUDGE = "nudge"
    """A mention that the turn has passed to somebody who was not looking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message that stands somewhere in Discord."""

    game: str
    kind: PostKind
    deal: int = 0
    """The deal it belongs to; 0 for those that belong to the whole game."""
    seat: int = -1
    """The seat it was sent to; -1 for those in the channel."""
    channel: int
    message: int
    drawn: str = field(default="", repr=False)
    """A digest of what was last drawn there, so that nothing is drawn twice."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which message of a game is meant, and the channel that it stands in or belongs in."""

    kind: PostKind
    channel: int
    deal: int = 0
    seat: int = -1

    @property
    def key(self) -> tuple[PostKind, int, int]:
        """What tells it from the game's other messages."""
        return (self.kind, self.deal, self.seat)

    def nonce(self, game: str, occasion: int) -> str:
        """The idempotency key of its sending, at most 25 characters.

        Discord answers a repeated nonce with the first message, so that what was posted just before a crash
        is not posted twice.
        """
        return f"{game}.{self.kind.value[:2]}.{self.deal}.{self.seat}.{occasion}"[:25]

    def holding(self, game: str, message: int, drawn: str) -> Post:
        """What is kept about a message that stands here; `drawn` is the digest of what it shows."""
        return Post(
            game=game,
            kind=self.kind,
            deal=self.deal,
            seat=self.seat,
            channel=self.channel,
            message=message,
            drawn=drawn,
        )
