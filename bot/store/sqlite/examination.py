"""Looks through a database for what is damaged, and lists it; nothing is changed.

Everything is read as the bot reads it, from the pages of the file to the logs of all games.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot.model.errors import DamagedGame, DatabaseUnusable
from bot.model.table_record import Board
from bot.model.votes import Question
from bot.standings.careers import Career
from bot.standings.figures import BestHand
from bot.standings.results import SeatResult
from bot.store.damage import UNREADABLE, replayed
from bot.store.finished_games import is_rating
from bot.store.sqlite import decks, schema, table_rows
from bot.store.sqlite.damage import as_text
from engine import from_plain
from engine.computer import Level

_JSON = {
    "result_seats": ("part", SeatResult),
    "careers": ("career", Career),
    "tallies": ("best_hand", BestHand),
}
"""Tables of the standings that hold a JSON object of that kind."""


def damage_in(path: Path) -> Iterator[str]:
    """What is damaged, a line for each. Raises `DatabaseTooNew` and `DatabaseUnusable`."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = as_text
            schema.check(connection)
            if schema.is_old(connection):
                raise DatabaseUnusable(path, "an older bot has written it; start this one first")
            yield from _pages(connection)
            yield from _games(connection)
            yield from _standings(connection)
            yield from _settings(connection)
    except schema.ForeignDatabaseError:
        raise DatabaseUnusable(path, "it belongs to another program") from None
    except (sqlite3.Error, OSError) as error:
        raise DatabaseUnusable(path, str(error)) from error


def _pages(connection: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds, and rows that speak of a game that there is not."""
    for (found,) in connection.execute("PRAGMA integrity_check"):
        if found != "ok":
            yield f"the file: {found}"
    for row in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield f"{row[0]}: a row belongs to nothing in {row[2]}"


def _games(connection: sqlite3.Connection) -> Iterator[str]:
    for (number,) in connection.execute("SELECT number FROM games ORDER BY number").fetchall():
        try:
            [found] = table_rows.tables(connection, "number = ?", number)
            record = table_rows.sound(found)
            if record.version:
                replayed(record, table_rows.log(connection, record.game))
                decks.check_chain(connection, record.game)
            decks.deck(connection, record.game)
            table_rows.posts(connection, record.game)
            for deal in _deals(connection, "votes", record.game):
                for about in Question:
                    table_rows.votes(connection, record.game, deal, about)
            for deal in _deals(connection, "choices", record.game):
                table_rows.choices(connection, record.game, deal)
        except DamagedGame as error:
            yield str(error)


def _deals(connection: sqlite3.Connection, table: str, game: str) -> list[int]:
    found = connection.execute(f"SELECT DISTINCT deal FROM {table} WHERE game = ?", (game,))  # noqa: S608 -- this module's own names
    return [deal for (deal,) in found.fetchall()]


def _standings(connection: sqlite3.Connection) -> Iterator[str]:
    for table, (column, kind) in _JSON.items():
        for user, plain in connection.execute(f"SELECT user, {column} FROM {table}"):  # noqa: S608 -- as above
            try:
                if plain is not None:
                    from_plain(kind, json.loads(plain))
            except UNREADABLE:
                yield f"{table}: {column} cannot be read (of {user})"
    for user, *rating in connection.execute("SELECT user, mu, sigma, games FROM ratings"):
        if not is_rating(*rating):
            yield f"ratings: nobody can have come to the rating of {user}"
    levels = {level.value for level in Level}
    for (level,) in connection.execute("SELECT DISTINCT level FROM computer_records"):
        if level not in levels:
            yield f"computer_records: there is no level {level!r}"


def _settings(connection: sqlite3.Connection) -> Iterator[str]:
    boards = {board.value for board in Board}
    for guild, board in connection.execute("SELECT guild, board FROM servers"):
        if board not in boards:
            yield f"servers: there is no board {board!r} (of {guild})"
