"""Best-effort hints between processes, and presses that they pass on, by `LISTEN` and `NOTIFY`.

A lost listening connection is reconnected; then `missed` lets the listener poll for missed changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from bot.model.hints import Hint, hint_from
from bot.model.passed_presses import packed, unpacked
from bot.store.drivers.postgresql import leases
from bot.store.drivers.postgresql.database import PostgresDatabase, connected, until_lost
from bot.store.drivers.postgresql.failures import FAILURES

_CHANNEL = "fifteen_two_games"
_PRESSES = "fifteen_two_presses"

_PAUSE = 0.2
"""Delay (s) between two attempts to connect."""


class PostgresHints:
    """Sends hints to the other processes, and receives theirs."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    @property
    def member(self) -> int:
        """The number of this process."""
        return self._database.member

    async def send(self, hint: Hint) -> None:
        """Notify all listening processes. Raises `StoreUnavailable`."""
        statement = f"SELECT pg_notify('{_CHANNEL}', $1)"
        await self._database.read_one(lambda connection: connection.fetchval(statement, hint.to_json()))

    async def pass_on(self, press: Mapping[str, Any]) -> None:
        """Send the press to all listening processes. Raises `StoreUnavailable`."""
        statement = f"SELECT pg_notify('{_PRESSES}', $1)"
        await self._database.read_one(lambda connection: connection.fetchval(statement, packed(press)))

    async def listen(
        self,
        received: Callable[[Hint], None],
        leases_changed: Callable[[], None],
        missed: Callable[[], None],
        pressed: Callable[[Mapping[str, Any]], None],
    ) -> None:
        """Listen until cancelled. Calls `missed` after each connect, as hints may have been lost before."""

        def on_hint(_: object, __: int, ___: str, payload: object) -> None:
            if (hint := hint_from(str(payload))) is not None:
                received(hint)

        def on_press(_: object, __: int, ___: str, payload: object) -> None:
            if (press := unpacked(str(payload))) is not None:
                pressed(press)

        def on_lease(_: object, __: int, ___: str, ____: object) -> None:
            leases_changed()

        while True:
            try:
                async with connected(self._database.address) as connection:
                    await connection.add_listener(_CHANNEL, on_hint)
                    await connection.add_listener(_PRESSES, on_press)
                    await connection.add_listener(leases.CHANNEL, on_lease)
                    missed()
                    await until_lost(connection)
            except FAILURES:
                pass  # reconnects below
            await asyncio.sleep(_PAUSE)
