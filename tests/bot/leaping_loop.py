"""An event loop in simulated time, which leaps to the next timer, so that no test waits for a clock.

Work costs no time, however long it takes, and time stands still while a thread works. Sockets between parts
of this process must be Unix sockets: what one part writes, the other can read at once. (A TCP socket's data
may still be under way in the kernel of a busy machine while the loop leaps.)
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

_Given = ParamSpec("_Given")


class LeapingLoop(asyncio.SelectorEventLoop):
    """A selector that advances the simulated time instead of waiting."""

    def __init__(self, begins: float = 0.0, *, inline: bool = False) -> None:
        """The loop's time `begins` there, in seconds.

        With `inline`, the work of threads is done at once by the loop itself, so that two runs do the same.
        """
        self._now = begins
        self._working = 0
        self._inline = inline
        super().__init__(_Impatient(self))

    def time(self) -> float:
        """Simulated seconds."""
        return self._now

    def leap(self, seconds: float) -> None:
        """Advance the simulated time by that many seconds."""
        self._now += seconds

    @property
    def has_working_threads(self) -> bool:
        """True while somebody waits for a thread."""
        return self._working > 0

    def run_in_executor(  # type: ignore[override]  # typeshed has one that is generic in the arguments
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """As `asyncio` has it; time stands still until the future is done."""
        if self._inline:
            return self._done_at_once(func, *args)
        working = super().run_in_executor(executor, func, *args)
        self._working += 1
        working.add_done_callback(self._rest)
        return working

    def _done_at_once(self, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 -- whoever waits gets it
            done.set_exception(error)
        return done

    async def shutdown_default_executor(self, *args: Any) -> None:
        """As `asyncio` has it; time stands still meanwhile."""
        self._working += 1
        await super().shutdown_default_executor(*args)

    def _rest(self, _: object) -> None:
        self._working -= 1


class _Impatient(selectors.DefaultSelector):  # type: ignore[misc, valid-type]  # chosen by the system
    """Waits for threads alone, and leaps over all other waiting."""

    def __init__(self, loop: LeapingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None or self._loop.has_working_threads:
            return super().select()
        self._loop.leap(timeout)
        return ready


def run_leaping(main: Coroutine[object, object, None]) -> None:
    """Run `main` to its end on a loop with simulated time."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        runner.run(main)


def leaping(test: Callable[_Given, Coroutine[object, object, None]]) -> Callable[_Given, None]:
    """A test that runs on a loop with simulated time."""

    @functools.wraps(test)
    def run(*given: _Given.args, **named: _Given.kwargs) -> None:
        run_leaping(test(*given, **named))

    return run
