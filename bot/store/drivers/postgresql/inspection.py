"""Opens a PostgreSQL database read-only to look for damage.

Its pages are the server's own matter: `pg_amcheck`, and checksums, which a cluster has or has not.
"""

from __future__ import annotations

import asyncpg

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable
from bot.store.connection import Work
from bot.store.drivers.postgresql import schema
from bot.store.drivers.postgresql.database import connected, unusable


async def inspected(address: PostgresAddress, work: Work[tuple[str, ...]]) -> tuple[str, ...]:
    """The lines of `work`, on one state of the database. Raises `DatabaseTooNew` and `DatabaseUnusable`."""
    try:
        async with connected(address, longest=None) as connection:
            await schema.require_server(connection, address)
            if await schema.migration_of(connection, address) != schema.newest():
                raise DatabaseUnusable(address, "an older bot has written it; start this one first")
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await work(connection)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        raise unusable(address, error) from None
