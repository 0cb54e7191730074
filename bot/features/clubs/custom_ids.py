"""The grammar of the custom_ids of club events and of a club's year.

club:12:sign, club:12:correct:1.3.0.98
clubyear:2026:1:123        year, page, and the user who asked for it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bot.model.custom_ids import CustomId

CLUB = re.compile(r"club:(?P<event>[0-9]{1,18}):(?P<wish>[a-z]+)(?::(?P<what>[a-z0-9.]{1,60}))?")
"""Pattern of every custom_id of a club event."""

CLUB_YEAR = re.compile(r"clubyear:(?P<year>2[0-9]{3}):(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""Pattern of the custom_id of a page of a club's year."""


class ClubWish(Enum):
    """The buttons on the message of a club event."""

    SIGN_UP = "sign"
    HERE = "here"
    """Check in. Late entrants play from the next round on."""
    LEAVE = "leave"
    START = "start"
    STANDINGS = "standings"
    CLOSE = "close"
    """End the event early, as for the next two: the answer to a question."""
    REMOVE = "remove"
    """Take out the user whose id follows, or let a computer of the level after it play for them."""
    CORRECT = "correct"
    """Set a result: the round, the table, the winning side (0 or 1, or `nobody`), and the loser's points."""
    KEEP = "keep"
    """Leave things as they are."""

    @property
    def is_organisers(self) -> bool:
        """True if only organisers may."""
        return self in {self.START, self.CLOSE, self.REMOVE, self.CORRECT, self.KEEP}


@dataclass(frozen=True, slots=True)
class ClubId(CustomId):
    """A button of a club event; as text, its custom_id."""

    event: int
    wish: ClubWish
    what: str = ""
    """The subject of an organiser's answer, in the form that its wish names."""

    def __str__(self) -> str:
        return f"club:{self.event}:{self.wish.value}" + (f":{self.what}" if self.what else "")

    @classmethod
    def from_match(cls, match: re.Match[str]) -> ClubId:
        """The id in a match of `CLUB`. Raises `ValueError` for an unknown wish."""
        return cls(int(match["event"]), ClubWish(match["wish"]), match["what"] or "")


@dataclass(frozen=True, slots=True)
class YearId(CustomId):
    """A page (from 0) of a club's year, and the user who asked for it."""

    year: int
    page: int
    asker: int

    def __str__(self) -> str:
        return f"clubyear:{self.year}:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> YearId:
        """The id in a match of `CLUB_YEAR`."""
        return cls(int(match["year"]), int(match["page"]), int(match["asker"]))
