"""`check`: reads everything as the bot does, and lists the damage. Changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.errors import DamagedGame
from bot.model.table_record import Board
from bot.model.votes import Question
from bot.standings.careers import Career
from bot.standings.figures import VERSION, BestHand
from bot.standings.results import SeatResult
from bot.standings.seasons import zone_named
from bot.store import decks, tables
from bot.store.connection import Connection
from bot.store.damage import UNREADABLE, replayed
from bot.store.drivers.sqlite import inspection
from bot.store.finished_games import is_rating
from bot.store.opening import require_asyncpg
from engine import from_plain
from engine.computer import Level

_JSON = {
    "result_seats": ("part", SeatResult),
    "careers": ("career", Career),
    "tallies": ("best_hand", BestHand),
}
"""By table of the standings: its JSON column and the class that is stored there."""


async def damage_in(address: DatabaseAddress) -> tuple[str, ...]:
    """The damage, one line each.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld`, `DatabaseUnusable` and
    `LibraryLacking`.
    """
    if not isinstance(address, PostgresAddress):
        return inspection.inspected(address, _damage)
    require_asyncpg(address)
    from bot.store.drivers.postgresql.inspection import inspected  # noqa: PLC0415 -- only for PostgreSQL

    return await inspected(address, _damage)


async def _damage(connection: Connection) -> tuple[str, ...]:
    return (
        *[each async for each in _games(connection)],
        *[each async for each in _standings(connection)],
        *[each async for each in _settings(connection)],
    )


async def _games(connection: Connection) -> AsyncIterator[str]:
    for row in await connection.fetch("SELECT number FROM games ORDER BY number"):
        try:
            [found] = await tables.tables(connection, "number = $1", row["number"])
            record = tables.sound(found)
            if record.version:
                replayed(record, await tables.log(connection, record.game))
                if not await decks.is_chained(connection, record.game):
                    yield f"game {record.game}: its log can be read, but leads to another head than its own"
            await decks.deck(connection, record.game)
            await tables.posts(connection, record.game)
            for deal in await _deals(connection, "votes", record.game):
                for about in Question:
                    await tables.votes(connection, record.game, deal, about)
            for deal in await _deals(connection, "choices", record.game):
                await tables.choices(connection, record.game, deal)
        except DamagedGame as error:
            yield str(error)


async def _deals(connection: Connection, table: str, game: str) -> list[int]:
    rows = await connection.fetch(f"SELECT DISTINCT deal FROM {table} WHERE game = $1", game)  # noqa: S608 -- this module's own names
    return [row["deal"] for row in rows]


async def _standings(connection: Connection) -> AsyncIterator[str]:
    # What another version computed has its form, until the bot computes it again.
    is_current = await connection.fetchval("SELECT figures FROM projection") == VERSION
    for table, (column, kind) in _JSON.items() if is_current else ():
        rows = connection.cursor(f'SELECT "user", {column} AS plain FROM {table}')  # noqa: S608 -- as above
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


async def _settings(connection: Connection) -> AsyncIterator[str]:
    boards = {board.value for board in Board}
    for row in await connection.fetch("SELECT guild, board FROM servers"):
        if row["board"] not in boards:
            yield f"servers: there is no board {row['board']!r} (of {row['guild']})"
    for row in await connection.fetch("SELECT guild, zone FROM season_zones ORDER BY guild, month"):
        if zone_named(row["zone"]) is None:
            yield f"season_zones: there is no time zone {row['zone']!r} (of {row['guild']})"
