"""Brings a PostgreSQL database up to the schema that this bot knows, or refuses it untouched.

Migrations are the numbered SQL files beside this module, each applied once and in order. The table
`fifteen_two` names the last one that a database has, and tells it from other programs' databases.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseTooNew, DatabaseUnusable

_OLDEST = 13
"""The server's version that first tells what became of a transaction (`pg_current_xact_id`)."""

_STARTING = 0x31352D32
"""The key of the lock under which bots that start at once bring the schema up to date: "15-2" in ASCII."""

_MARK = "CREATE TABLE fifteen_two (one bigint PRIMARY KEY CHECK (one = 1), migration bigint NOT NULL)"


def migrations() -> tuple[str, ...]:
    """The SQL of every migration, in order; the first is number one."""
    there = (files("bot.store.postgresql") / "migrations").iterdir()
    found = sorted((each for each in there if each.name.endswith(".sql")), key=lambda each: each.name)
    return tuple(each.read_text(encoding="utf-8") for each in found)


async def bring_up_to_date(connection: Any, address: PostgresAddress) -> None:
    """Apply the migrations that the database lacks, all or none.

    Raises `DatabaseTooNew` and `DatabaseUnusable`, and then it is as it was.
    """
    await require_server(connection, address)
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _STARTING)
        has = await migration_of(connection, address)
        scripts = migrations()
        if has == 0:
            await connection.execute(_MARK)
            await connection.execute("INSERT INTO fifteen_two (one, migration) VALUES (1, 0)")
        for script in scripts[has:]:
            await connection.execute(script)
        if has < len(scripts):
            await connection.execute("UPDATE fifteen_two SET migration = $1", len(scripts))


async def migration_of(connection: Any, address: PostgresAddress) -> int:
    """The last migration that it has; 0 for an empty one. Raises `DatabaseTooNew` and `DatabaseUnusable`."""
    tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
    there = {row["tablename"] for row in await connection.fetch(tables)}
    if not there:
        return 0
    if "fifteen_two" not in there:
        raise DatabaseUnusable(address, "it belongs to another program")
    has: int = await connection.fetchval("SELECT migration FROM fifteen_two")
    if has > len(migrations()):
        raise DatabaseTooNew(has, len(migrations()))
    return has


async def require_server(connection: Any, address: PostgresAddress) -> None:
    """Raises `DatabaseUnusable` for a server that is too old, and a database whose texts are not in UTF-8."""
    major = connection.get_server_version().major
    if major < _OLDEST:
        raise DatabaseUnusable(address, f"the server is PostgreSQL {major}, and {_OLDEST} is the oldest")
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnusable(address, f"its encoding is {encoding}, and has to be UTF8")
