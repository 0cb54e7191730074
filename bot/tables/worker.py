"""The computer's thread beside the event loop.

It is a thread and not a process: a process would need its own copy of the computer's tables, and outlives a
bot that is killed. The interpreter's lock lets the event loop run every few milliseconds, however long a move
takes in all; `benchmarks computer` measures how long the loop waits. It is one thread: more of them would
contend for that lock, and the loop would wait for each.
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
    """Runs one piece of work at a time in its thread, while the event loop continues."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worker")

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`; its exceptions are raised here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *args, **kwargs))

    def close(self) -> None:
        """Accept no new work. Non-blocking: work in progress is completed unless the process ends before."""
        self._thread.shutdown(wait=False, cancel_futures=True)
