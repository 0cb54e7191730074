"""Schedules IDENTIFYs: Discord accepts one in five seconds for each rate limit key.

The key of a shard is its number modulo `max_concurrency`, from `GET /gateway/bot`. Discord answers an earlier
IDENTIFY with an invalid session (Discord's documentation of sharding).

Several processes share the turns in one database. Each takes a turn only shortly before it: a connection may
be given up while it waits, and its turn would be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.model.errors import StoreUnavailable

PERIOD = 5.25
"""Seconds between two of a key: Discord's five, and a little for the network."""

AT_ONCE = 4
"""Connections of a key that may wait for their turn.

While it waits, a connection hears no answer to its heartbeats, and discord.py gives it up after a minute. And
one that hangs holds up nobody while another place is free.
"""

AHEAD = 2.0
"""Seconds before a turn at which one of several processes can take it."""

_AT_LEAST = 0.25
"""Seconds between two times that a process asks."""


class IdentifyTurns:
    """Lets shards connect, and identify one after the other, each key by itself."""

    def __init__(self, max_concurrency: int) -> None:
        self._keys = max_concurrency
        self._places = [asyncio.Semaphore(AT_ONCE) for _ in range(max_concurrency)]
        self._turns = [asyncio.Lock() for _ in range(max_concurrency)]
        self._free_at = [0.0] * max_concurrency
        """By key: when the next may identify, in the loop's time."""

    @asynccontextmanager
    async def place(self, shard: int) -> AsyncIterator[None]:
        """A place in which to connect and identify."""
        async with self._places[shard % self._keys]:
            yield

    async def take(self, shard: int) -> None:
        """Wait until that shard may identify, which it is to do at once."""
        key, loop = shard % self._keys, asyncio.get_running_loop()
        async with self._turns[key]:  # the first to come is the first to go
            await asyncio.sleep(max(0.0, self._free_at[key] - loop.time()))
            self._free_at[key] = loop.time() + PERIOD


class SharedIdentifyTurns(IdentifyTurns):
    """The same for several processes, which ask one database for their turns."""

    def __init__(
        self, max_concurrency: int, turn: Callable[[int, float, float], Awaitable[tuple[float, bool]]]
    ) -> None:
        """`turn` is asked for the next turn of a key, of a period, if it is at most so many seconds off.

        It gives the seconds until that turn comes, and whether it was taken.
        """
        super().__init__(max_concurrency)
        self._turn = turn

    async def take(self, shard: int) -> None:
        """Wait until that shard may identify; while the database does not answer, it may not."""
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
                await asyncio.sleep(max(seconds - AHEAD, _AT_LEAST))
            await asyncio.sleep(seconds)
