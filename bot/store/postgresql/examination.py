"""Looks through a PostgreSQL database for what is damaged, and lists it; nothing is changed.

Everything is read as the bot reads it. The pages of its files are the server's own matter: `pg_amcheck`, and
checksums, which a cluster has or has not.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from bot.model.database_address import PostgresAddress
from bot.model.errors import DamagedGame, DatabaseUnusable
from bot.model.votes import Question
from bot.standings.careers import Career
from bot.standings.figures import BestHand
from bot.standings.results import SeatResult
from bot.store.damage import UNREADABLE, replayed
from bot.store.finished_games import is_rating
from bot.store.postgresql import decks, schema, table_rows
from bot.store.postgresql.database import Connection, connected, unusable
from engine import from_plain
from engine.computer import Level

_JSON = {
    "result_seats": ("part", SeatResult),
    "careers": ("career", Career),
    "tallies": ("best_hand", BestHand),
}
"""Tables of the standings that hold a JSON object of that kind."""

_AT_ONCE = 500
"""Rows that are read at once."""


async def damage_in(address: PostgresAddress) -> tuple[str, ...]:
    """What is damaged, a line for each. Raises `DatabaseTooNew` and `DatabaseUnusable`."""
    try:
        async with connected(address, longest=None) as connection:
            await schema.require_server(connection, address)
            if await schema.migration_of(connection, address) != len(schema.migrations()):
                raise DatabaseUnusable(address, "an older bot has written it; start this one first")
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return (
                    *[each async for each in _games(connection)],
                    *[each async for each in _standings(connection)],
                )
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        raise unusable(address, error) from None


async def _games(connection: Connection) -> AsyncIterator[str]:
    for row in await connection.fetch("SELECT number FROM games ORDER BY number"):
        try:
            [found] = await table_rows.tables(connection, "number = $1", row["number"])
            record = table_rows.sound(found)
            if record.version:
                replayed(record, await table_rows.log(connection, record.game))
                await decks.check_chain(connection, record.game)
            await decks.deck(connection, record.game)
            await table_rows.posts(connection, record.game)
            for deal in await _deals(connection, "votes", record.game):
                for about in Question:
                    await table_rows.votes(connection, record.game, deal, about)
            for deal in await _deals(connection, "choices", record.game):
                await table_rows.choices(connection, record.game, deal)
        except DamagedGame as error:
            yield str(error)


async def _deals(connection: Connection, table: str, game: str) -> list[int]:
    rows = await connection.fetch(f"SELECT DISTINCT deal FROM {table} WHERE game = $1", game)  # noqa: S608 -- this module's own names
    return [row["deal"] for row in rows]


async def _standings(connection: Any) -> AsyncIterator[str]:
    for table, (column, kind) in _JSON.items():
        rows = connection.cursor(f'SELECT "user", {column} AS plain FROM {table}', prefetch=_AT_ONCE)  # noqa: S608 -- as above
        async for row in rows:
            try:
                if row["plain"] is not None:
                    from_plain(kind, json.loads(row["plain"]))
            except UNREADABLE:
                yield f"{table}: {column} cannot be read (of {row['user']})"
    for user, *rating in await connection.fetch('SELECT "user", mu, sigma, games FROM ratings'):
        if not is_rating(*rating):
            yield f"ratings: nobody can have come to the rating of {user}"
    levels = {level.value for level in Level}
    for (level,) in await connection.fetch("SELECT DISTINCT level FROM computer_records"):
        if level not in levels:
            yield f"computer_records: there is no level {level!r}"
