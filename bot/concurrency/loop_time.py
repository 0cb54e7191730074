"""The clock of the event loop, by which everything in the bot waits."""

from __future__ import annotations

import asyncio
import time


def loop_time() -> float:
    """The running loop's time (s); without a running loop the monotonic clock's, which is the same clock."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()
