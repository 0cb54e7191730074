"""The best total of each day's squares, searched for once.

It is searched for on the day before, or, if the bot was down, on the day itself. Nobody who plays waits for
it: a result without the best says that the search goes on.
"""

from __future__ import annotations

from datetime import date, timedelta

from bot.background.day_search import DaySearch
from bot.features.squares.store import SquaresStore
from engine.coach import best_squares


class SquaresBest(DaySearch[SquaresStore]):
    """Searches for the best totals, and stores them."""

    name = "squares preparation"

    async def search(self, today: date) -> None:
        """See `DaySearch.search`: for today and tomorrow."""
        for day in (today, today + timedelta(days=1)):
            if await self._store.best(day) is None:
                await self._search(day)

    async def _search(self, day: date) -> None:
        search, best = best_squares(await self._store.deck(day)), 0
        while isinstance(step := await self.step(search), int):
            best = step
        await self._store.keep_best(day, best)
