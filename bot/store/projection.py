"""The projection in SQLite: finished games applied one by one, written as results and ratings.

A seat's part in a game is one JSON value, written by its dataclasses' fields, so a new figure needs no
column. What leaderboards sort and sum by are columns generated from it (`won`, `best`, `best_hand`).
`bot.store.standings_queries` reads them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from bot.model.table_record import Occupant
from bot.standings.figures import VERSION
from bot.standings.ratings import Kind, Rating, RatingChange, rated
from bot.standings.results import GameResult, SeatResult, result_of
from bot.store import table_rows
from bot.store.database import Database
from engine import EngineError, Seat, to_plain

log = logging.getLogger(__name__)

TABLES = {
    "results": "number",
    "result_seats": "number, seat",
    "ratings": "guild, kind, user",
}
"""The tables of the projection, and the order of their rows."""

_NEXT = """
    SELECT finished.number, game, guild, (SELECT max(at) FROM events WHERE events.game = finished.game) AS at
    FROM finished JOIN games ON games.id = finished.game
    WHERE finished.number > (SELECT through FROM projection) ORDER BY finished.number LIMIT 1
"""


class SqliteProjection:
    """The `ProjectionStore` of a database that a store has opened, and closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_behind(self) -> bool:
        """See `ProjectionStore.is_behind`."""
        return await self._database.read(lambda connection: connection.execute(_NEXT).fetchone() is not None)

    async def apply_next(self) -> str | None:
        """See `ProjectionStore.apply_next`."""
        return await self._database.write(_apply_next)

    async def reset(self) -> None:
        """See `ProjectionStore.reset`."""

        def work(connection: sqlite3.Connection) -> None:
            for name in reversed(TABLES):
                connection.execute(f"DELETE FROM {name}")  # noqa: S608 -- this module's own names
            connection.execute("UPDATE projection SET through = 0, figures = ?", (VERSION,))

        await self._database.write(work)

    async def is_outdated(self) -> bool:
        """See `ProjectionStore.is_outdated`."""
        version = "SELECT figures FROM projection"
        found = await self._database.read(lambda connection: connection.execute(version).fetchone()[0])
        return bool(found != VERSION)

    async def fingerprint(self) -> str:
        """See `ProjectionStore.fingerprint`."""
        return await self._database.read(_fingerprint)


def rating(connection: sqlite3.Connection, guild: int, kind: Kind, user: int) -> Rating:
    """The person's rating, a newcomer's if there is none."""
    row = connection.execute(
        "SELECT mu, sigma, games FROM ratings WHERE guild = ? AND kind = ? AND user = ?",
        (guild, kind.value, user),
    ).fetchone()
    return Rating(*row) if row else Rating()


def _apply_next(connection: sqlite3.Connection) -> str | None:
    address = connection.execute(_NEXT).fetchone()
    if address is None:
        return None
    game: str = address["game"]
    players = table_rows.table(connection, game).occupants
    try:
        result = result_of(table_rows.log(connection, game))
    except EngineError as error:
        # Without its message and traceback, which may name a card that was never shown: the game may have
        # ended before its show.
        reason = type(error).__name__
        log.error("the log of %s cannot be read, and does not count in the standings: %s", game, reason)  # noqa: TRY400
        result = None
    if result is not None and len(players) == len(result.seats):
        people = [each.person for each in players if each.person is not None]
        if address["guild"] is not None and len(people) == len(players):
            result = _rate(connection, address["guild"], result, people)
        _insert(connection, address, result, players)
    connection.execute("UPDATE projection SET through = ?", (address["number"],))
    return game


def _insert(
    connection: sqlite3.Connection, address: sqlite3.Row, result: GameResult, players: Sequence[Occupant]
) -> None:
    """Write a result; `address` has the game's number, id, server and time.

    A seat that the computer played at the end is the computer's, even if a person sat there before.
    """
    connection.execute(
        """
        INSERT INTO results (number, game, guild, at, seats, winner, ending, deals, with_computer)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(address["number"], address["game"], address["guild"], address["at"]),
            *(len(result.seats), result.winner, result.ending.value, result.deals),
            any(each.level is not None for each in players),
        ),
    )
    connection.executemany(
        "INSERT INTO result_seats (number, seat, user, computer, part) VALUES (?, ?, ?, ?, ?)",
        [
            (
                *(address["number"], part.seat, player.person, player.level),
                json.dumps(to_plain(part), separators=(",", ":")),
            )
            for player, part in zip(players, result.seats, strict=True)
        ],
    )


def _rate(connection: sqlite3.Connection, guild: int, result: GameResult, users: Sequence[int]) -> GameResult:
    """Bring the players' ratings in the server up to date; the result, with what it did to them."""
    kind = Kind.of(len(result.seats))
    before = [[rating(connection, guild, kind, users[part.seat]) for part in side] for side in result.sides]
    after = rated(before, result.winner)
    seats: dict[Seat, SeatResult] = {}
    for side, olds, news in zip(result.sides, before, after, strict=True):
        for part, old, new in zip(side, olds, news, strict=True):
            change = RatingChange(before=old.shown, after=new.shown)
            seats[part.seat] = replace(part, rating=change)
            connection.execute(
                """
                INSERT INTO ratings (guild, kind, user, mu, sigma, games) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (guild, kind, user)
                DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games
                """,
                (guild, kind.value, users[part.seat], new.mu, new.sigma, new.games),
            )
    return replace(result, seats=tuple(seats[part.seat] for part in result.seats))


def _fingerprint(connection: sqlite3.Connection) -> str:
    digest = hashlib.sha256()
    for name, order in TABLES.items():
        for row in connection.execute(f"SELECT * FROM {name} ORDER BY {order}"):  # noqa: S608 -- as above
            digest.update(repr((name, *row)).encode())
    return digest.hexdigest()
