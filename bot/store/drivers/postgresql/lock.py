"""One bot a database: an advisory lock, held by a connection of its own, which ends with the process.

Processes of one bot that share its shards hold it together (`SHARDS`): a bot that has all shards to itself
finds the database in use, and they find it so while such a one runs.

When that connection is lost in a run, the lock is taken again, as soon as there is a server again. If another
bot was quicker, this one has to end: two would tell each table twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseInUse
from bot.store.connection import Connection
from bot.store.drivers.postgresql.database import connected, unusable

PATIENCE = 10.0
"""Seconds for which a bot waits for another one to go: in a restart they may overlap."""

_PAUSE = 0.1
"""Seconds between two attempts."""

_KEY = 0x31352D33
"""Of the advisory lock; a database has its own."""

_ALIVE = 5.0
"""Seconds between two looks at whether the connection still stands."""

_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


@asynccontextmanager
async def only_bot_on(
    address: PostgresAddress, patience: float = PATIENCE, *, shared: bool = False
) -> AsyncIterator[None]:
    """Be the only bot on that database, or with others that hold it `shared`.

    Raises `DatabaseInUse` after `patience`, and `DatabaseUnusable`.

    Raises `DatabaseInUse` too when another bot took the database while this one had lost it; then the task
    that is inside is cancelled.
    """
    taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    owner = asyncio.current_task()
    assert owner is not None, "this runs in a task"
    is_lost = False

    def ended(holding: asyncio.Task[None]) -> None:
        nonlocal is_lost
        if holding.cancelled():
            return
        if not taken.done():  # a fault of ours; what waits for it would wait for ever
            taken.set_exception(holding.exception() or DatabaseInUse(address))
        elif taken.exception() is None:
            is_lost = True
            owner.cancel()

    holding = asyncio.create_task(_hold(address, patience, taken, shared=shared))
    holding.add_done_callback(ended)
    try:
        await taken
        try:
            yield
        except asyncio.CancelledError:
            if not is_lost:
                raise
            owner.uncancel()
        if is_lost:
            raise DatabaseInUse(address)
    finally:
        holding.cancel()
        with suppress(asyncio.CancelledError):
            await holding


async def _hold(
    address: PostgresAddress, patience: float, taken: asyncio.Future[None], *, shared: bool
) -> None:
    """Hold the lock, and take it again whenever its connection is lost, until another bot has it."""
    while True:
        try:
            async with connected(address) as connection:
                if not await _took(connection, patience, shared=shared):
                    if not taken.done():
                        taken.set_exception(DatabaseInUse(address))
                    return
                if not taken.done():
                    taken.set_result(None)
                await _lost(connection)
        except _FAILURES as error:
            if not taken.done():
                taken.set_exception(unusable(address, error))
                return
            await asyncio.sleep(_PAUSE)


async def _lost(connection: Any) -> None:
    """Wait until the connection is lost; a server that has gone without a word is asked now and then."""
    gone = asyncio.Event()
    connection.add_termination_listener(lambda _: gone.set())
    while not gone.is_set():
        try:
            async with asyncio.timeout(_ALIVE):
                await gone.wait()
        except TimeoutError:
            await connection.execute("SELECT 1")


async def _took(connection: Connection, patience: float, *, shared: bool) -> bool:
    kind = "_shared" if shared else ""
    statement = f"SELECT pg_try_advisory_lock{kind}($1::bigint)"
    until = time.monotonic() + patience
    while not await connection.fetchval(statement, _KEY):
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(_PAUSE)
    return True
