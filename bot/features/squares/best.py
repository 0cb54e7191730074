"""The best total of each day's squares, searched for once, in short steps in the worker thread.

The process that owns direct messages searches the day before, or, if it was down, on the day itself. Nobody
who plays waits for it: a result without the best says that the search goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.squares.store import SquaresStore
from bot.tables.worker import Worker
from engine.coach import best_squares

_PAUSE: Final = 60.0
"""Interval (s) between two checks for a new day."""

_REST: Final = 0.5
"""Pause (s) after each step, in which the worker thread is free for the computer's moves."""

_KEY: Final = ("squares preparation",)
_END: Final = object()


class SquaresBest:
    """Searches for the best totals, and stores them."""

    def __init__(
        self,
        squares: SquaresStore,
        worker: Worker,
        *,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int | None], bool] = lambda _: True,
        rest: float = _REST,
    ) -> None:
        """`now` returns seconds since 1970; `rest` is the pause (s) after each step."""
        self._squares = squares
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
        """Search for the best of today and tomorrow (UTC), once a day. Raises `StoreUnavailable`."""
        today = datetime.fromtimestamp(self._now(), UTC).date()
        if today == self._done or not self._owns(None):
            return
        for day in (today, today + timedelta(days=1)):
            if await self._squares.best(day) is None:
                await self._search(day)
        self._done = today

    async def _search(self, day: date) -> None:
        search, best = best_squares(await self._squares.deck(day)), 0
        while isinstance(step := await self._worker.run(next, search, _END), int):
            best = step
            await asyncio.sleep(self._rest)
        await self._squares.keep_best(day, best)
