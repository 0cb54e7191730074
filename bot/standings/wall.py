"""A server's wall: every hand and crib of 28 and 29 that was ever counted there, and the biggest win. Pure.

What stands on it is no projection: it stays when statistics are computed again. Of a person it names the seat
of a game, so who has their data deleted stands there without a name; who hides is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from engine import Seat, Source

WALL = 28
"""The points from which on a hand stands on the wall: one in fifteen thousand of all hands has 28."""

ON_A_PAGE = 10
"""Hands on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalledHand:
    """A hand on the wall."""

    record: TableRecord
    seat: Seat
    source: Source
    hand: BestHand
    at: int
    """Time of its game's end (s since 1970)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiggestWin:
    """The game that was won by the most holes."""

    record: TableRecord
    seat: Seat
    """One of the winning side."""
    holes: int
    """By which it was won, over the next side."""
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A page of the wall, the best hands first, and of these the newest."""

    hands: tuple[WalledHand, ...]
    total: int
    """Hands on all pages."""
    page: int
    """From 0; the last one if fewer were asked for."""
    win: BiggestWin | None

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // ON_A_PAGE))
