"""Measures the delay of the event loop, which every press waits for."""

from __future__ import annotations

import asyncio

from prometheus_client import Histogram

_EVERY = 0.1
"""Interval (s) of the samples; every longer blockage is seen."""


async def watch_loop(delay: Histogram) -> None:
    """Observe the loop's delay (s) periodically until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _EVERY
        await asyncio.sleep(_EVERY)
        delay.observe(max(0.0, loop.time() - due))
