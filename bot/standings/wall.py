"""A server's wall: every great hand and crib that was ever counted there, the biggest win, and records. Pure.

Hands and the win are no projection: a rebuild of the statistics keeps them. They refer to people by the seat
of a game, so a person whose data is deleted stays there without a name. Records follow from the statistics,
and go to the next best. Hidden people are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from bot.standings.seasons import Season
from engine import Seat, Source

WALL = 24
"""Minimum points of a hand on the wall: about one in twenty games has one. One hand in 15,000 has 28."""

STREAK = 3
"""Minimum length of a winning streak on the wall."""

ON_A_PAGE = 4
"""Number of hands on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalledHand:
    """A hand on the wall."""

    record: TableRecord
    seat: Seat
    source: Source
    hand: BestHand
    at: int
    """Time of the game's end (s since 1970)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiggestWin:
    """The game that was won by the most holes."""

    record: TableRecord
    seat: Seat
    """A seat of the winning side."""
    holes: int
    """Lead (holes) over the next side."""
    at: int
    """Time of the game's end (s since 1970)."""


class Feat(Enum):
    """The subject of a record, in the order of the wall."""

    STREAK = "streak"
    """Games between people, won in a row."""
    COMEBACK = "comeback"
    """Holes behind when a deal began, in a game that was won."""
    SKUNKS = "skunks"
    """Skunks given to other people; each counts once."""
    SLAMS = "slams"
    """Club events of which every game was won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The server's highest number of a feat, and the people who have reached it. Who hides has none."""

    number: int
    names: tuple[str, ...]
    """Their names in the server, in alphabetical order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A page of the wall, the best hands first; of equal ones, the newest first."""

    hands: tuple[WalledHand, ...]
    total: int
    """Number of hands on all pages."""
    page: int
    """Number of this page, from 0; the last one if a later one was requested."""
    win: BiggestWin | None
    records: dict[Feat, Record] = field(default_factory=dict)
    """By feat, on the first page; without those that nobody has reached."""
    champions: tuple[Season, ...] = ()
    """The last seasons that somebody won, the newest first, on the first page."""

    @property
    def is_empty(self) -> bool:
        """True if nothing stands there."""
        return not (self.hands or self.win or self.records or self.champions)

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // ON_A_PAGE))
