"""Queries on the projection: careers, ratings and leaderboards.

All but rivalries read one row per person, so their time does not grow with the number of games.
"""
# ruff: noqa: S608 -- SQL of this module's own; what comes from outside is in the values

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from itertools import pairwise

from bot.standings.careers import Career, OtherGame, Record, Rivalry
from bot.standings.history import History
from bot.standings.leaderboards import PAGE, Board, Leaderboard, Row, Span, Tally, month_of, pages_of
from bot.standings.milestones import Milestone
from bot.standings.ratings import COURSE, PROVISIONAL, Kind, Rating, RatingChange
from bot.standings.results import SeatRating
from bot.standings.seasons import Season, SeasonBoard
from bot.standings.wall import Wall
from bot.store import clubs, seasons
from bot.store.connection import Connection, Database
from bot.store.connection import Row as DatabaseRow
from bot.store.damage import leave_out
from bot.store.finished_games import ANY, EVERYWHERE, best_hand, career_of, is_rating, is_usual, month_number
from bot.store.history import history
from bot.store.milestones import milestones
from bot.store.rated import rating
from bot.store.wall import wall
from engine import MOST_USUAL_SEATS
from engine.computer import Level

_EDITION = "(SELECT edition FROM projection)"

_CAREER = f'SELECT career FROM careers WHERE edition = {_EDITION} AND guild = $1 AND "user" = $2'

_AGAINST_COMPUTERS = f"""
    SELECT level, games, wins FROM computer_records
    WHERE edition = {_EDITION} AND guild = $1 AND "user" = $2
"""

_RIVALRY = """
    WITH shared AS (
        SELECT mine.won, other.won AS lost, {mine} = {other} AS together
        FROM result_seats AS mine JOIN result_seats AS other USING (number) JOIN results USING (number)
        WHERE mine."user" = $1 AND other."user" = $2 AND {where} AND NOT with_computer
            AND {usual}
    )
    SELECT count(*) FILTER (WHERE NOT together) AS games,
        count(*) FILTER (WHERE NOT together AND won) AS won,
        count(*) FILTER (WHERE NOT together AND lost) AS lost,
        count(*) FILTER (WHERE together) AS together,
        count(*) FILTER (WHERE together AND won) AS won_together
    FROM shared
"""

_OTHER_GAMES = f"""
    SELECT preset, seats, count(*) AS games, count(*) FILTER (WHERE won) AS wins
    FROM result_seats JOIN results USING (number) JOIN games ON games.id = results.game
    WHERE "user" = $1 AND {{where}} AND NOT ({is_usual()})
    GROUP BY preset, seats ORDER BY games DESC, preset, seats
"""

_HERE = "guild = $3"
_IN_A_CHANNEL = "game IN (SELECT id FROM games WHERE venue = 'anywhere' AND channel = $3)"

_SERVERS = f"""
    SELECT careers.guild, place FROM careers
    JOIN results ON results.number = last JOIN games ON games.id = results.game
    WHERE edition = {_EDITION} AND "user" = $1 AND careers.guild != {EVERYWHERE}
    ORDER BY last DESC LIMIT 10
"""

_RATED_SO_FAR = f"""
    SELECT count(*) FROM (
        SELECT 1 FROM result_seats AS seated JOIN results AS past ON past.number = seated.number
        JOIN rating_changes AS rated ON rated.edition = {_EDITION}
            AND rated.number = seated.number AND rated.seat = seated.seat
        WHERE seated."user" = result_seats."user" AND seated.number <= results.number
            AND past.guild = results.guild AND (past.seats = 2) = (results.seats = 2)
        LIMIT {PROVISIONAL + 1}
    ) AS counted
"""
"""Number of rated games of a person up to a result, of its server and kind, counted as far as it matters."""

_RATING_CHANGES = f"""
    SELECT before, after, hidden."user" IS NOT NULL AS hidden, ({_RATED_SO_FAR}) AS games
    FROM results JOIN result_seats USING (number)
    LEFT JOIN rating_changes ON rating_changes.number = results.number
        AND rating_changes.seat = result_seats.seat AND edition = {_EDITION}
    LEFT JOIN hidden ON hidden."user" = result_seats."user" WHERE game = $1 ORDER BY result_seats.seat
"""

_COURSE = f"""
    SELECT before, after FROM result_seats JOIN results USING (number)
    JOIN rating_changes ON rating_changes.edition = {_EDITION}
        AND rating_changes.number = result_seats.number AND rating_changes.seat = result_seats.seat
    WHERE "user" = $1 AND guild = $2
"""
_LATEST = f"ORDER BY result_seats.number DESC LIMIT {COURSE}"

# In a leaderboard's SQL $1 is the server, $2 the month, $3 the kind, and $4 the required number of games.

_PEOPLE = f"""
    FROM tallies LEFT JOIN hidden ON hidden."user" = tallies."user"
    LEFT JOIN ratings ON ratings.edition = tallies.edition AND ratings.guild = tallies.guild
        AND ratings.kind = $3 AND ratings."user" = tallies."user"
    WHERE tallies.edition = {_EDITION} AND tallies.guild = $1 AND month = $2 AND tallies.kind = $3
        AND $4::bigint IS NOT NULL
"""

_COLUMNS = """
    SELECT tallies."user", name, hidden."user" IS NOT NULL AS hidden, tallies.games, wins, best_hand,
        mu, sigma, ratings.games AS rated
"""

_HAS_PLACE = f"coalesce(ratings.games, 0) >= {PROVISIONAL}"

_BOARDS = {
    Board.RATING: ("ratings.shown", "coalesce(ratings.games, 0) > 0"),
    Board.MORE: ("ratings.shown", "coalesce(ratings.games, 0) > 0"),
    Board.WINS: ("wins", "wins > 0"),
    Board.RATE: ("CAST(wins AS double precision) / tallies.games", "tallies.games >= $4"),
    Board.HAND: ("best", "best IS NOT NULL"),
}
"""By board: the ranked value, and the condition to be listed. Equal shares of wins are equal as floats."""


class SqlStandingsQueries:
    """See `StandingsQueries`. The database belongs to the `Store`, which closes it."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the time in seconds since 1970."""
        self._database = database
        self._clock = clock

    async def career(self, user: int, guild: int | None) -> Career:
        """See `StandingsQueries.career`."""
        kept = await self._database.read_slow(
            lambda connection: connection.fetchval(_CAREER, _scope(guild), user)
        )
        return Career() if kept is None else career_of(kept)

    async def rivalry(self, first: int, second: int, guild: int) -> Rivalry:
        """See `StandingsQueries.rivalry`."""
        return await self._rivalry(_HERE, first, second, guild)

    async def rivalry_in(self, first: int, second: int, channel: int) -> Rivalry:
        """See `StandingsQueries.rivalry_in`."""
        return await self._rivalry(_IN_A_CHANNEL, first, second, channel)

    async def _rivalry(self, where: str, *values: int) -> Rivalry:
        async def work(connection: Connection) -> Rivalry:
            sides = {table: connection.dialect.of_part("side", table) for table in ("mine", "other")}
            statement = _RIVALRY.format(where=where, usual=is_usual(), **sides)
            return Rivalry(**await connection.fetchrow(statement, *values))

        return await self._database.read_slow(work)

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """See `StandingsQueries.against_computers`. The weakest level comes first."""
        return _records_of(
            await self._database.read_slow(
                lambda connection: connection.fetch(_AGAINST_COMPUTERS, _scope(guild), user)
            )
        )

    async def other_games(self, user: int, guild: int | None) -> dict[OtherGame, Record]:
        """See `StandingsQueries.other_games`."""
        scope = () if guild is None else (guild,)
        statement = _OTHER_GAMES.format(where="results.guild = $2" if scope else "true")
        found = await self._database.read_slow(lambda connection: connection.fetch(statement, user, *scope))
        records: dict[OtherGame, Record] = {}
        for row in found:
            game = OtherGame(row["preset"], row["seats"] if row["seats"] > MOST_USUAL_SEATS else None)
            before = records.get(game, Record(0, 0))
            records[game] = Record(before.games + row["games"], before.wins + row["wins"])
        return records

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """See `StandingsQueries.ratings`."""

        async def work(connection: Connection) -> dict[Kind, Rating]:
            edition = await connection.fetchval(f"SELECT {_EDITION}")
            found = {kind: await rating(connection, edition, guild, kind, user) for kind in Kind}
            return {kind: each for kind, each in found.items() if each.games}

        return await self._database.read_slow(work)

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """See `StandingsQueries.rating_changes`."""
        found = await self._database.read_slow(lambda connection: connection.fetch(_RATING_CHANGES, game))
        return tuple(map(_seat_rating_of, found))

    async def milestones(self, game: str) -> tuple[tuple[Milestone, ...], ...]:
        """See `StandingsQueries.milestones`."""
        return await self._database.read_slow(lambda connection: milestones(connection, game))

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
        return await self._database.read_slow(
            lambda connection: history(
                connection, user, guild, asker, before, after, is_cancelled=is_cancelled
            )
        )

    async def rating_course(self, user: int, guild: int, kind: Kind) -> tuple[int, ...]:
        """See `StandingsQueries.rating_course`."""
        is_kind = "seats = 2" if kind is Kind.TWO else "seats > 2"
        statement = f"{_COURSE} AND {is_kind} {_LATEST}"
        found = await self._database.read_slow(lambda connection: connection.fetch(statement, user, guild))
        rows = found[::-1]
        return (rows[0]["before"], *(row["after"] for row in rows)) if rows else ()

    async def wall(self, guild: int, page: int = 0) -> Wall:
        """See `StandingsQueries.wall`."""
        return await self._database.read_slow(lambda connection: wall(connection, guild, page, self.now()))

    async def season(self, guild: int, month: int | None = None) -> Season:
        """See `StandingsQueries.season`."""
        return await self._database.read_slow(
            lambda connection: seasons.season(connection, guild, month, self.now())
        )

    async def season_board(self, guild: int, month: int, page: int = 0) -> SeasonBoard:
        """See `StandingsQueries.season_board`."""
        return await self._database.read_slow(
            lambda connection: seasons.board(connection, guild, month, page, self.now())
        )

    async def months_played(self, guild: int) -> tuple[int, ...]:
        """See `StandingsQueries.months_played`."""
        return await self._database.read_slow(
            lambda connection: seasons.months_played(connection, guild, self.now())
        )

    async def champions(self, guild: int) -> tuple[Season, ...]:
        """See `StandingsQueries.champions`."""
        return await self._database.read_slow(
            lambda connection: seasons.latest(connection, guild, self.now())
        )

    async def slams(self, user: int, guild: int | None) -> int:
        """See `StandingsQueries.slams`."""
        found = await self._database.read_slow(lambda connection: clubs.slams(connection, guild, user))
        return sum(number for number, _ in found.values())

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """See `StandingsQueries.servers`."""
        found = await self._database.read_slow(lambda connection: connection.fetch(_SERVERS, user))
        return tuple((row["guild"], row["place"]) for row in found)

    async def leaderboard(
        self, guild: int, board: Board, span: Span, *, asker: int, page: int = 0
    ) -> Leaderboard:
        """See `StandingsQueries.leaderboard`."""
        now = self.now()
        kind = board.kind.value if board.kind else ANY
        values = (guild, month_number(span, now.timestamp()), kind, span.enough)
        return await self._database.read_slow(
            lambda connection: _leaderboard(connection, board, span, asker, page, now, values)
        )

    def now(self) -> datetime:
        """See `StandingsQueries.now`."""
        return datetime.fromtimestamp(self._clock(), UTC)


async def _leaderboard(  # noqa: PLR0917 -- as `leaderboard` takes them
    connection: Connection,
    board: Board,
    span: Span,
    asker: int,
    page: int,
    now: datetime,
    values: tuple[object, ...],
) -> Leaderboard:
    worth, is_listed = _BOARDS[board]
    has_place = _HAS_PLACE if board.kind else "true"
    listed = f'{_PEOPLE} AND {is_listed} AND hidden."user" IS NULL'
    people, ranked = await connection.fetchrow(
        f"SELECT count(*), count(*) FILTER (WHERE {has_place}) {listed}", *values
    )
    page = min(page, pages_of(people) - 1)
    columns = f"{_COLUMNS}, {worth} AS worth, {has_place} AS has_place, ({is_listed}) AS listed"
    found = await connection.fetch(
        f"""
        {columns} {listed}
        ORDER BY has_place DESC, worth DESC, tallies.games DESC, name, tallies."user"
        LIMIT {PAGE} OFFSET {page * PAGE}
        """,
        *values,
    )
    own = await connection.fetchrow(f'{columns} {_PEOPLE} AND tallies."user" = $5', *values, asker)

    places: dict[object, int] = {}

    async def row_of(row: DatabaseRow) -> Row:
        """The row with its place; equal values share a place."""
        value = row["worth"]
        if row["has_place"] and value not in places:
            above = f"SELECT count(*) {listed} AND {has_place} AND {worth} > $5"
            places[value] = 1 + await connection.fetchval(above, *values, value)
        return Row(places[value] if row["has_place"] else None, _tally_of(row))

    for number, (before, row) in enumerate(pairwise(found), 1):
        if row["has_place"] and before["worth"] != row["worth"]:
            places[row["worth"]] = page * PAGE + number + 1
    rows = [await row_of(row) for row in found]
    is_on_board = own is not None and own["listed"] and not own["hidden"]
    return Leaderboard(
        board=board,
        span=span,
        month=month_of(now),
        people=people,
        ranked=ranked,
        page=page,
        rows=tuple(rows),
        own=None if own is None else _tally_of(own),
        own_row=await row_of(own) if is_on_board else None,
    )


def _scope(guild: int | None) -> int:
    return EVERYWHERE if guild is None else guild


def _records_of(rows: Iterable[DatabaseRow]) -> dict[Level, Record]:
    """By level, weakest first: the games against it. An unknown level is left out, with a line in the log."""
    found = {row["level"]: Record(row["games"], row["wins"]) for row in rows}
    if found.keys() - {level.value for level in Level}:
        leave_out("computer_records")
    return {level: found[level.value] for level in Level if level.value in found}


def _seat_rating_of(row: DatabaseRow) -> SeatRating | None:
    """The change of a seat's rating by a game; `None` if the game is not rated."""
    if row["before"] is None:
        return None
    return SeatRating(
        change=RatingChange(before=row["before"], after=row["after"]),
        games=row["games"],
        is_hidden=bool(row["hidden"]),
    )


def _tally_of(row: DatabaseRow) -> Tally:
    """The tally of a leaderboard's row."""
    rated = (row["mu"], row["sigma"], row["rated"])
    return Tally(
        user=row["user"],
        name=row["name"],
        hidden=bool(row["hidden"]),
        games=row["games"],
        wins=row["wins"],
        best=best_hand(row["best_hand"]),
        rating=Rating(*rated) if row["rated"] and is_rating(*rated) else Rating(),
    )
