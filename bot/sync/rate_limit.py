"""The rate limiter: a FIFO queue for the 50 requests a second that Discord allows a bot.

Without it a burst would run into 429s, and all of its requests would be retried at the same time, in no
order. Each table has one or two requests waiting at most, so the queue is fair between tables. Answers to
interactions do not count towards the limit, and do not wait.

Several processes share one limit: each reserves slots for its waiting requests from a shared allocator. While
that is unavailable, each process keeps to its share of the limit.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import aiohttp

_FREE = ("/interactions/", "/webhooks/")


Slots = Callable[[int, int], Awaitable[float | None]]
"""Reserves a number of consecutive slots at a rate (slots a second).

Returns the delay (s) before the first one, or `None` if the allocator is unavailable.
"""

_BATCH = 10
"""Largest number of slots in one reservation: other processes wait that long."""

_LATE = 0.05
"""Delay (s) after which a slot expires: a process that was held up would send its requests in a burst, in the
slots of others."""


class RateLimiter:
    """Delays requests, so that they do not exceed the limit."""

    def __init__(
        self,
        requests_a_second: int,
        *,
        slots: Slots | None = None,
        share: Callable[[], float] = lambda: 1.0,
    ) -> None:
        """With `slots` several processes share the limit; `share` is this one's part of it, at most 1."""
        self._rate = requests_a_second
        self._next = 0.0
        self._slots = slots
        self._share = share
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taking: asyncio.Task[None] | None = None

    def trace(self) -> aiohttp.TraceConfig:
        """A trace configuration that delays every request of a session just before it is sent."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._wait)
        return config

    async def passed(self) -> None:
        """Wait for the next free slot."""
        if self._slots is None:
            await self._own_turn(1 / self._rate)
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        if self._taking is None:
            self._taking = asyncio.create_task(self._take(self._slots))
        await mine

    async def _own_turn(self, between: float) -> None:
        now = asyncio.get_running_loop().time()
        mine = max(now, self._next)
        self._next = mine + between
        if mine > now:
            await asyncio.sleep(mine - now)

    async def _take(self, slots: Slots) -> None:
        """Reserve slots while requests wait, and release a request at each."""
        try:
            while self._waiting:
                count = min(len(self._waiting), _BATCH)
                seconds = await slots(count, self._rate)
                loop = asyncio.get_running_loop()
                first = loop.time() + (seconds or 0.0)
                for number in range(count):
                    due = first + number / self._rate
                    if seconds is None:
                        await self._own_turn(1 / max(self._rate * self._share(), 1.0))
                    elif loop.time() - due > _LATE:
                        continue  # expired: the request waits for another slot
                    else:
                        await asyncio.sleep(max(0.0, due - loop.time()))
                    self._release_one()
        finally:
            self._taking = None

    def _release_one(self) -> None:
        """Release the first request that is not cancelled."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(None)
                return

    async def _wait(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestStartParams
    ) -> None:
        if not any(free in request.url.path for free in _FREE):
            await self.passed()
