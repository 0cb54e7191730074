"""Hints between processes, by `LISTEN` and `NOTIFY`: nothing depends on their arriving.

The connection that listens is made again when it is lost; what was missed meanwhile is for the listener to
look up, which is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import asyncpg

from bot.model.hints import Hint, hint_from
from bot.store.drivers.postgresql import leases
from bot.store.drivers.postgresql.database import PostgresDatabase, connected

_CHANNEL = "fifteen_two_games"

_ALIVE = 5.0
"""Seconds between two looks at whether the connection still stands."""

_PAUSE = 0.2
"""Seconds between two attempts to connect."""

_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


class PostgresHints:
    """Sends hints to all other processes, and hears theirs."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    @property
    def member(self) -> int:
        """The number of this process."""
        return self._database.member

    async def send(self, hint: Hint) -> None:
        """Tell all processes that listen. Raises `StoreUnavailable`."""
        statement = f"SELECT pg_notify('{_CHANNEL}', $1)"
        await self._database.read_one(lambda connection: connection.fetchval(statement, hint.to_json()))

    async def listen(
        self, heard: Callable[[Hint], None], leases_changed: Callable[[], None], missed: Callable[[], None]
    ) -> None:
        """Listen until cancelled. What may have been `missed` is told after each new connection."""

        def on_hint(_: object, __: int, ___: str, payload: object) -> None:
            if (hint := hint_from(str(payload))) is not None:
                heard(hint)

        def on_lease(_: object, __: int, ___: str, ____: object) -> None:
            leases_changed()

        while True:
            try:
                async with connected(self._database.address) as connection:
                    gone = asyncio.Event()
                    connection.add_termination_listener(lambda _, gone=gone: gone.set())
                    await connection.add_listener(_CHANNEL, on_hint)
                    await connection.add_listener(leases.CHANNEL, on_lease)
                    missed()
                    while not gone.is_set():
                        try:
                            async with asyncio.timeout(_ALIVE):
                                await gone.wait()
                        except TimeoutError:
                            await connection.execute("SELECT 1")
            except _FAILURES:
                pass  # it is made again
            await asyncio.sleep(_PAUSE)
