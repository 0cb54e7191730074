"""A search for each day, made in short steps in the worker thread, so that the computer's moves come between.

The process that owns direct messages searches.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import ClassVar, Final, Generic, TypeVar

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.tables.worker import Worker

S = TypeVar("S")
"""The store of what is found."""

END: Final = object()
"""Result of `DaySearch.step` after the last step."""

_PAUSE: Final = 60.0
"""Interval (s) between two checks for a new day."""

_REST: Final = 0.5
"""Pause (s) after each step, in which the worker thread is free."""


class DaySearch(ABC, Generic[S]):
    """A search that is made once on each day (UTC)."""

    name: ClassVar[str]
    """Its task's name."""

    def __init__(
        self,
        store: S,
        worker: Worker,
        *,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int | None], bool] = lambda _: True,
        rest: float = _REST,
    ) -> None:
        """`now` returns seconds since 1970; `rest` is the pause (s) after each step."""
        self._store = store
        self._worker = worker
        self._tasks = tasks
        self._now = now
        self._owns = owns
        self._rest = rest
        self._done: date | None = None

    async def start(self) -> None:
        """Start polling; the supervisor restarts it after a failure of the store."""
        self._tasks.repeat((self.name,), _PAUSE, self.prepare)

    async def prepare(self) -> None:
        """Search, unless that was done today. Raises `StoreUnavailable`."""
        today = datetime.fromtimestamp(self._now(), UTC).date()
        if today == self._done or not self._owns(None):
            return
        await self.search(today)
        self._done = today

    @abstractmethod
    async def search(self, today: date) -> None:
        """Search and store what is found. Raises `StoreUnavailable`."""

    async def step(self, search: Iterator[object]) -> object:
        """The next step of the search, or `END`; returns after the pause."""
        made = await self._worker.run(next, search, END)
        if made is not END:
            await asyncio.sleep(self._rest)
        return made
