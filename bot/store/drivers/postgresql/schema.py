"""Migrates a PostgreSQL database to the current schema, or refuses it untouched.

Each migration is applied once, in order. The table `fifteen_two` has the number of the last one; a database
with other tables but not this one belongs to another program.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any

from bot.model.database_address import PostgresAddress, pg_dump
from bot.model.errors import DatabaseTooOld, DatabaseUnusable
from bot.store.drivers.migrations import migrations_of, refuse_unknown

log = logging.getLogger(__name__)

_OLDEST = 13
"""Oldest server version that the bot accepts."""

_STARTING = 0x31352D32
"""Key of the advisory lock that serialises migrations: "15-2" in ASCII."""

_MARK = "CREATE TABLE fifteen_two (one bigint PRIMARY KEY CHECK (one = 1), migration bigint NOT NULL)"

_PAUSE = 0.1
"""Delay (s) between two attempts to take that lock."""

_LONGEST = 3600.0
"""Time limit (s) of a migration."""

_NO_COPY = (
    "no copy of it is made, as of a file: %s makes one before an upgrade; to go back, restore yours "
    "(docs/operating.md), and start the bot of before"
)


@cache
def migrations() -> dict[int, str]:
    """The SQL of every migration by its number, in order."""
    return migrations_of("bot.store.drivers.postgresql")


def newest() -> int:
    """The number of the newest migration."""
    return max(migrations())


async def bring_up_to_date(connection: Any, address: PostgresAddress) -> None:
    """Apply the migrations that the database lacks, all or none, after any other process that does.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment` and `DatabaseUnusable`; then the database is unchanged.
    """
    await require_server(connection, address)
    async with connection.transaction():
        await _take_turn(connection)
        has = await migration_of(connection, address)
        if has == 0:
            await connection.execute(_MARK)
            await connection.execute("INSERT INTO fifteen_two (one, migration) VALUES (1, 0)")
        elif has < newest():
            log.info("the database %s is upgraded from schema %d to %d", address, has, newest())
            log.info(_NO_COPY, pg_dump(address, "crib.dump"))
        for number, script in migrations().items():
            if number > has:
                await connection.execute(script, timeout=_LONGEST)
        if has < newest():
            await connection.execute("UPDATE fifteen_two SET migration = $1", newest())


async def _take_turn(connection: Any) -> None:
    """Take the lock until the end of the transaction. It waits in pauses: a lock's time limit is short."""
    is_told = False
    while not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", _STARTING):
        if not is_told:
            log.info("another process makes or upgrades the tables: this one waits for it")
            is_told = True
        await asyncio.sleep(_PAUSE)


async def migration_of(connection: Any, address: PostgresAddress) -> int:
    """The last applied migration; 0 for an empty database.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment` and `DatabaseUnusable`.
    """
    tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
    there = {row["tablename"] for row in await connection.fetch(tables)}
    if not there:
        return 0
    if "fifteen_two" not in there:
        raise DatabaseUnusable(address, "it belongs to another program")
    has: int = await connection.fetchval("SELECT migration FROM fifteen_two")
    refuse_unknown(has, migrations())
    return has


async def require_current(connection: Any, address: PostgresAddress) -> None:
    """Raises `DatabaseTooOld` for a database that lacks migrations, and what `migration_of` raises."""
    await require_server(connection, address)
    if await migration_of(connection, address) != newest():
        raise DatabaseTooOld(address)


async def require_server(connection: Any, address: PostgresAddress) -> None:
    """Raises `DatabaseUnusable` for an old server, and for a database that is not in UTF-8."""
    major = connection.get_server_version().major
    if major < _OLDEST:
        raise DatabaseUnusable(address, f"the server is PostgreSQL {major}, and {_OLDEST} is the oldest")
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnusable(address, f"its encoding is {encoding}, and has to be UTF8")
