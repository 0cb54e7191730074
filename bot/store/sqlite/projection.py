"""The projection in SQLite: finished games applied one by one, written as results and added to what is kept.

A seat's part in a game is one JSON value, written by its dataclasses' fields, so a new figure needs no
column. What each person's games come to is kept in `tallied` beside this, and ratings in `rated`;
`standings_queries` reads them.

Both of these exist in two editions. One is read, and follows the games. When the figures have another
version, the other one is made in small steps, and then read instead:

1. what an earlier attempt has left in it is removed;
2. statistics, from the newest game down: each result is computed from its log again. Games that end meanwhile
   are added at the other end of both editions;
3. ratings, which follow from the order of the games, from the oldest up, until none is missing;
4. in one transaction it becomes the one that is read;
5. what the old one had is removed.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3

from bot.model.errors import DamagedGame
from bot.model.table_record import Occupant
from bot.standings.figures import VERSION
from bot.standings.results import GameResult, result_of
from bot.store.finished_games import LATEST, FinishedGame, plain
from bot.store.sqlite import rated, table_rows, tallied, wall
from bot.store.sqlite.database import Database
from engine import EngineError

log = logging.getLogger(__name__)

RESULTS = {"results": "number", "result_seats": "number, seat"}
"""The tables of what each game came to, and the order of their rows."""

EDITIONS = {
    "careers": "guild, user",
    "computer_records": "guild, user, level",
    "tallies": "guild, month, kind, user",
    "rating_changes": "number, seat",
    "ratings": "guild, kind, user",
}
"""The tables that have two editions, and the order of an edition's rows."""

_AT_ONCE = 200
"""Rows that are removed in a transaction."""
_RATED_AT_ONCE = 20
"""Games that are rated in a transaction."""

_FINISHED = """
    SELECT finished.number, game, guild, (SELECT max(at) FROM events WHERE events.game = finished.game) AS at
    FROM finished JOIN games ON games.id = finished.game
"""
_AFTER = "WHERE finished.number > (SELECT through FROM projection) ORDER BY finished.number LIMIT 1"
_NEXT = _FINISHED + _AFTER
_BEFORE = _FINISHED + "WHERE finished.number < ? ORDER BY finished.number DESC LIMIT 1"


class SqliteProjection:
    """The `ProjectionStore` of a database that a store has opened, and closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_behind(self) -> bool:
        """See `ProjectionStore.is_behind`."""
        return await self._database.read(lambda connection: connection.execute(_NEXT).fetchone() is not None)

    async def apply_next(self) -> str | None:
        """See `ProjectionStore.apply_next`."""
        # As below the log is read and counted beside the writer.
        found = await self._database.study(_next_to_apply)
        return (
            None
            if found is None
            else await self._database.write(lambda connection: apply_next(connection, found))
        )

    async def recount(self) -> bool:
        """See `ProjectionStore.recount`."""
        if not await self._database.study(_is_outdated):
            return await self._database.write(lambda connection: _clear(connection, _state(connection)))
        # The log is read and counted beside the writer: of a game that is over it does not change.
        found = await self._database.study(_next_to_count)
        return await self._database.write(lambda connection: _recount(connection, found))

    async def outdate(self) -> None:
        """See `ProjectionStore.outdate`."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE projection SET figures = 0, next_figures = NULL")
        )

    async def is_outdated(self) -> bool:
        """See `ProjectionStore.is_outdated`."""
        return await self._database.study(_is_outdated)

    async def fingerprint(self) -> str:
        """See `ProjectionStore.fingerprint`."""
        return await self._database.study(_fingerprint)


def apply_next(
    connection: sqlite3.Connection, found: tuple[sqlite3.Row, GameResult | None] | None = None
) -> str | None:
    """Count the next finished game, inside somebody's transaction: which one; `None` when there is none.

    `found` is that game with its result, where that is known already.
    """
    address = connection.execute(_NEXT).fetchone()
    if address is None:
        return None
    game: str = address["game"]
    number: int = address["number"]
    if connection.execute("SELECT 1 FROM results WHERE number = ? OR game = ?", (number, game)).fetchone():
        log.error("the standings do not go with the games any more, and are computed again")
        connection.execute("UPDATE projection SET figures = 0, next_figures = NULL")
    else:
        is_known = found is not None and found[0]["number"] == number
        result = found[1] if found is not None and is_known else _result(connection, game)
        finished = _finished(connection, address, result)
        if finished is not None:
            enter(connection, finished)
    connection.execute("UPDATE projection SET through = ?", (number,))
    return game


def enter(connection: sqlite3.Connection, game: FinishedGame) -> None:
    """Write the result of a game that is newer than all, and add it to what is kept."""
    _write_result(connection, game)
    state = _state(connection)
    tallied.add(connection, state["edition"], game)
    rated.rate(connection, state["edition"], game.number)
    wall.write(connection, game)
    if state["next_figures"] is not None:
        tallied.add(connection, 1 - state["edition"], game)


def _is_outdated(connection: sqlite3.Connection) -> bool:
    state = _state(connection)
    is_damaged = state["through"] > _last(connection) or state["edition"] not in {0, 1}
    return bool(state["figures"] != VERSION or is_damaged)


def _last(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("SELECT ifnull(max(number), 0) FROM finished").fetchone()[0]
    return number


def _state(connection: sqlite3.Connection) -> sqlite3.Row:
    row: sqlite3.Row = connection.execute("SELECT * FROM projection").fetchone()
    return row


def _next_to_apply(connection: sqlite3.Connection) -> tuple[sqlite3.Row, GameResult | None] | None:
    """The next finished game that was not counted, with its result."""
    address = connection.execute(_NEXT).fetchone()
    return None if address is None else (address, _result(connection, address["game"]))


def _next_to_count(connection: sqlite3.Connection) -> tuple[sqlite3.Row, GameResult | None] | None:
    """The newest game that the edition in the making has no statistics of, with its result."""
    state = _state(connection)
    if state["next_figures"] != VERSION:
        return None
    address = connection.execute(_BEFORE, (state["down_to"],)).fetchone()
    return None if address is None else (address, _result(connection, address["game"]))


def _recount(connection: sqlite3.Connection, found: tuple[sqlite3.Row, GameResult | None] | None) -> bool:
    """One step of making the other edition; whether anything is left to do."""
    state = _state(connection)
    other = 1 - state["edition"]
    if connection.execute("SELECT 1 FROM leaving").fetchone() is not None:
        return True  # who is being forgotten is half gone: this waits
    if state["next_figures"] != VERSION:
        connection.execute(
            """
            UPDATE projection SET next_figures = NULL, through = min(through, ?), edition = (edition = 1)
            """,  # of a version between, and what is damaged
            (_last(connection),),
        )
        state = _state(connection)
        if not _clear(connection, state):
            connection.execute(
                "UPDATE projection SET next_figures = ?, down_to = through + 1, rated = 0", (VERSION,)
            )
        return True
    if found is not None:
        address, result = found
        if connection.execute(_BEFORE, (state["down_to"],)).fetchone()["number"] != address["number"]:
            return True  # somebody else has counted it meanwhile
        game = _finished(connection, address, result)
        if game is not None:
            _write_result(connection, game)
            tallied.add(connection, other, game)
            wall.write(connection, game)
        connection.execute("UPDATE projection SET down_to = ?", (address["number"],))
        return True
    numbers = connection.execute(
        "SELECT number FROM results WHERE number > ? ORDER BY number LIMIT ?",
        (state["rated"], _RATED_AT_ONCE),
    ).fetchall()
    for (number,) in numbers:
        rated.rate(connection, other, number)
        connection.execute("UPDATE projection SET rated = ?", (number,))
    if not numbers:
        connection.execute(
            "UPDATE projection SET edition = ?, figures = next_figures, next_figures = NULL", (other,)
        )
        log.info("the standings are computed again, and read from now on")
    return True


def _clear(connection: sqlite3.Connection, state: sqlite3.Row) -> bool:
    """Remove some of the edition that is not read; whether there was anything."""
    for name, key in EDITIONS.items():
        removed = connection.execute(
            f"""
            DELETE FROM {name} WHERE edition = :edition AND ({key}) IN (
                SELECT {key} FROM {name} WHERE edition = :edition LIMIT {_AT_ONCE})
            """,  # noqa: S608 -- this module's own names
            {"edition": 1 - state["edition"]},
        )
        if removed.rowcount:
            return True
    return False


def _result(connection: sqlite3.Connection, game: str) -> GameResult | None:
    try:
        people_alone = "SELECT 1 FROM seats WHERE game = ? AND computer IS NOT NULL"
        is_judged = connection.execute(people_alone, (game,)).fetchone() is None
        return result_of(table_rows.log(connection, game), is_judged=is_judged)
    except (DamagedGame, EngineError) as error:
        # Without its message and traceback, which may name a card that was never shown: the game may have
        # ended before its show.
        reason = type(error).__name__
        log.error("the log of %s cannot be read, and does not count in the standings: %s", game, reason)  # noqa: TRY400
        return None


def _finished(
    connection: sqlite3.Connection, address: sqlite3.Row, result: GameResult | None
) -> FinishedGame | None:
    """The game, where it has a result that goes with its seats."""
    if result is None:
        return None
    players: tuple[Occupant, ...] = table_rows.table(connection, address["game"]).occupants
    if len(players) != len(result.seats) or not 0 <= address["at"] < LATEST:
        return None
    return FinishedGame(
        number=address["number"],
        game=address["game"],
        guild=address["guild"],
        at=address["at"],
        result=result,
        players=players,
    )


def _write_result(connection: sqlite3.Connection, game: FinishedGame) -> None:
    """Write what a game came to, in place of what was written before.

    A seat that the computer played at the end is the computer's, even if a person sat there before.
    """
    result = game.result
    other = "(SELECT number FROM results WHERE game = ? AND number != ?)"  # what is damaged
    for name in ("rating_changes", "result_seats", "results"):
        connection.execute(f"DELETE FROM {name} WHERE number IN {other}", (game.game, game.number))  # noqa: S608 -- as above
    connection.execute(
        """
        INSERT INTO results
            (number, game, guild, at, seats, winner, ending, deals, with_computer, long_enough)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET
            winner = excluded.winner, ending = excluded.ending, deals = excluded.deals,
            with_computer = excluded.with_computer, long_enough = excluded.long_enough
        """,
        (
            *(game.number, game.game, game.guild, game.at, len(result.seats)),
            *(result.winner, result.ending.value, result.deals),
            *(bool(game.levels), result.is_long_enough),
        ),
    )
    connection.executemany(
        """
        INSERT INTO result_seats (number, seat, user, computer, part) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (number, seat) DO UPDATE SET part = excluded.part
        """,
        [
            (
                *(game.number, part.seat, player.person, player.level),
                plain(part),
            )
            for player, part in zip(game.players, result.seats, strict=True)
        ],
    )


def _fingerprint(connection: sqlite3.Connection) -> str:
    digest = hashlib.sha256()
    edition = _state(connection)["edition"]
    for name, order in (RESULTS | EDITIONS).items():
        where = f"WHERE edition = {edition}" if name in EDITIONS else ""
        for row in connection.execute(f"SELECT * FROM {name} {where} ORDER BY {order}"):  # noqa: S608 -- as above
            values = [value for key, value in zip(row.keys(), row, strict=True) if key != "edition"]
            digest.update(repr((name, *values)).encode())
    return digest.hexdigest()
