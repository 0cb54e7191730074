"""Measures how late the event loop comes to what is due: everybody waits for that, presses too."""

from __future__ import annotations

import asyncio

from prometheus_client import Histogram

_EVERY = 0.1
"""Seconds from one look to the next. What blocks the loop for longer is always seen."""


async def watch_loop(delay: Histogram) -> None:
    """Observe the delay, in seconds, again and again, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _EVERY
        await asyncio.sleep(_EVERY)
        delay.observe(max(0.0, loop.time() - due))
