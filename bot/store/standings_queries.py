"""The standings read from the projection in SQLite: careers, ratings and leaderboards."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime

from bot.standings.careers import Record
from bot.standings.figures import BestHand
from bot.standings.leaderboards import Board, Span, Tally, month_of
from bot.standings.ratings import Kind, Rating
from bot.standings.results import Appearance, SeatRating, SeatResult
from bot.store.database import Database
from bot.store.projection import rating
from engine import from_plain
from engine.computer import Level

_APPEARANCES = """
    SELECT number, part, seats FROM result_seats JOIN results USING (number)
    WHERE user = ? AND NOT with_computer AND (? IS NULL OR guild = ?) ORDER BY number
"""

_AGAINST_COMPUTERS = """
    SELECT won, (SELECT group_concat(computer) FROM result_seats AS other
                 WHERE other.number = result_seats.number) AS levels
    FROM result_seats JOIN results USING (number)
    WHERE user = ? AND with_computer AND (? IS NULL OR guild = ?)
"""

_SERVERS = """
    SELECT results.guild, games.place, max(result_seats.number) AS latest
    FROM result_seats JOIN results USING (number) JOIN games ON games.id = results.game
    WHERE user = ? AND NOT with_computer AND results.guild IS NOT NULL
    GROUP BY results.guild ORDER BY latest DESC LIMIT 10
"""

_RATING_CHANGES = """
    SELECT part, hidden.user IS NOT NULL AS hidden FROM results JOIN result_seats USING (number)
    LEFT JOIN hidden ON hidden.user = result_seats.user WHERE game = ? ORDER BY seat
"""

_TALLIES = """
    WITH counted AS (
        SELECT number, seat, user, won, best, best_hand, game FROM results JOIN result_seats USING (number)
        WHERE guild = :guild AND at >= :since AND at < :until AND user >= 0 AND NOT with_computer
        AND (:kind IS NULL OR (seats = 2) = (:kind = 'two'))
    ), hands AS (
        SELECT user, best_hand, row_number() OVER (PARTITION BY user ORDER BY best DESC, number) AS place
        FROM counted WHERE best IS NOT NULL
    ), sums AS (
        -- SQLite takes the other columns from the row of the highest number: the last game.
        SELECT user, game, seat, max(number), count(*) AS games, sum(won) AS wins FROM counted GROUP BY user
    )
    SELECT sums.user, name, hidden.user IS NOT NULL AS hidden, sums.games, wins,
        best_hand, mu, sigma, ratings.games AS rated
    FROM sums JOIN seats USING (game, seat)
    LEFT JOIN hands ON hands.user = sums.user AND place = 1
    LEFT JOIN hidden ON hidden.user = sums.user
    LEFT JOIN ratings ON ratings.guild = :guild AND ratings.user = sums.user AND kind = :kind
"""


class SqliteStandingsQueries:
    """The `StandingsQueries` of a database that a store has opened, and closes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the time in seconds since 1970."""
        self._database = database
        self._clock = clock

    async def appearances(self, user: int, guild: int | None) -> tuple[Appearance, ...]:
        """See `StandingsQueries.appearances`."""

        def work(connection: sqlite3.Connection) -> tuple[Appearance, ...]:
            return tuple(map(_appearance, connection.execute(_APPEARANCES, (user, guild, guild)).fetchall()))

        return await self._database.read(work)

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """See `StandingsQueries.against_computers`. The weakest level comes first."""

        def work(connection: sqlite3.Connection) -> dict[Level, Record]:
            order = list(Level)
            by_level: dict[Level, list[int]] = {level: [] for level in order}
            for row in connection.execute(_AGAINST_COMPUTERS, (user, guild, guild)).fetchall():
                strongest = max(map(Level, row["levels"].split(",")), key=order.index)
                by_level[strongest].append(row["won"])
            return {level: Record(len(won), sum(won)) for level, won in by_level.items() if won}

        return await self._database.read(work)

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """See `StandingsQueries.ratings`."""

        def work(connection: sqlite3.Connection) -> dict[Kind, Rating]:
            found = {kind: rating(connection, guild, kind, user) for kind in Kind}
            return {kind: each for kind, each in found.items() if each.games}

        return await self._database.read(work)

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """See `StandingsQueries.rating_changes`."""

        def work(connection: sqlite3.Connection) -> tuple[SeatRating | None, ...]:
            return tuple(map(_seat_rating, connection.execute(_RATING_CHANGES, (game,)).fetchall()))

        return await self._database.read(work)

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """See `StandingsQueries.servers`."""

        def work(connection: sqlite3.Connection) -> tuple[tuple[int, str], ...]:
            # SQLite takes the name from the row of the highest number: the last game.
            rows = connection.execute(_SERVERS, (user,)).fetchall()
            return tuple((row["guild"], row["place"]) for row in rows)

        return await self._database.read(work)

    async def tallies(self, guild: int, board: Board, span: Span) -> tuple[Tally, ...]:
        """See `StandingsQueries.tallies`."""
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

    def now(self) -> datetime:
        """See `StandingsQueries.now`."""
        return datetime.fromtimestamp(self._clock(), UTC)


def _appearance(row: sqlite3.Row) -> Appearance:
    part = from_plain(SeatResult, json.loads(row["part"]))
    return Appearance(number=row["number"], kind=Kind.of(row["seats"]), part=part)


def _seat_rating(row: sqlite3.Row) -> SeatRating | None:
    change = from_plain(SeatResult, json.loads(row["part"])).rating
    return None if change is None else SeatRating(change=change, is_hidden=bool(row["hidden"]))


def _tally(row: sqlite3.Row) -> Tally:
    hand = row["best_hand"]
    return Tally(
        user=row["user"],
        name=row["name"],
        hidden=bool(row["hidden"]),
        games=row["games"],
        wins=row["wins"],
        best=None if hand is None else from_plain(BestHand, json.loads(hand)),
        rating=Rating(row["mu"], row["sigma"], row["rated"]) if row["rated"] else Rating(),
    )
