"""Cache of the daily hands in use, each dealt and evaluated once in the worker thread.

A hand is derived from the day's seed. The day before, `preparation` stores one whose best discard is known. A
day without it, as the first one, gets a hand by reckoning alone. The stored hand stays, so that a new version
of the expert does not change it.
"""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Final

from cachetools import LRUCache

from bot.features.daily.store import DailyStore
from bot.tables.worker import Worker
from engine.coach import Reckoned, clear_hand

_CAPACITY: Final = 10
"""Limit of hands in memory: today's, the past week's, and some to spare."""


class DailyReckoning:
    """Evaluates the discards of each day's hand."""

    def __init__(self, hands: DailyStore, worker: Worker) -> None:
        self._hands = hands
        self._worker = worker
        self._kept: LRUCache[date, Reckoned] = LRUCache(_CAPACITY)
        self._dealing = asyncio.Lock()

    async def of(self, day: date) -> Reckoned:
        """The evaluated hand of that day, never a future one. Raises `StoreUnavailable`."""
        async with self._dealing:
            if (known := self._kept.get(day)) is not None:
                return known
            hand = await self._hands.hand(day)
            if hand is None:
                dealt = await self._worker.run(clear_hand, await self._hands.seed(day))
                hand = await self._hands.keep_hand(day, dealt)
            reckoned = self._kept[day] = await self._worker.run(Reckoned.of, hand)
            return reckoned
