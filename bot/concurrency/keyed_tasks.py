"""Supervisor of background tasks: one per key, restarted when it fails, removed when it is done.

Work is a coroutine function; its key names it, such as `("clock", "k3f9a")`. Four methods schedule it:

- `wake` coalesces: work in progress runs once more afterwards, however often it was woken, so no change
  during it is missed. A wake also cuts a retry's pause short, whether it comes before or after the failure.
- `replace` cancels the work in progress and starts the new, as a new deadline replaces an old one.
- `repeat` runs work periodically, with a pause before each run.
- `stop` cancels the work.

Failed work is retried after a pause that grows exponentially to a limit (back-off). Errors in `passing` are
logged in one line, without their message, which may name cards. Any other exception is a bug: it is logged
with its traceback, and its limit is longer. Work raises `RetryLater` to be run again. Errors in `final` are
neither retried nor logged here.

`close` cancels all tasks and waits for them; nothing starts afterwards. Each task is named after its key.

A library for retries (stamina) retries one call in place. Here a change must cut the pause short, work may be
replaced or stopped during it, and unexpected errors need the same supervision.
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
"""Name of a piece of work: its kind, and mostly the game's id."""

Work: TypeAlias = Callable[[], Awaitable[None]]

FIRST_PAUSE = 1.0
"""Pause (s) before the first retry; each further pause is twice as long."""

LONGEST_PAUSE = 15.0
"""Limit (s) of the pauses after expected errors (`passing`)."""

LONGEST_PAUSE_AFTER_A_FAULT = 300.0
"""Limit (s) of the pauses after any other exception: it seldom passes, and each retry logs a traceback."""

_SWALLOWED = 0.5
"""Time (s) after which a task that has not ended on its cancellation is cancelled once more."""


class RetryLater(Exception):  # noqa: N818 -- asks for something, and is no error
    """Raised by unfinished work to be run again after a pause. Not logged."""

    def __init__(self, seconds: float | None = None) -> None:
        """After `seconds`, which does not count as a failure; with None it is one, with back-off."""
        self.seconds = seconds


@dataclass(slots=True, eq=False)
class _Entry:
    """Work of one key, in progress or pausing after a failure."""

    work: Work
    task: asyncio.Task[None] | None = None
    is_wanted_again: bool = False
    failures: int = 0
    """Failures in a row."""
    pausing: asyncio.Event | None = None
    """Ends the current pause early; None while the work runs."""


class KeyedTasks:
    """The background work of one process."""

    def __init__(
        self, *, passing: tuple[type[Exception], ...] = (), final: tuple[type[Exception], ...] = ()
    ) -> None:
        """`passing` errors are transient: retried, logged in one line.

        `final` errors are never retried; an error in both is final.
        """
        self._passing: tuple[type[Exception], ...] = (RetryLater, *passing)
        self._final = final
        self._entries: dict[Key, _Entry] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """All tasks that have not ended, including replaced and stopped ones."""
        self._is_closed = False

    def wake(self, key: Key, work: Work) -> None:
        """Start the work, or run it once more after the run in progress."""
        entry = self._entries.get(key)
        if entry is None:
            self.replace(key, work)
            return
        entry.is_wanted_again = True
        if entry.pausing is not None:
            entry.pausing.set()

    def replace(self, key: Key, work: Work) -> None:
        """Start the work in place of the key's work in progress, which is cancelled."""
        self.stop(key)
        if self._is_closed:
            return
        entry = self._entries[key] = _Entry(work)
        entry.task = asyncio.create_task(self._supervise(key, entry), name=" ".join(key))
        self._tasks.add(entry.task)
        entry.task.add_done_callback(self._tasks.discard)

    def repeat(self, key: Key, seconds: float, work: Work) -> None:
        """Run the work periodically, each time after a pause of `seconds`."""

        async def again_and_again() -> None:
            while True:
                await asyncio.sleep(seconds)
                await work()

        self.wake(key, again_and_again)

    def stop(self, key: Key) -> None:
        """Cancel the key's work, if any.

        Work that stops or replaces itself is not cancelled: it runs to its end, and not again.
        """
        entry = self._entries.pop(key, None)
        if entry is not None and entry.task is not None and entry.task is not asyncio.current_task():
            entry.task.cancel()

    def is_wanted_again(self, key: Key) -> bool:
        """True if the key's work will run once more after the run in progress."""
        entry = self._entries.get(key)
        return entry is not None and entry.is_wanted_again

    def failing(self, kind: str) -> int:
        """Number of keys of that kind (their first part) whose work has failed and is being retried."""
        return sum(key[0] == kind and entry.failures > 0 for key, entry in self._entries.items())

    def __contains__(self, key: Key) -> bool:
        """True if the key has work in progress or pausing."""
        return key in self._entries

    def __iter__(self) -> Iterator[Key]:
        """Keys of all work in progress or pausing."""
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        """Number of keys with work in progress or pausing."""
        return len(self._entries)

    async def close(self) -> None:
        """Cancel all tasks and wait for their end. Nothing starts afterwards."""
        self._is_closed = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            # A library may have swallowed the cancellation together with a result.
            await asyncio.wait(self._tasks, timeout=_SWALLOWED)
        self._entries.clear()

    async def _supervise(self, key: Key, entry: _Entry) -> None:
        """Run the work until nobody has woken it meanwhile; no await between that check and the removal."""
        try:
            entry.is_wanted_again = True
            while entry.is_wanted_again:
                entry.is_wanted_again = False
                pause = await self._attempt(key, entry)
                if self._entries.get(key) is not entry:
                    return  # replaced or stopped, perhaps by itself
                if pause is not None and not entry.is_wanted_again:
                    await self._pause(entry, pause)
                    entry.is_wanted_again = True
        finally:
            if self._entries.get(key) is entry:
                del self._entries[key]

    async def _attempt(self, key: Key, entry: _Entry) -> float | None:
        """Run the work once; the pause (s) before its retry, or None if it is done."""
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
    """Pause (s) after that many earlier failures in a row."""
    return min(FIRST_PAUSE * 2.0 ** min(failures, 32), longest)
