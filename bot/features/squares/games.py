"""A person's squares of a day, and what their days add up to. Days are in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from engine import CELLS, TO_WIN


@dataclass(frozen=True, slots=True, kw_only=True)
class SquaresGame:
    """The cells in which somebody has placed the cards of a day, which is final."""

    day: date
    cells: tuple[int, ...] = ()
    """The cell of the first card, of the second, and so on."""

    @property
    def is_full(self) -> bool:
        """True once the last card is placed."""
        return len(self.cells) == CELLS


@dataclass(frozen=True, slots=True, kw_only=True)
class SquaresRecord:
    """The sums of a person's finished days."""

    finished: int
    won: int
    streak: int
    """Number of days won in a row, up to the day that is shown."""
    longest: int

    @classmethod
    def of(cls, totals: Mapping[date, int], day: date) -> SquaresRecord:
        """The record of these totals, by day, with the streak up to `day`."""
        streaks: dict[date, int] = {}
        for each in sorted(day for day, total in totals.items() if total >= TO_WIN):
            streaks[each] = 1 + streaks.get(each - timedelta(days=1), 0)
        return cls(
            finished=len(totals),
            won=len(streaks),
            streak=streaks.get(day, 0),
            longest=max(streaks.values(), default=0),
        )
