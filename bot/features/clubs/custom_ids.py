"""The grammar of the custom_ids of club events: `club:12:sign`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bot.model.custom_ids import CustomId

CLUB = re.compile(r"club:(?P<event>[0-9]{1,18}):(?P<wish>[a-z]+)")
"""Pattern of every custom_id of a club event."""


class ClubWish(Enum):
    """The buttons on the message of a club event."""

    SIGN_UP = "sign"
    HERE = "here"
    """Check in. Late entrants play from the next round on."""
    LEAVE = "leave"
    START = "start"
    STANDINGS = "standings"


@dataclass(frozen=True, slots=True)
class ClubId(CustomId):
    """A button of a club event; as text, its custom_id."""

    event: int
    wish: ClubWish

    def __str__(self) -> str:
        return f"club:{self.event}:{self.wish.value}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ClubId:
        """The id in a match of `CLUB`. Raises `ValueError` for an unknown wish."""
        return cls(int(match["event"]), ClubWish(match["wish"]))
