"""An event loop with simulated time that jumps to the next timer, so that no test waits for a clock."""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import ParamSpec

_Given = ParamSpec("_Given")


class LeapingLoop(asyncio.SelectorEventLoop):
    """A selector that advances the simulated time instead of waiting."""

    def __init__(self) -> None:
        self._leapt = 0.0
        super().__init__(_Impatient(self))

    def time(self) -> float:
        """Simulated seconds since the loop was created."""
        return self._leapt

    def leap(self, seconds: float) -> None:
        """Advance the simulated time by that many seconds."""
        self._leapt += seconds


class _Impatient(selectors.DefaultSelector):  # type: ignore[misc, valid-type]  # chosen by the system
    """Looks, and never waits."""

    def __init__(self, loop: LeapingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready and timeout:
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
