"""The rate limiter: a queue, first in, first out, for the fifty requests a second that Discord allows a bot.

Without it a burst would run into Discord's 429s, and be retried all at once and in no order. Each table has
at most a request or two waiting, so the queue is fair between tables.
Answers to interactions do not count and do not wait.

Several processes have one limit together. A process with requests waiting takes slots for all of them
from where the processes share them, one after another's; where nobody gives any, each keeps to its share.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import aiohttp

_FREE = ("/interactions/", "/webhooks/")


Slots = Callable[[int, int], Awaitable[float | None]]
"""Takes so many slots, one after another, of so many a second: the seconds until the first, if one gives."""

_AT_ONCE = 10
"""Slots that are taken together, at most: what others have to wait for."""

_LATE = 0.05
"""Seconds after which a slot is not used any more: a process that was held up would send all at once, in the
time of others."""


class RateLimiter:
    """Lets requests through one by one."""

    def __init__(
        self,
        requests_a_second: int,
        *,
        slots: Slots | None = None,
        share: Callable[[], float] = lambda: 1.0,
    ) -> None:
        """With `slots` the limit is that of several processes, of which this one's part is its `share`."""
        self._rate = requests_a_second
        self._next = 0.0
        self._slots = slots
        self._share = share
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taking: asyncio.Task[None] | None = None

    def trace(self) -> aiohttp.TraceConfig:
        """What lets every request of a session wait here just before it is sent."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._wait)
        return config

    async def passed(self) -> None:
        """Wait until it is one's turn."""
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
        """Take slots for all who wait, until nobody does."""
        try:
            while self._waiting:
                count = min(len(self._waiting), _AT_ONCE)
                seconds = await slots(count, self._rate)
                loop = asyncio.get_running_loop()
                first = loop.time() + (seconds or 0.0)
                for number in range(count):
                    due = first + number / self._rate
                    if seconds is None:
                        await self._own_turn(1 / max(self._rate * self._share(), 1.0))
                    elif loop.time() - due > _LATE:
                        continue  # who waits for it takes another
                    else:
                        await asyncio.sleep(max(0.0, due - loop.time()))
                    self._let_one_through()
        finally:
            self._taking = None

    def _let_one_through(self) -> None:
        """Let the first through that has not given up; its slot is used at its time, or not at all."""
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
