"""Where a message of a game belongs: what tells it from the game's others, and its mark against doubles."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import Post, PostKind


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
        """At most 25 characters. Discord answers a repeated one with the first message, so that what was
        posted just before a crash is not posted twice.
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
