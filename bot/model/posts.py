"""Posts: the messages that the bot keeps up to date, with their slots and keys.

A post is one of the bot's own messages, identified within its game by kind, deal and seat. The store keeps
posts and `sync` edits them; this module uses neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class PostKind(Enum):
    """Kind of a message that is kept up to date."""

    LOBBY = "lobby"
    TABLE = "table"
    """One for each deal."""
    RESULT = "result"
    HAND = "hand"
    """A player's message by DM, one for each seat."""
    SUPERSEDED = "stale"
    """A superseded message by DM, waiting for its deletion."""
    NUDGE = "nudge"
    """A mention of a player in turn."""

    # A slot is looked up seventy times an action, and the hash of `Enum` is Python code.
    __hash__ = object.__hash__


SETTLED = "settled"
"""`Post.drawn` of a message in its final state, which is never edited again."""

RESTING = "resting"
"""`Post.drawn` of a hand that says that its game is paused: the bot was removed from the server."""


class Slot(NamedTuple):
    """A message's identity within its game, which has at most one message in each slot."""

    kind: PostKind
    deal: int = 0
    seat: int = -1

    def nonce(self, game: str, occasion: int) -> str:
        """Idempotency key (nonce) of its sending, at most 25 characters.

        Discord answers a repeated nonce with the first message, so a message posted just before a crash is
        not posted again.
        """
        return f"{game}.{self.kind.value[:2]}.{self.deal}.{self.seat}.{occasion}"[:25]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message that is posted in Discord."""

    game: str
    kind: PostKind
    deal: int = 0
    """Deal of the message; 0 for one that belongs to the whole game."""
    seat: int = -1
    """Seat of the recipient; -1 for one in the channel."""
    channel: int
    message: int
    drawn: str = field(default="", repr=False)
    """Digest of its last drawing, which avoids edits that change nothing."""

    @property
    def slot(self) -> Slot:
        """Its slot."""
        return Slot(self.kind, self.deal, self.seat)
