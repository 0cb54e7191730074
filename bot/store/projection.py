"""The projection: finished games, applied one by one to results, sums and ratings.

A seat's part in a game is one JSON value, written by its dataclasses' fields, so a new figure needs no
column. `tallied` keeps each person's sums, `rated` the ratings; `standings_queries` reads them.

Sums and ratings exist in two editions (blue-green). One is read, and follows the games. When the figures have
a new version, the other is built in small steps, and then swapped in:

1. delete what an earlier attempt has left in it;
2. statistics, from the newest game down: each result is computed from its log again. Games that end in the
   meantime are added at the other end of both editions;
3. ratings, which depend on the order of the games, from the oldest up;
4. swap the editions, in one transaction;
5. delete the old edition.

Each step locks the row of the table `projection` first, so that steps are serialised across processes.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import Any, TypeAlias

from bot.model.errors import DamagedGame
from bot.standings.figures import VERSION
from bot.standings.results import GameResult, result_of
from bot.store import rated, tables, tallied, wall
from bot.store.connection import Connection, Database, Row
from bot.store.finished_games import LATEST, FinishedGame, plain
from engine import EngineError

log = logging.getLogger(__name__)

RESULTS = {"results": "number", "result_seats": "number, seat"}
"""By table of results: the order of its rows."""

EDITIONS = {
    "careers": 'guild, "user"',
    "computer_records": 'guild, "user", level COLLATE "C"',
    "tallies": 'guild, month, kind COLLATE "C", "user"',
    "rating_changes": "number, seat",
    "ratings": 'guild, kind COLLATE "C", "user"',
}
"""By table with two editions: the order of an edition's rows."""

_AT_ONCE = 200
"""Rows deleted in a transaction."""

_RATED_AT_ONCE = 20
"""Games rated in a transaction."""

_FINISHED = """
    SELECT finished.number, game, guild, (SELECT max(at) FROM events WHERE events.game = finished.game) AS at
    FROM finished JOIN games ON games.id = finished.game
"""
_AFTER = "WHERE finished.number > (SELECT through FROM projection) ORDER BY finished.number LIMIT 1"
_NEXT = _FINISHED + _AFTER
_BEFORE = _FINISHED + "WHERE finished.number < $1 ORDER BY finished.number DESC LIMIT 1"

_LEAVING = "SELECT 1 FROM leaving LIMIT 1"

_FOR_DELETION = 1.0
"""Pause (s) of a recount while the deletion of a person's data is under way, which goes first."""

_LAST = "SELECT coalesce(max(number), 0) FROM finished"

Found: TypeAlias = tuple[Any, GameResult | None]
"""A row of `_FINISHED`, and the game's result; `None` if its log cannot be read."""


class SqlProjection:
    """See `ProjectionStore`. The database belongs to the `Store`, which closes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_behind(self) -> bool:
        """See `ProjectionStore.is_behind`."""
        return await self._database.read_one(lambda connection: connection.fetchrow(_NEXT)) is not None

    async def apply_next(self) -> str | None:
        """See `ProjectionStore.apply_next`."""
        # The result is computed before the lock is taken, since that takes milliseconds.
        found = await self._database.read_slow(_next_to_apply)
        if found is None:
            return None
        return await self._database.write(lambda connection: apply_next(connection, found))

    async def recount(self) -> bool:
        """See `ProjectionStore.recount`."""
        if not await self._database.read_slow(_is_outdated):
            return await self._database.write(_clear_old)
        if await self._database.read_one(lambda connection: connection.fetchval(_LEAVING)) is not None:
            await asyncio.sleep(_FOR_DELETION)
            return True
        # As above; the log of a finished game does not change.
        found = await self._database.read_slow(_next_to_count)
        return await self._database.write(lambda connection: _recount(connection, found))

    async def invalidate(self) -> None:
        """See `ProjectionStore.invalidate`."""
        await self._database.write(_invalidate)

    async def is_outdated(self) -> bool:
        """See `ProjectionStore.is_outdated`."""
        return await self._database.read_slow(_is_outdated)

    async def fingerprint(self) -> str:
        """See `ProjectionStore.fingerprint`."""
        return await self._database.read_slow(_fingerprint)


async def apply_next(connection: Connection, found: Found | None = None) -> str | None:
    """Apply the next finished game, and return its id; `None` if there is none. Inside a transaction.

    `found` is that game with its result, if that was computed before.
    """
    state = await _locked(connection)
    address = await connection.fetchrow(_NEXT)
    if address is None:
        return None
    game: str = address["game"]
    number: int = address["number"]
    known = "SELECT 1 FROM results WHERE number = $1 OR game = $2"
    if await connection.fetchval(known, number, game) is not None:
        log.error("the standings do not go with the games any more, and are computed again")
        await _invalidate(connection)
    else:
        is_known = found is not None and found[0]["number"] == number
        result = found[1] if found is not None and is_known else await _result(connection, game)
        finished = await _finished(connection, address, result)
        if finished is not None:
            await enter(connection, state, finished)
    await connection.execute("UPDATE projection SET through = $1", number)
    return game


async def enter(connection: Connection, state: Row, game: FinishedGame) -> None:
    """Add a game, which is newer than all others, to results, sums, ratings and wall.

    A variant is in the results alone.
    """
    await _write_result(connection, game)
    if game.result.is_variant:
        return
    await tallied.add(connection, state["edition"], game)
    await rated.rate(connection, state["edition"], game.number)
    await wall.write(connection, game)
    if state["next_figures"] is not None:
        await tallied.add(connection, 1 - state["edition"], game)


async def _invalidate(connection: Connection) -> None:
    await connection.execute("UPDATE projection SET figures = 0, next_figures = NULL")


async def _locked(connection: Connection) -> Row:
    """Lock the projection's row until the transaction ends, and return it."""
    row: Row = await connection.fetchrow("SELECT * FROM projection FOR NO KEY UPDATE")
    return row


async def _is_outdated(connection: Connection) -> bool:
    state = await connection.fetchrow("SELECT * FROM projection")
    last = await connection.fetchval(_LAST)
    is_damaged = state["through"] > last or state["edition"] not in {0, 1}
    return bool(state["figures"] != VERSION or is_damaged)


async def _next_to_apply(connection: Connection) -> Found | None:
    """The next finished game to apply, with its result."""
    address = await connection.fetchrow(_NEXT)
    return None if address is None else (address, await _result(connection, address["game"]))


async def _next_to_count(connection: Connection) -> Found | None:
    """The newest game that is missing in the new edition's statistics, with its result."""
    state = await connection.fetchrow("SELECT * FROM projection")
    if state["next_figures"] != VERSION:
        return None
    address = await connection.fetchrow(_BEFORE, state["down_to"])
    return None if address is None else (address, await _result(connection, address["game"]))


async def _recount(connection: Connection, found: Found | None) -> bool:
    """Take one step of building the other edition. True if there is more to do.

    `found` was read before the lock was taken, and another process may have taken this step since.
    """
    state = await _locked(connection)
    if not await _is_outdated(connection):
        return True
    if await connection.fetchval(_LEAVING) is not None:
        return True  # wait until the deletion of a person's data is complete
    if state["next_figures"] != VERSION:
        await connection.execute(
            """
            UPDATE projection SET next_figures = NULL, through = least(through, $1),
                edition = CASE edition WHEN 1 THEN 1 ELSE 0 END
            """,  # drops an attempt with an older version, and repairs damaged values
            await connection.fetchval(_LAST),
        )
        if not await _clear(connection, await _locked(connection)):
            await connection.execute(
                "UPDATE projection SET next_figures = $1, down_to = through + 1, rated = 0", VERSION
            )
        return True
    other = 1 - state["edition"]
    due = await connection.fetchrow(_BEFORE, state["down_to"])
    if due is not None:
        if found is not None and found[0]["number"] == due["number"]:
            await _count(connection, other, found)
        return True
    rows = await connection.fetch(
        "SELECT number FROM results WHERE number > $1 ORDER BY number LIMIT $2",
        *(state["rated"], _RATED_AT_ONCE),
    )
    for row in rows:
        await rated.rate(connection, other, row["number"])
    if rows:
        await connection.execute("UPDATE projection SET rated = $1", rows[-1]["number"])
    else:
        await connection.execute(
            "UPDATE projection SET edition = $1, figures = next_figures, next_figures = NULL", other
        )
        log.info("the standings are computed again, and read from now on")
    return True


async def _count(connection: Connection, edition: int, found: Found) -> None:
    """Add one game to the edition's statistics."""
    address, result = found
    game = await _finished(connection, address, result)
    if game is not None:
        await _write_result(connection, game)
        if not game.result.is_variant:
            await tallied.add(connection, edition, game)
            await wall.write(connection, game)
    await connection.execute("UPDATE projection SET down_to = $1", address["number"])


async def _clear_old(connection: Connection) -> bool:
    return await _clear(connection, await _locked(connection))


async def _clear(connection: Connection, state: Row) -> bool:
    """Delete some rows of the edition that is not read. True if there were any."""
    for name, order in EDITIONS.items():
        key = order.replace(' COLLATE "C"', "")
        some = connection.dialect.some(name, f"edition, {key}", "edition = $1", _AT_ONCE)
        if await connection.fetch(f"DELETE FROM {name} WHERE {some} RETURNING 1", 1 - state["edition"]):  # noqa: S608 -- this module's own names
            return True
    return False


async def _result(connection: Connection, game: str) -> GameResult | None:
    try:
        with_computer = "SELECT 1 FROM seats WHERE game = $1 AND computer IS NOT NULL LIMIT 1"
        is_judged = await connection.fetchval(with_computer, game) is None
        return result_of(await tables.log(connection, game), is_judged=is_judged)
    except (DamagedGame, EngineError) as error:
        # Without its message and traceback, which may name a card that was never shown: the game may have
        # ended before its show.
        reason = type(error).__name__
        log.error("the log of %s cannot be read, and does not count in the standings: %s", game, reason)  # noqa: TRY400
        return None


async def _finished(connection: Connection, address: Row, result: GameResult | None) -> FinishedGame | None:
    """The game; `None` without a result that fits its seats."""
    if result is None:
        return None
    players = (await tables.table(connection, address["game"])).occupants
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


async def _write_result(connection: Connection, game: FinishedGame) -> None:
    """Write a game's result, replacing an earlier one.

    A seat that the computer played at the end counts as the computer's, even if a person sat there before.
    """
    result = game.result
    other = "(SELECT number FROM results WHERE game = $1 AND number != $2)"  # a damaged row
    for name in ("rating_changes", "result_seats", "results"):
        await connection.execute(f"DELETE FROM {name} WHERE number IN {other}", game.game, game.number)  # noqa: S608 -- as above
    await connection.execute(
        """
        INSERT INTO results
            (number, game, guild, at, seats, winner, ending, deals, with_computer, long_enough)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (number) DO UPDATE SET
            winner = excluded.winner, ending = excluded.ending, deals = excluded.deals,
            with_computer = excluded.with_computer, long_enough = excluded.long_enough
        """,
        *(game.number, game.game, game.guild, game.at, len(result.seats)),
        *(result.winner, result.ending.value, result.deals),
        *(bool(game.levels), result.can_be_rated),
    )
    await connection.executemany(
        """
        INSERT INTO result_seats (number, seat, "user", computer, part) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (number, seat) DO UPDATE SET part = excluded.part
        """,
        [
            (game.number, part.seat, player.person, player.level and player.level.value, plain(part))
            for player, part in zip(game.players, result.seats, strict=True)
        ],
    )


async def _fingerprint(connection: Connection) -> str:
    digest = hashlib.sha256()
    edition = await connection.fetchval("SELECT edition FROM projection")
    for name, order in (RESULTS | EDITIONS).items():
        where = f"WHERE edition = {edition}" if name in EDITIONS else ""
        rows = connection.cursor(f"SELECT * FROM {name} {where} ORDER BY {order}")  # noqa: S608 -- as above
        async for row in rows:
            values = [value for column, value in zip(row.keys(), row, strict=True) if column != "edition"]
            digest.update(repr((name, *values)).encode())
    return digest.hexdigest()
