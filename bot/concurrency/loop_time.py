"""The clock of the event loop, by which everything in the bot waits."""

from __future__ import annotations

import asyncio
import sys
import time


def loop_time() -> float:
    """The running loop's time (s); without a running loop the monotonic clock's, which is the same clock."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


def suspended_time() -> float:
    """Time (s, to a tenth) for which this host has been suspended, in which `loop_time` stood still.

    Only Linux tells; elsewhere it is zero.
    """
    if sys.platform != "linux":
        return 0.0
    return round(time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC), 1)
