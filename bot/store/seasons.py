"""A server's seasons (`bot.standings.seasons`), read from the results. Inside a transaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from bot.standings.leaderboards import PAGE, pages_of
from bot.standings.seasons import PODIUM, Calendar, Season, SeasonBoard, Winner, month_before
from bot.store.connection import Connection, Row
from bot.store.finished_games import is_usual

_SHOWN = 5
"""Maximum number of people on a podium, whose places may be shared."""

_CHAMPIONS = 2
"""Number of seasons on the wall."""

_BACK = 12
"""Number of past months that are searched for them."""

_MONTHS: Final = 120
"""Maximum number of months in a list."""

_OF_PEOPLE = f"""
    FROM results JOIN result_seats USING (number)
    LEFT JOIN hidden ON hidden."user" = result_seats."user"
    WHERE guild = $1 AND at >= $2 AND at < $3 AND NOT with_computer
        AND result_seats."user" IS NOT NULL AND hidden."user" IS NULL
        AND {is_usual()}
"""

_RANKED = f"""
    SELECT "user", games, wins, last, count(*) OVER () AS people,
        rank() OVER (ORDER BY wins DESC, games) AS place
    FROM (
        SELECT result_seats."user", count(*) AS games, count(*) FILTER (WHERE won) AS wins,
            max(results.number) AS last
        {_OF_PEOPLE}
        GROUP BY result_seats."user"
    ) AS played ORDER BY place, "user" LIMIT $4 OFFSET $5
"""  # noqa: S608 -- SQL of this module's own

_PEOPLE = f'SELECT count(DISTINCT result_seats."user") {_OF_PEOPLE}'

_LATEST = f"SELECT at {_OF_PEOPLE} ORDER BY at DESC LIMIT 1"

_NAME = """
    SELECT name FROM seats JOIN results ON results.game = seats.game WHERE number = $1 AND "user" = $2
        AND NOT EXISTS (SELECT 1 FROM leaving WHERE leaving."user" = $2)
"""
"""The name at that game; none once the person's data is being deleted."""


async def calendar(connection: Connection, guild: int) -> Calendar:
    """The server's calendar."""
    rows = await connection.fetch(
        "SELECT month, zone FROM season_zones WHERE guild = $1 ORDER BY month", guild
    )
    return Calendar(tuple((row["month"], row["zone"]) for row in rows))


async def season(
    connection: Connection, guild: int, month: int | None, now: datetime, months: Calendar | None = None
) -> Season:
    """The season of that month; of the one under way for `None`. `months` is the server's calendar."""
    months = months or await calendar(connection, guild)
    month = months.month_at(now) if month is None else month
    rows = await connection.fetch(_RANKED, guild, *_times(months, month), _SHOWN, 0)
    return Season(
        month=month,
        end=months.end(month),
        people=rows[0]["people"] if rows else 0,
        podium=tuple(
            [await _winner(connection, row) for row in rows if row["wins"] and row["place"] <= PODIUM]
        ),
    )


async def board(connection: Connection, guild: int, month: int, page: int, now: datetime) -> SeasonBoard:
    """A page of the month's whole leaderboard."""
    months = await calendar(connection, guild)
    times = _times(months, month)
    people = await connection.fetchval(_PEOPLE, guild, *times)
    page = min(page, pages_of(people) - 1)
    rows = await connection.fetch(_RANKED, guild, *times, PAGE, page * PAGE)
    return SeasonBoard(
        month=month,
        end=months.end(month),
        is_over=months.end(month) <= now,
        people=people,
        page=page,
        rows=tuple([await _winner(connection, row) for row in rows]),
    )


async def latest(connection: Connection, guild: int, now: datetime) -> tuple[Season, ...]:
    """The last closed seasons of the past year that somebody won a game in, the newest first."""
    found: list[Season] = []
    months = await calendar(connection, guild)
    month = months.month_at(now)
    for _ in range(_BACK):
        month = month_before(month)
        each = await season(connection, guild, month, now, months)
        if each.podium:
            found.append(each)
        if len(found) == _CHAMPIONS:
            break
    return tuple(found)


async def months_played(connection: Connection, guild: int, now: datetime) -> tuple[int, ...]:
    """The months in which games that count were finished, the newest first."""
    months, found, until = await calendar(connection, guild), list[int](), int(now.timestamp()) + 1
    while len(found) < _MONTHS:
        at = await connection.fetchval(_LATEST, guild, 0, until)
        if at is None:
            break
        found.append(months.month_at(datetime.fromtimestamp(at, UTC)))
        until = int(months.begin(found[-1]).timestamp())
    return tuple(found)


def _times(months: Calendar, month: int) -> tuple[int, int]:
    """Beginning and end of the month (s since 1970)."""
    return int(months.begin(month).timestamp()), int(months.end(month).timestamp())


async def _winner(connection: Connection, row: Row) -> Winner:
    return Winner(
        place=row["place"],
        name=await connection.fetchval(_NAME, row["last"], row["user"]) or "",
        wins=row["wins"],
        games=row["games"],
    )
