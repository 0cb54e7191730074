"""One bot per database: an advisory lock on a connection of its own, which ends with the process.

Processes of one bot that share its shards (`SHARDS`) hold the lock in shared mode, which excludes a bot that
has all shards to itself, and vice versa.

A lost connection is reconnected, and the lock taken again. If another bot was quicker, this one ends, because
two bots would post every table twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseInUse
from bot.store.connection import Connection
from bot.store.drivers.postgresql.database import connected, require_sessions, until_lost
from bot.store.drivers.postgresql.failures import FAILURES, unusable

PATIENCE = 10.0
"""Time (s) to wait for another bot to end: in a restart they may overlap."""

_PAUSE = 0.1
"""Delay (s) between two attempts."""

_KEY = 0x31352D33
"""Key of the advisory lock, which is local to the database."""


@asynccontextmanager
async def only_bot_on(
    address: PostgresAddress, patience: float = PATIENCE, *, shared: bool = False
) -> AsyncIterator[None]:
    """Hold the lock, alone or `shared`. Raises `DatabaseInUse` after `patience`, and `DatabaseUnusable`.

    If another bot takes the lock while the connection is lost, the task inside is cancelled, and this raises
    `DatabaseInUse`.
    """
    await require_sessions(address)
    taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    owner = asyncio.current_task()
    assert owner is not None, "this runs in a task"
    is_lost = False

    def ended(holding: asyncio.Task[None]) -> None:
        nonlocal is_lost
        if holding.cancelled():
            return
        if not taken.done():  # a bug here; the caller that awaits `taken` must not wait for ever
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
    """Hold the lock, and take it again after each lost connection, until another bot has it."""
    while True:
        try:
            async with connected(address) as connection:
                if not await _took(connection, patience, shared=shared):
                    if not taken.done():
                        taken.set_exception(DatabaseInUse(address))
                    return
                if not taken.done():
                    taken.set_result(None)
                await until_lost(connection)
        except FAILURES as error:
            if not taken.done():
                taken.set_exception(unusable(address, error))
                return
            await asyncio.sleep(_PAUSE)


async def _took(connection: Connection, patience: float, *, shared: bool) -> bool:
    kind = "_shared" if shared else ""
    statement = f"SELECT pg_try_advisory_lock{kind}($1::bigint)"
    until = time.monotonic() + patience
    while not await connection.fetchval(statement, _KEY):
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(_PAUSE)
    return True
