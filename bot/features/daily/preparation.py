"""Prepares the hand of the next day: simulated, so that its best discard is known.

The search follows from the day's seed and a number of deals, never from the time it takes: each process would
find the same hand, and the store keeps the first that is written. If none is found, or the bot is down, the
day's hand is made when somebody asks for it.
"""

from __future__ import annotations

import logging
from datetime import date, timedelta

from bot.background.day_search import END, DaySearch
from bot.features.daily.store import DailyStore
from engine.coach import DailyHand, proved_hands

log = logging.getLogger(__name__)


class DailyPreparation(DaySearch[DailyStore]):
    """Stores tomorrow's hand."""

    name = "daily preparation"

    async def search(self, today: date) -> None:
        """See `DaySearch.search`: for tomorrow."""
        day = today + timedelta(days=1)
        if await self._store.hand(day) is not None:
            return
        search = proved_hands(await self._store.seed(day))
        while (step := await self.step(search)) is not END:
            if isinstance(step, DailyHand):
                await self._store.keep_hand(day, step)
                return
        log.info("no simulated daily hand was found for %s: it is made when it is asked for", day)
