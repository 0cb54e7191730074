"""The rate limiter: a queue, first in, first out, for the fifty requests a second that Discord allows a bot.

Without it a burst would run into Discord's 429s, and be retried all at once and in no order. Each table has
at most a request or two waiting, so the queue is fair between tables.
Answers to interactions do not count and do not wait.
"""

from __future__ import annotations

import asyncio

import aiohttp

_FREE = ("/interactions/", "/webhooks/")


class RateLimiter:
    """Lets requests through one by one."""

    def __init__(self, requests_a_second: int) -> None:
        self._between = 1 / requests_a_second
        self._next = 0.0

    def trace(self) -> aiohttp.TraceConfig:
        """What lets every request of a session wait here just before it is sent."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._wait)
        return config

    async def passed(self) -> None:
        """Wait until it is one's turn."""
        now = asyncio.get_running_loop().time()
        mine = max(now, self._next)
        self._next = mine + self._between
        if mine > now:
            await asyncio.sleep(mine - now)

    async def _wait(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestStartParams
    ) -> None:
        if not any(free in request.url.path for free in _FREE):
            await self.passed()
