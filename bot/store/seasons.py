"""A server's seasons (`bot.standings.seasons`), read from the results. Inside a transaction."""

from __future__ import annotations

from datetime import datetime

from bot.standings.seasons import PODIUM, Season, Winner, month_after, month_before
from bot.store.connection import Connection
from bot.store.finished_games import is_usual

_SHOWN = 5
"""Maximum number of people on a podium, whose places may be shared."""

_CHAMPIONS = 2
"""Number of seasons on the wall."""

_BACK = 12
"""Number of past months that are searched for them."""

_RANKED = f"""
    SELECT "user", games, wins, last, count(*) OVER () AS people,
        rank() OVER (ORDER BY wins DESC, games) AS place
    FROM (
        SELECT result_seats."user", count(*) AS games, count(*) FILTER (WHERE won) AS wins,
            max(results.number) AS last
        FROM results JOIN result_seats USING (number)
        LEFT JOIN hidden ON hidden."user" = result_seats."user"
        WHERE guild = $1 AND at >= $2 AND at < $3 AND NOT with_computer
            AND result_seats."user" IS NOT NULL AND hidden."user" IS NULL
            AND {is_usual()}
        GROUP BY result_seats."user"
    ) AS played ORDER BY place, "user" LIMIT {_SHOWN}
"""  # noqa: S608 -- SQL of this module's own

_NAME = """
    SELECT name FROM seats JOIN results ON results.game = seats.game WHERE number = $1 AND "user" = $2
        AND NOT EXISTS (SELECT 1 FROM leaving WHERE leaving."user" = $2)
"""
"""The name at that game; none once the person's data is being deleted."""


async def season(connection: Connection, guild: int, month: datetime) -> Season:
    """The season of the month that begins then."""
    rows = await connection.fetch(_RANKED, guild, int(month.timestamp()), int(month_after(month).timestamp()))
    return Season(
        month=month,
        people=rows[0]["people"] if rows else 0,
        podium=tuple(
            [
                Winner(
                    place=row["place"],
                    name=await connection.fetchval(_NAME, row["last"], row["user"]) or "",
                    wins=row["wins"],
                    games=row["games"],
                )
                for row in rows
                if row["wins"] and row["place"] <= PODIUM
            ]
        ),
    )


async def latest(connection: Connection, guild: int, now: datetime) -> tuple[Season, ...]:
    """The last closed seasons of the past year that somebody won a game in, the newest first."""
    found: list[Season] = []
    month = now
    for _ in range(_BACK):
        month = month_before(month)
        each = await season(connection, guild, month)
        if each.podium:
            found.append(each)
        if len(found) == _CHAMPIONS:
            break
    return tuple(found)
