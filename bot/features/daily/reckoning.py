"""The daily hands that were asked for lately, each dealt and reckoned once, in the worker's thread.

A hand follows from the day's seed. The first time that it is dealt it is kept, so that it stays what it was
through a new version of the expert.
"""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Final

from cachetools import LRUCache

from bot.features.daily.hands import DailyHands
from bot.tables.worker import Worker
from engine.coach import Reckoned, daily_hand

_KEPT: Final = 10
"""Hands kept in memory: today's, and the past week's."""


class DailyReckoning:
    """Knows what the discards of each day's hand are worth."""

    def __init__(self, hands: DailyHands, worker: Worker) -> None:
        self._hands = hands
        self._worker = worker
        self._kept: LRUCache[date, Reckoned] = LRUCache(_KEPT)
        self._dealing = asyncio.Lock()

    async def of(self, day: date) -> Reckoned:
        """The hand of that day, which has come. Raises `StoreUnavailable`."""
        async with self._dealing:
            if (known := self._kept.get(day)) is not None:
                return known
            hand = await self._hands.hand(day)
            if hand is None:
                dealt = await self._worker.run(daily_hand, await self._hands.seed(day))
                hand = await self._hands.keep_hand(day, dealt)
            reckoned = self._kept[day] = await self._worker.run(Reckoned.of, hand)
            return reckoned
