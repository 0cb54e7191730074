"""A server's wall: every hand and crib of 28 or 29 that was ever counted there, and the biggest win. Pure.

The wall is no projection: a rebuild of the statistics keeps it. It refers to people by the seat of a game, so
a person whose data is deleted stays on it without a name; hidden people are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from engine import Seat, Source

WALL = 28
"""Minimum points of a hand on the wall; one hand in 15,000 has 28."""

ON_A_PAGE = 10
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A page of the wall, the best hands first; of equal ones, the newest first."""

    hands: tuple[WalledHand, ...]
    total: int
    """Number of hands on all pages."""
    page: int
    """Number of this page, from 0; the last one if a later one was requested."""
    win: BiggestWin | None

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // ON_A_PAGE))
