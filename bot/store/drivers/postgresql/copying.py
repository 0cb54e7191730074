"""A PostgreSQL database as the source or target of a copy (`bot.store.moving`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from bot.model.database_address import PostgresAddress
from bot.store.copies import AT_ONCE, BEGIN_WITH_A_ROW, COUNTED, ORDERED, TABLES, CopyRefused, Rows, unfit
from bot.store.drivers.postgresql import schema
from bot.store.drivers.postgresql.database import connected
from bot.store.drivers.postgresql.failures import FAILURES, unusable

_UNFIT = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, ValueError, TypeError)
"""Errors from writing a damaged value; their messages name it."""


class PostgresCopied:
    """See `Copied`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def columns(self, table: str) -> tuple[str, ...]:
        """See `Copied.columns`. SQLite has no column `leaving.number`."""
        return tuple(name for name in await self._types(table) if (table, name) != ("leaving", "number"))

    async def rows(self, table: str, columns: Sequence[str]) -> AsyncIterator[Rows]:
        """See `Copied.rows`."""
        order = f"ORDER BY {ORDERED[table]}" if table in ORDERED else ""
        names = ", ".join(f'"{name}"' for name in columns)
        cursor = await self._connection.cursor(f"SELECT {names} FROM {table} {order}")  # noqa: S608 -- names of ours
        while some := await cursor.fetch(AT_ONCE):
            yield [tuple(row) for row in some]

    async def write(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """See `Copied.write`."""
        types = await self._types(table)
        is_flag = [types[name] == "boolean" for name in columns]
        records = [
            tuple(
                bool(value) if flag and value is not None else value
                for value, flag in zip(row, is_flag, strict=True)
            )
            for row in rows
        ]
        try:
            await self._connection.copy_records_to_table(table, columns=columns, records=records)
        except _UNFIT:
            raise unfit(table) from None

    async def count(self, table: str) -> int:
        """See `Copied.count`."""
        number: int = await self._connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 -- as above
        return number

    async def last_number(self, table: str) -> int:
        """See `Copied.last_number`."""
        highest = f"SELECT coalesce(max({COUNTED[table]}), 0) FROM {table}"  # noqa: S608 -- as above
        given = "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0)"
        found = [
            await self._connection.fetchval(highest),
            await self._connection.fetchval(given, table, COUNTED[table]),
        ]
        return int(max(found))

    async def number_from(self, table: str, last: int) -> None:
        """See `Copied.number_from`."""
        if last:
            await self._connection.execute(
                "SELECT setval(pg_get_serial_sequence($1, $2), $3)", table, COUNTED[table], last
            )

    async def logs(self, games: Sequence[str]) -> Rows:
        """See `Copied.logs`."""
        found = await self._connection.fetch(
            """
            SELECT game, version, kind, codec, body, at FROM events WHERE game = ANY($1)
            ORDER BY game, version
            """,
            list(games),
        )
        return [tuple(row) for row in found]

    async def _types(self, table: str) -> dict[str, str]:
        found = await self._connection.fetch(
            """
            SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'
            """,
            table,
        )
        return {row["name"]: row["type"] for row in found}


@asynccontextmanager
async def copied_from(address: PostgresAddress) -> AsyncIterator[PostgresCopied]:
    """Read it in one transaction.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld` and `DatabaseUnusable`.
    """
    try:
        async with connected(address, longest=None, writes=False) as connection:
            await schema.require_current(connection, address)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                yield PostgresCopied(connection)
    except FAILURES as error:
        raise unusable(address, error) from None


@asynccontextmanager
async def copied_to(address: PostgresAddress) -> AsyncIterator[PostgresCopied]:
    """Fill it in one transaction.

    Raises `CopyRefused`, `DatabaseTooNew`, `DatabaseOfDevelopment` and `DatabaseUnusable`.
    """
    try:
        async with connected(address, longest=None) as connection:
            await schema.bring_up_to_date(connection, address)
            async with connection.transaction():
                copied = PostgresCopied(connection)
                for table in TABLES:
                    if table in BEGIN_WITH_A_ROW:
                        await connection.execute(f"DELETE FROM {table}")  # noqa: S608 -- as above
                    elif await copied.count(table):
                        raise CopyRefused(f"it is not empty: there are rows in {table}")
                yield copied
            await connection.execute("ANALYZE")
    except FAILURES as error:
        raise unusable(address, error) from None
