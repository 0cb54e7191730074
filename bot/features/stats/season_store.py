"""Channels in which servers' seasons are posted, and the time zones in which they begin and end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from bot.standings.seasons import AHEAD, Calendar, month_after, month_before, number_of
from bot.store import seasons
from bot.store.connection import Connection, Database


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPosting:
    """A server's setting of the podium's post, and its state."""

    guild: int
    channel: int
    posted: int
    """The latest month whose post is done, or not wanted, such as 202611."""
    tried: int | None = None
    """Start (s since 1970) of an attempt to send whose outcome is unknown."""
    over: int
    """The latest month that is over, whose podium is due."""
    since: datetime
    """Its end."""


_ZONES = """
    SELECT season_zones.guild, month, zone FROM season_zones JOIN season_posts USING (guild)
    WHERE posted < $1 ORDER BY season_zones.guild, month
"""


class SeasonStore:
    """The settings of servers. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def post_in(self, guild: int, channel: int, now: datetime) -> None:
        """Let the podiums be posted in the channel, that of the month under way first."""

        async def work(connection: Connection) -> None:
            months = await seasons.calendar(connection, guild)
            await connection.execute(
                """
                INSERT INTO season_posts AS kept (guild, channel, posted) VALUES ($1, $2, $3)
                ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel,
                    posted = greatest(kept.posted, excluded.posted)
                """,
                *(guild, channel, month_before(months.month_at(now))),
            )

        await self._database.write(work)

    async def stop(self, guild: int) -> None:
        """Let no podium be posted any more."""
        await self._write("DELETE FROM season_posts WHERE guild = $1", guild)

    async def choose_zone(self, guild: int, zone: str, now: datetime) -> None:
        """Let the seasons end in that time zone, from the end of the one under way on."""

        async def work(connection: Connection) -> None:
            months = await seasons.calendar(connection, guild)
            month = month_after(months.month_at(now))
            await connection.execute(
                """
                INSERT INTO season_zones (guild, month, zone) VALUES ($1, $2, $3)
                ON CONFLICT (guild, month) DO UPDATE SET zone = excluded.zone
                """,
                *(guild, month, zone),
            )

        await self._database.write(work)

    async def due(self, now: datetime) -> tuple[SeasonPosting, ...]:
        """The settings of servers whose post of the last month is due."""
        latest = month_before(number_of(now + AHEAD))

        async def work(connection: Connection) -> tuple[SeasonPosting, ...]:
            rows = await connection.fetch(
                "SELECT * FROM season_posts WHERE posted < $1 ORDER BY guild", latest
            )
            zones: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
            for row in await connection.fetch(_ZONES, latest) if rows else ():
                zones[row["guild"]].append((row["month"], row["zone"]))
            found = []
            for row in rows:
                months = Calendar(tuple(zones[row["guild"]]))
                under_way = months.month_at(now)
                over = month_before(under_way)
                if row["posted"] < over:
                    kept = {name: row[name] for name in ("guild", "channel", "posted", "tried")}
                    found.append(SeasonPosting(**kept, over=over, since=months.begin(under_way)))
            return tuple(found)

        return await self._database.read_one(work)

    async def trying(self, guild: int, at: int) -> None:
        """Record that an attempt to send begins now (`at`, s since 1970)."""
        await self._write("UPDATE season_posts SET tried = $1 WHERE guild = $2", at, guild)

    async def not_posted(self, guild: int) -> None:
        """Record that the attempt has certainly failed."""
        await self._write("UPDATE season_posts SET tried = NULL WHERE guild = $1", guild)

    async def posted(self, guild: int, month: int) -> None:
        """Record that the month needs no further post."""
        await self._write(
            "UPDATE season_posts SET posted = greatest(posted, $1), tried = NULL WHERE guild = $2",
            *(month, guild),
        )

    async def _write(self, statement: str, *values: int) -> None:
        await self._database.write(lambda connection: connection.execute(statement, *values))
