"""Prepares the hand of the next day: simulated, in short steps, so that its best discard is known.

The search follows from the day's seed and a number of deals, never from the time it takes: each process would
find the same hand. The process that owns direct messages searches, and the store keeps the first hand that is
written. If none is found, or the bot is down, the day's hand is made when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily.store import DailyStore
from bot.tables.worker import Worker
from engine.coach import DailyHand, proved_hands

log = logging.getLogger(__name__)

_PAUSE: Final = 60.0
"""Interval (s) between two checks for a new day."""

_REST: Final = 0.5
"""Pause (s) after each step, in which the worker thread is free for the computer's moves."""

_KEY: Final = ("daily preparation",)
_END: Final = object()


class DailyPreparation:
    """Stores tomorrow's hand."""

    def __init__(
        self,
        hands: DailyStore,
        worker: Worker,
        *,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int | None], bool] = lambda _: True,
        rest: float = _REST,
    ) -> None:
        """`now` returns seconds since 1970; `rest` is the pause (s) after each step."""
        self._hands = hands
        self._worker = worker
        self._tasks = tasks
        self._now = now
        self._owns = owns
        self._rest = rest
        self._done: date | None = None

    async def start(self) -> None:
        """Start polling; the supervisor restarts it after a failure of the store."""
        self._tasks.repeat(_KEY, _PAUSE, self.prepare)

    async def prepare(self) -> None:
        """Search and store the hand of tomorrow (UTC), once a day. Raises `StoreUnavailable`."""
        day = datetime.fromtimestamp(self._now(), UTC).date() + timedelta(days=1)
        if day == self._done or not self._owns(None):
            return
        if await self._hands.hand(day) is None:
            await self._search(day)
        self._done = day

    async def _search(self, day: date) -> None:
        search = proved_hands(await self._hands.seed(day))
        while (step := await self._worker.run(next, search, _END)) is not _END:
            if isinstance(step, DailyHand):
                await self._hands.keep_hand(day, step)
                return
            await asyncio.sleep(self._rest)
        log.info("no simulated daily hand was found for %s: it is made when it is asked for", day)
