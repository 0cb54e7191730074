"""Cribbage squares: sixteen cards in a grid of four by four, whose lines are hands with one starter.

The cards come one after another, each into a free cell; then the starter is turned. The four rows and four
columns count as hands in the show, and a jack turned as starter is his heels. `TO_WIN` points win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import PACK, Card, Cards, Rank
from engine.counting import count, heels
from engine.presets import TWO_HANDED

SIDE: Final = 4
"""Number of rows, of columns, and of cards in each."""

CELLS: Final = SIDE * SIDE

TO_WIN: Final = 61
"""Least total that wins: once round the board."""

LINES: Final = (
    *(tuple(range(SIDE * row, SIDE * (row + 1))) for row in range(SIDE)),
    *(tuple(range(column, CELLS, SIDE)) for column in range(SIDE)),
)
"""The cells of each row, then of each column. Cells are numbered from 0, row by row."""


@dataclass(frozen=True, slots=True)
class SquaresDeck:
    """The cards of a game. They are secret until they have come, and do not print."""

    dealt: Cards = field(repr=False)
    """The sixteen cards in the order in which they come."""
    starter: Card = field(repr=False)

    @classmethod
    def of(cls, seed: bytes) -> SquaresDeck:
        """The deck of a seed. It uses `Random.random` alone, which no version of Python changes."""
        random = Random(seed)
        *dealt, starter = sorted(sorted(PACK), key=lambda _: random.random())[: CELLS + 1]
        return cls(tuple(dealt), starter)

    def grid(self, cells: Sequence[int]) -> Cards:
        """The cards row by row, once the first card is in the first of all sixteen `cells`, and so on."""
        by_cell = dict(zip(cells, self.dealt, strict=True))
        return tuple(by_cell[cell] for cell in range(CELLS))


@dataclass(frozen=True, slots=True, kw_only=True)
class SquaresCount:
    """The points of a full grid."""

    rows: tuple[int, ...]
    """From the top."""
    columns: tuple[int, ...]
    """From the left."""
    heels: int
    """Points for a jack turned as starter."""

    @property
    def total(self) -> int:
        """All points together."""
        return sum(self.rows) + sum(self.columns) + self.heels

    @property
    def is_won(self) -> bool:
        """True for a total that wins."""
        return self.total >= TO_WIN


def count_squares(grid: Cards, starter: Card) -> SquaresCount:
    """The points of sixteen cards, row by row, with the starter."""
    points = [count(tuple(grid[cell] for cell in line), starter=starter).points for line in LINES]
    return SquaresCount(rows=tuple(points[:SIDE]), columns=tuple(points[SIDE:]), heels=heels_of(starter))


def heels_of(starter: Card) -> int:
    """Points for the starter itself."""
    return heels(starter, TWO_HANDED).points if starter.rank is Rank.JACK else 0
