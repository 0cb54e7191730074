"""The standings read from the projection in SQLite: careers, ratings and leaderboards.

All but rivalries are kept per person, so nothing here grows with the number of games.
"""
# ruff: noqa: S608 -- SQL of this module's own; what comes from outside is in the values

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

from bot.standings.careers import Career, Record, Rivalry
from bot.standings.history import History
from bot.standings.leaderboards import PAGE, Board, Leaderboard, Row, Span, month_of, pages_of
from bot.standings.ratings import COURSE, PROVISIONAL, Kind, Rating
from bot.standings.results import SeatRating
from bot.standings.wall import Wall
from bot.store.finished_games import ANY, EVERYWHERE, career_of, month_number
from bot.store.sqlite.database import Database
from bot.store.sqlite.history import history
from bot.store.sqlite.rated import rating
from bot.store.sqlite.wall import wall
from bot.store.tally_rows import records_of, seat_rating_of, tally_of
from engine.computer import Level

_EDITION = "(SELECT edition FROM projection)"

_CAREER = f"SELECT career FROM careers WHERE edition = {_EDITION} AND guild = ? AND user = ?"

_AGAINST_COMPUTERS = f"""
    SELECT level, games, wins FROM computer_records WHERE edition = {_EDITION} AND guild = ? AND user = ?
"""

_RIVALRY = """
    WITH both AS (
        SELECT mine.won, other.won AS lost,
            CASE WHEN json_valid(mine.part) AND json_valid(other.part)
                THEN json_extract(mine.part, '$.side') = json_extract(other.part, '$.side') END AS together
        FROM result_seats AS mine JOIN result_seats AS other USING (number) JOIN results USING (number)
        WHERE mine.user = ? AND other.user = ? AND guild = ? AND NOT with_computer
    )
    SELECT count(*) FILTER (WHERE NOT together) AS games,
        count(*) FILTER (WHERE NOT together AND won) AS won,
        count(*) FILTER (WHERE NOT together AND lost) AS lost,
        count(*) FILTER (WHERE together) AS together,
        count(*) FILTER (WHERE together AND won) AS won_together
    FROM both
"""

_SERVERS = f"""
    SELECT careers.guild, place FROM careers
    JOIN results ON results.number = last JOIN games ON games.id = results.game
    WHERE edition = {_EDITION} AND user = ? AND careers.guild != {EVERYWHERE} ORDER BY last DESC LIMIT 10
"""

_RATING_CHANGES = f"""
    SELECT before, after, hidden.user IS NOT NULL AS hidden FROM results JOIN result_seats USING (number)
    LEFT JOIN rating_changes ON rating_changes.number = results.number
        AND rating_changes.seat = result_seats.seat AND edition = {_EDITION}
    LEFT JOIN hidden ON hidden.user = result_seats.user WHERE game = ? ORDER BY result_seats.seat
"""

_COURSE = f"""
    SELECT before, after FROM result_seats JOIN results USING (number)
    JOIN rating_changes ON rating_changes.edition = {_EDITION}
        AND rating_changes.number = result_seats.number AND rating_changes.seat = result_seats.seat
    WHERE user = ? AND guild = ?
"""
_LATEST = f"ORDER BY result_seats.number DESC LIMIT {COURSE}"

_PEOPLE = f"""
    FROM tallies LEFT JOIN hidden ON hidden.user = tallies.user
    LEFT JOIN ratings ON ratings.edition = tallies.edition AND ratings.guild = tallies.guild
        AND ratings.kind = :kind AND ratings.user = tallies.user
    WHERE tallies.edition = {_EDITION} AND tallies.guild = :guild AND month = :month AND tallies.kind = :kind
"""

_COLUMNS = """
    SELECT tallies.user, name, hidden.user IS NOT NULL AS hidden, tallies.games, wins, best_hand,
        mu, sigma, ratings.games AS rated
"""

_HAS_PLACE = f"ifnull(ratings.games, 0) >= {PROVISIONAL}"

_BOARDS = {
    Board.RATING: ("ratings.shown", "ifnull(ratings.games, 0) > 0"),
    Board.MORE: ("ratings.shown", "ifnull(ratings.games, 0) > 0"),
    Board.WINS: ("wins", "wins > 0"),
    Board.RATE: ("CAST(wins AS REAL) / tallies.games", "tallies.games >= :enough"),
    Board.HAND: ("best", "best IS NOT NULL"),
}
"""By board: what it goes by, and whose games are enough for it. Equal shares are equal as floats, too."""


class SqliteStandingsQueries:
    """The `StandingsQueries` of a database that a store has opened, and closes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the time in seconds since 1970."""
        self._database = database
        self._clock = clock

    async def career(self, user: int, guild: int | None) -> Career:
        """See `StandingsQueries.career`."""

        def work(connection: sqlite3.Connection) -> Career:
            row = connection.execute(_CAREER, (_scope(guild), user)).fetchone()
            return Career() if row is None else career_of(row["career"])

        return await self._database.study(work)

    async def rivalry(self, first: int, second: int, guild: int) -> Rivalry:
        """See `StandingsQueries.rivalry`."""

        def work(connection: sqlite3.Connection) -> Rivalry:
            return Rivalry(**connection.execute(_RIVALRY, (first, second, guild)).fetchone())

        return await self._database.study(work)

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """See `StandingsQueries.against_computers`. The weakest level comes first."""

        def work(connection: sqlite3.Connection) -> dict[Level, Record]:
            rows = connection.execute(_AGAINST_COMPUTERS, (_scope(guild), user)).fetchall()
            return records_of(rows)

        return await self._database.study(work)

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """See `StandingsQueries.ratings`."""

        def work(connection: sqlite3.Connection) -> dict[Kind, Rating]:
            (edition,) = connection.execute(f"SELECT {_EDITION}").fetchone()
            found = {kind: rating(connection, edition, guild, kind, user) for kind in Kind}
            return {kind: each for kind, each in found.items() if each.games}

        return await self._database.study(work)

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """See `StandingsQueries.rating_changes`."""

        def work(connection: sqlite3.Connection) -> tuple[SeatRating | None, ...]:
            return tuple(map(seat_rating_of, connection.execute(_RATING_CHANGES, (game,)).fetchall()))

        return await self._database.study(work)

    async def history(
        self,
        user: int | None,
        guild: int | None,
        *,
        asker: int,
        before: int | None = None,
        after: int | None = None,
        is_cancelled: bool = False,
    ) -> History:
        """See `StandingsQueries.history`."""
        return await self._database.study(
            lambda connection: history(
                connection, user, guild, asker, before, after, is_cancelled=is_cancelled
            )
        )

    async def rating_course(self, user: int, guild: int, kind: Kind) -> tuple[int, ...]:
        """See `StandingsQueries.rating_course`."""
        is_kind = "seats = 2" if kind is Kind.TWO else "seats > 2"

        def work(connection: sqlite3.Connection) -> tuple[int, ...]:
            rows = connection.execute(f"{_COURSE} AND {is_kind} {_LATEST}", (user, guild)).fetchall()[::-1]
            return (rows[0]["before"], *(row["after"] for row in rows)) if rows else ()

        return await self._database.study(work)

    async def wall(self, guild: int, page: int = 0) -> Wall:
        """See `StandingsQueries.wall`."""
        return await self._database.study(lambda connection: wall(connection, guild, page))

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """See `StandingsQueries.servers`."""

        def work(connection: sqlite3.Connection) -> tuple[tuple[int, str], ...]:
            rows = connection.execute(_SERVERS, (user,)).fetchall()
            return tuple((row["guild"], row["place"]) for row in rows)

        return await self._database.study(work)

    async def leaderboard(
        self, guild: int, board: Board, span: Span, *, asker: int, page: int = 0
    ) -> Leaderboard:
        """See `StandingsQueries.leaderboard`."""
        now = self.now()
        values = {
            "guild": guild,
            "month": month_number(span, now.timestamp()),
            "kind": board.kind.value if board.kind else ANY,
            "enough": span.enough,
            "asker": asker,
        }
        return await self._database.study(
            lambda connection: _leaderboard(connection, board, span, page, now, values)
        )

    def now(self) -> datetime:
        """See `StandingsQueries.now`."""
        return datetime.fromtimestamp(self._clock(), UTC)


def _leaderboard(  # noqa: PLR0917 -- what is asked, and of whom
    connection: sqlite3.Connection,
    board: Board,
    span: Span,
    page: int,
    now: datetime,
    values: dict[str, object],
) -> Leaderboard:
    worth, is_listed = _BOARDS[board]
    has_place = _HAS_PLACE if board.kind else "1"
    listed = f"{_PEOPLE} AND {is_listed} AND hidden.user IS NULL"
    people, ranked = connection.execute(
        f"SELECT count(*), ifnull(sum({has_place}), 0) {listed}", values
    ).fetchone()
    page = min(page, pages_of(people) - 1)
    columns = f"{_COLUMNS}, {worth} AS worth, {has_place} AS has_place, ({is_listed}) AS listed"
    found = connection.execute(
        f"""
        {columns} {listed}
        ORDER BY has_place DESC, worth DESC, tallies.games DESC, name, tallies.user
        LIMIT {PAGE} OFFSET {page * PAGE}
        """,
        values,
    ).fetchall()
    own = connection.execute(f"{columns} {_PEOPLE} AND tallies.user = :asker", values).fetchone()

    places: dict[object, int] = {}

    def row_of(row: sqlite3.Row) -> Row:
        """The row with its place, which is that of everybody who is worth the same."""
        value = row["worth"]
        if row["has_place"] and value not in places:
            above = f"SELECT count(*) {listed} AND {has_place} AND {worth} > :worth"
            places[value] = 1 + connection.execute(above, {**values, "worth": value}).fetchone()[0]
        return Row(places[value] if row["has_place"] else None, tally_of(row))

    for number, (before, row) in enumerate(pairwise(found), 1):
        if row["has_place"] and before["worth"] != row["worth"]:
            places[row["worth"]] = page * PAGE + number + 1
    return Leaderboard(
        board=board,
        span=span,
        month=month_of(now),
        people=people,
        ranked=ranked,
        page=page,
        rows=tuple(map(row_of, found)),
        own=None if own is None else tally_of(own),
        own_row=row_of(own) if own is not None and own["listed"] and not own["hidden"] else None,
    )


def _scope(guild: int | None) -> int:
    return EVERYWHERE if guild is None else guild
