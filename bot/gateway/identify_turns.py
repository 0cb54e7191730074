"""Schedules IDENTIFYs: Discord accepts one in five seconds for each rate limit key.

The key of a shard is its number modulo `max_concurrency`, from `GET /gateway/bot`. Discord answers an earlier
IDENTIFY with an invalid session (Discord's documentation of sharding).

Several processes share the turns in one database. Each takes a turn only shortly before it, since a
connection that fails while it waits would waste its turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.model.errors import StoreUnavailable

PERIOD = 5.25
"""Time (s) between two IDENTIFYs of a key: Discord's 5 s, and a margin for the network."""

AT_ONCE = 4
"""Limit of concurrent connections of a key that wait for their turn.

While it waits, a connection reads no acknowledgements of its heartbeats, so discord.py closes it after a
minute. With several, a connection that hangs does not block the others.
"""

AHEAD = 2.0
"""Time (s) before a turn from which one of several processes can take it."""

_MIN_DELAY = 0.25
"""Minimum delay (s) between two requests of a process for a turn."""


class IdentifyTurns:
    """Serializes the IDENTIFYs of each rate limit key, and limits their waiting connections."""

    def __init__(self, max_concurrency: int) -> None:
        self._keys = max_concurrency
        self._places = [asyncio.Semaphore(AT_ONCE) for _ in range(max_concurrency)]
        self._turns = [asyncio.Lock() for _ in range(max_concurrency)]
        self._free_at = [0.0] * max_concurrency
        """Per key: earliest time (s) of the next IDENTIFY, by the event loop's clock."""

    @asynccontextmanager
    async def place(self, shard: int) -> AsyncIterator[None]:
        """Hold one of the `AT_ONCE` places, in which the shard connects and identifies."""
        async with self._places[shard % self._keys]:
            yield

    async def take(self, shard: int) -> None:
        """Wait until the shard may identify, which must follow immediately."""
        key, loop = shard % self._keys, asyncio.get_running_loop()
        async with self._turns[key]:  # first in, first out
            await asyncio.sleep(max(0.0, self._free_at[key] - loop.time()))
            self._free_at[key] = loop.time() + PERIOD


class SharedIdentifyTurns(IdentifyTurns):
    """Serializes the IDENTIFYs of several processes, which take their turns from one database."""

    def __init__(
        self, max_concurrency: int, turn: Callable[[int, float, float], Awaitable[tuple[float, bool]]]
    ) -> None:
        """`turn` takes the next turn of a key, with a given period (s), if it is at most a limit (s) ahead.

        It returns the delay (s) until that turn, and true if the turn was taken.
        """
        super().__init__(max_concurrency)
        self._turn = turn

    async def take(self, shard: int) -> None:
        """Wait until the shard may identify; retries while the database is unavailable."""
        key = shard % self._keys
        async with self._turns[key]:
            while True:
                try:
                    seconds, is_taken = await self._turn(key, PERIOD, AHEAD)
                except StoreUnavailable:
                    await asyncio.sleep(1.0)
                    continue
                if is_taken:
                    break
                await asyncio.sleep(max(seconds - AHEAD, _MIN_DELAY))
            await asyncio.sleep(seconds)
