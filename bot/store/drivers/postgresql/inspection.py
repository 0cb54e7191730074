"""Opens a PostgreSQL database read-only to check its rows.

Checking its pages is the server's task (checksums, `pg_amcheck`).
"""

from __future__ import annotations

from bot.model.database_address import PostgresAddress
from bot.store.connection import Work
from bot.store.drivers.postgresql import schema
from bot.store.drivers.postgresql.database import connected
from bot.store.drivers.postgresql.failures import FAILURES, unusable


async def inspected(address: PostgresAddress, work: Work[tuple[str, ...]]) -> tuple[str, ...]:
    """Lines of `work`, on one snapshot.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld` and `DatabaseUnusable`.
    """
    try:
        async with connected(address, longest=None, writes=False) as connection:
            await schema.require_current(connection, address)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await work(connection)
    except FAILURES as error:
        raise unusable(address, error) from None
