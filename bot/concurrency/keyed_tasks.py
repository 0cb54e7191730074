"""A supervisor of background tasks: one for each key, started again when it fails, gone when it is done.

Work is a coroutine function, and its key says what it is about, as `("clock", "k3f9a")`. There are four ways
to ask for it:

- `wake` coalesces: work that is under way already is done once more afterwards, however often it was woken
  meanwhile, so nothing that happened during it is missed. News comes before a pause: work that fails, and was
  woken before or after it did, is tried at once.
- `replace` puts a task in the place of the one under way, as a new deadline takes the place of an old one.
- `repeat` does work again and again, with a pause before each time.
- `stop` ends the task.

Work that fails is started again after a pause, which grows exponentially up to a bound (back-off). An error
of a kind that is expected to pass is logged in one line, without its message, which may speak of cards. Any
other exception is a fault of ours: it is logged with its traceback, and its pauses grow longer. Work that
knows by itself that it has to be done again raises `RetryLater`. What is known to be of no use to try again
ends the work, and nothing is logged: that was done where it was found out.

`close` cancels all tasks and waits for them, and nothing starts afterwards. The name of each task is its key.

Why not stamina: it retries one call where it stands. Here news has to cut a pause short, work may be replaced
or stopped while it pauses, and the same supervisor has to catch what no retry expects.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

log = logging.getLogger(__name__)

Key: TypeAlias = tuple[str, ...]
"""What some work is about: what kind it is, and of which game, if it is of one."""

Work: TypeAlias = Callable[[], Awaitable[None]]

FIRST_PAUSE = 1.0
"""Seconds before work that failed is started again for the first time; each later pause is twice as long."""

LONGEST_PAUSE = 15.0
"""The bound of these pauses, in seconds, after errors that are expected to pass."""

LONGEST_PAUSE_AFTER_A_FAULT = 300.0
"""The same after any other exception: it seldom passes by itself, and each time fills a page of the log."""

_SWALLOWED = 0.5
"""Seconds after which a task that has not ended on its cancellation is cancelled once more."""


class RetryLater(Exception):
    """The work is not finished, and is to be started again after a pause. Nothing is logged."""

    def __init__(self, seconds: float | None = None) -> None:
        """After so many `seconds`, which is no failure; without them, after one, with back-off."""
        self.seconds = seconds


@dataclass(slots=True, eq=False)
class _Entry:
    """Work of one key that is under way, or pauses after a failure."""

    work: Work
    task: asyncio.Task[None] | None = None
    is_wanted_again: bool = False
    failures: int = 0
    """Since the work was last done without one."""
    pausing: asyncio.Event | None = None
    """While it pauses: what ends the pause before its time."""


class KeyedTasks:
    """The background work of one process."""

    def __init__(
        self, *, passing: tuple[type[Exception], ...] = (), final: tuple[type[Exception], ...] = ()
    ) -> None:
        """`passing` are the kinds of error that are expected to pass by themselves.

        `final` are those that never do; one that is both is final.
        """
        self._passing: tuple[type[Exception], ...] = (RetryLater, *passing)
        self._final = final
        self._entries: dict[Key, _Entry] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """All that have not ended, with those that were replaced or stopped and are still ending."""
        self._is_closed = False

    def wake(self, key: Key, work: Work) -> None:
        """Let the work be done: now, or once more if it is under way."""
        entry = self._entries.get(key)
        if entry is None:
            self.replace(key, work)
            return
        entry.is_wanted_again = True
        if entry.pausing is not None:
            entry.pausing.set()

    def replace(self, key: Key, work: Work) -> None:
        """Begin the work instead of what is under way by that key, which is stopped."""
        self.stop(key)
        if self._is_closed:
            return
        entry = self._entries[key] = _Entry(work)
        entry.task = asyncio.create_task(self._supervise(key, entry), name=" ".join(key))
        self._tasks.add(entry.task)
        entry.task.add_done_callback(self._tasks.discard)

    def repeat(self, key: Key, seconds: float, work: Work) -> None:
        """Let the work be done again and again, from now on each time after so many `seconds`."""

        async def again_and_again() -> None:
            while True:
                await asyncio.sleep(seconds)
                await work()

        self.wake(key, again_and_again)

    def stop(self, key: Key) -> None:
        """Cancel the work of that key, if there is any.

        Work that stops or replaces itself is left to come to its end, and is not started again.
        """
        entry = self._entries.pop(key, None)
        if entry is not None and entry.task is not None and entry.task is not asyncio.current_task():
            entry.task.cancel()

    def is_wanted_again(self, key: Key) -> bool:
        """Whether the work of that key is to be done once more when it is through."""
        entry = self._entries.get(key)
        return entry is not None and entry.is_wanted_again

    def failing(self, kind: str) -> int:
        """How many keys of that kind, which they begin with, have work that failed and is tried again."""
        return sum(key[0] == kind and entry.failures > 0 for key, entry in self._entries.items())

    def __contains__(self, key: Key) -> bool:
        """Whether there is work of that key, under way or pausing."""
        return key in self._entries

    def __iter__(self) -> Iterator[Key]:
        """The keys of all work that is under way or pauses."""
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        """How many keys have work that is under way or pauses."""
        return len(self._entries)

    async def close(self) -> None:
        """Cancel everything and wait for its end. Nothing starts any more."""
        self._is_closed = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            # A library may have swallowed the cancellation, together with the result of what it waited for.
            await asyncio.wait(self._tasks, timeout=_SWALLOWED)
        self._entries.clear()

    async def _supervise(self, key: Key, entry: _Entry) -> None:
        """Do the work until it is done and nobody wants it again: nothing is awaited after seeing that."""
        try:
            entry.is_wanted_again = True
            while entry.is_wanted_again:
                entry.is_wanted_again = False
                pause = await self._attempt(key, entry)
                if self._entries.get(key) is not entry:
                    return  # it was replaced or stopped, perhaps by itself
                if pause is not None and not entry.is_wanted_again:
                    await self._pause(entry, pause)
                    entry.is_wanted_again = True
        finally:
            if self._entries.get(key) is entry:
                del self._entries[key]

    async def _attempt(self, key: Key, entry: _Entry) -> float | None:
        """Do the work once; the seconds to pause before it is done again, if it failed."""
        try:
            await entry.work()
        except self._final:
            entry.failures = 0
            return None
        except self._passing as error:
            if isinstance(error, RetryLater) and error.seconds is not None:
                entry.failures = 0
                return error.seconds
            pause = _back_off(entry.failures, LONGEST_PAUSE)
            if not isinstance(error, RetryLater):
                log.warning("%s: %s, tried again in %.0f s", " ".join(key), type(error).__name__, pause)
        except Exception:
            pause = _back_off(entry.failures, LONGEST_PAUSE_AFTER_A_FAULT)
            log.exception("unexpected error in %s, which is started again in %.0f s", " ".join(key), pause)
        else:
            entry.failures = 0
            return None
        entry.failures += 1
        return pause

    async def _pause(self, entry: _Entry, seconds: float) -> None:
        entry.pausing = asyncio.Event()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await entry.pausing.wait()
        finally:
            entry.pausing = None


def _back_off(failures: int, longest: float) -> float:
    """Seconds to pause after one failure more than so many in a row."""
    return min(FIRST_PAUSE * 2.0 ** min(failures, 32), longest)
