"""Where the computer thinks: one thread beside the event loop.

Why a thread, and not a process. Few of a move's microseconds are spent in numpy without the interpreter's
lock, so a thread does not make two cores of one; but each step is short, and the interpreter lets the event
loop in between every few milliseconds, however long a move takes in all (`benchmarks computer` measures what
the loop waits for it). A process would need its own copy of the tables, and outlives a bot that is killed.
One thread, and not several: they would only take turns, and the loop would wait for each of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """Does one piece of work after the other, while the event loop goes on."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worker")

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`; its exceptions are raised here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *args, **kwargs))

    def close(self) -> None:
        """Begin nothing new; what is under way ends by itself, or with the process, which does not wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)
