"""The standings in the SQLite file of the games: each call is one function, run whole as one transaction."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from bot.standings.careers import Record
from bot.standings.figures import VERSION
from bot.standings.leaderboards import Board, Span, Tally, month_of
from bot.standings.ratings import Kind, Rating
from bot.standings.results import Appearance, result_of
from bot.store import person_rows, result_rows, rows
from bot.store.database import Database
from engine import EngineError
from engine.computer import Level

log = logging.getLogger(__name__)

_NEXT = """
    SELECT finished.number, game, guild, (SELECT max(at) FROM events WHERE events.game = finished.game) AS at
    FROM finished JOIN games ON games.id = finished.game
    WHERE finished.number > (SELECT through FROM projection) ORDER BY finished.number LIMIT 1
"""

_TALLIES = """
    WITH counted AS (
        SELECT result_seats.*, game FROM results JOIN result_seats USING (number)
        WHERE guild = :guild AND at >= :since AND at < :until AND user >= 0 AND NOT with_computer
        AND (:kind IS NULL OR (seats = 2) = (:kind = 'two'))
    ), hands AS (
        SELECT user, best, best_cards, best_starter,
            row_number() OVER (PARTITION BY user ORDER BY best DESC, number) AS place
        FROM counted WHERE best IS NOT NULL
    ), sums AS (
        -- SQLite takes the other columns from the row of the highest number: the last game.
        SELECT user, game, seat, max(number), count(*) AS games, sum(won) AS wins FROM counted GROUP BY user
    )
    SELECT sums.user, name, hidden.user IS NOT NULL AS hidden, sums.games, wins,
        best, best_cards, best_starter, mu, sigma, ratings.games AS rated
    FROM sums JOIN seats USING (game, seat)
    LEFT JOIN hands ON hands.user = sums.user AND place = 1
    LEFT JOIN hidden ON hidden.user = sums.user
    LEFT JOIN ratings ON ratings.guild = :guild AND ratings.user = sums.user AND kind = :kind
"""


class SqliteStandings:
    """The `Standings` of a database that a store has opened, and closes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the time in seconds since 1970."""
        self._database = database
        self._clock = clock

    async def is_behind(self) -> bool:
        """See `Standings.is_behind`."""
        return await self._database.read(lambda connection: connection.execute(_NEXT).fetchone() is not None)

    async def apply_next(self) -> str | None:
        """See `Standings.apply_next`."""
        return await self._database.write(_apply_next)

    async def begin_anew(self) -> None:
        """See `Standings.begin_anew`."""

        def work(connection: sqlite3.Connection) -> None:
            result_rows.clear(connection)
            connection.execute("UPDATE projection SET through = 0, figures = ?", (VERSION,))

        await self._database.write(work)

    async def is_outdated(self) -> bool:
        """See `Standings.is_outdated`."""
        version = "SELECT figures FROM projection"
        found = await self._database.read(lambda connection: connection.execute(version).fetchone()[0])
        return bool(found != VERSION)

    async def fingerprint(self) -> str:
        """See `Standings.fingerprint`."""
        return await self._database.read(result_rows.fingerprint)

    async def appearances(self, user: int, guild: int | None) -> tuple[Appearance, ...]:
        """See `Standings.appearances`."""
        return await self._database.read(lambda connection: result_rows.appearances(connection, user, guild))

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """See `Standings.against_computers`."""
        return await self._database.read(
            lambda connection: result_rows.against_computers(connection, user, guild)
        )

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """See `Standings.ratings`."""

        def work(connection: sqlite3.Connection) -> dict[Kind, Rating]:
            found = {kind: result_rows.rating(connection, guild, kind, user) for kind in Kind}
            return {kind: rating for kind, rating in found.items() if rating.games}

        return await self._database.read(work)

    async def tallies(self, guild: int, board: Board, span: Span) -> tuple[Tally, ...]:
        """See `Standings.tallies`."""
        first, following = month_of(self.now())
        is_month = span is Span.MONTH
        values = {
            "guild": guild,
            "since": first.timestamp() if is_month else 0,
            "until": following.timestamp() if is_month else 2**62,
            "kind": board.kind.value if board.kind else None,
        }

        def work(connection: sqlite3.Connection) -> tuple[Tally, ...]:
            return tuple(map(_tally, connection.execute(_TALLIES, values).fetchall()))

        return await self._database.read(work)

    async def is_hidden(self, user: int) -> bool:
        """See `Standings.is_hidden`."""
        return await self._database.read(
            lambda connection: (
                connection.execute("SELECT 1 FROM hidden WHERE user = ?", (user,)).fetchone() is not None
            )
        )

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """See `Standings.set_hidden`."""
        statement = (
            "INSERT OR IGNORE INTO hidden (user) VALUES (?)"
            if hidden
            else "DELETE FROM hidden WHERE user = ?"
        )
        await self._database.write(lambda connection: connection.execute(statement, (user,)))

    async def everything_about(self, user: int) -> dict[str, Any]:
        """See `Standings.everything_about`."""
        return await self._database.read(lambda connection: person_rows.everything_about(connection, user))

    async def open_games(self, user: int) -> tuple[str, ...]:
        """See `Standings.open_games`."""
        return await self._database.read(lambda connection: person_rows.open_games(connection, user))

    async def forget(self, user: int) -> tuple[str, ...]:
        """See `Standings.forget`."""
        now = int(self._clock())
        return await self._database.write(lambda connection: person_rows.forget(connection, user, now))

    async def scrub(self) -> None:
        """See `Standings.scrub`.

        SQLite leaves deleted text in unused parts of pages, so the file is written anew, and the
        write-ahead log emptied. What is due stays due if this fails.
        """
        due = "SELECT count(*) FROM scrubbing"
        if not await self._database.read(lambda connection: connection.execute(due).fetchone()[0]):
            return

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            connection.execute("DELETE FROM scrubbing")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await self._database.apart(work)

    def now(self) -> datetime:
        """See `Standings.now`."""
        return datetime.fromtimestamp(self._clock(), UTC)


def _apply_next(connection: sqlite3.Connection) -> str | None:
    address = connection.execute(_NEXT).fetchone()
    if address is None:
        return None
    game: str = address["game"]
    players = rows.table(connection, game).occupants
    try:
        result = result_of(rows.log(connection, game))
    except EngineError:
        log.exception("the log of %s cannot be read, so it does not count in the standings", game)
        result = None
    if result is not None and len(players) == len(result.seats):
        result_rows.insert(connection, address, result, players)
        people = [each.person for each in players if each.person is not None]
        if address["guild"] is not None and len(people) == len(players):
            result_rows.rate(connection, address["guild"], result, people)
    connection.execute("UPDATE projection SET through = ?", (address["number"],))
    return game


def _tally(row: sqlite3.Row) -> Tally:
    return Tally(
        user=row["user"],
        name=row["name"],
        hidden=bool(row["hidden"]),
        games=row["games"],
        wins=row["wins"],
        best=result_rows.best_hand(row["best"], row["best_cards"], row["best_starter"]),
        rating=Rating(row["mu"], row["sigma"], row["rated"]) if row["rated"] else Rating(),
    )
