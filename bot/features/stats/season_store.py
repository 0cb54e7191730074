"""The channels in which servers' seasons are posted."""

from __future__ import annotations

from dataclasses import dataclass

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


class SeasonStore:
    """The settings of servers. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def post_in(self, guild: int, channel: int | None, month: int) -> None:
        """Let the podiums of months after `month` be posted in the channel; with `None`, none."""

        async def work(connection: Connection) -> None:
            if channel is None:
                await connection.execute("DELETE FROM season_posts WHERE guild = $1", guild)
                return
            await connection.execute(
                """
                INSERT INTO season_posts AS kept (guild, channel, posted) VALUES ($1, $2, $3)
                ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel,
                    posted = greatest(kept.posted, excluded.posted)
                """,
                *(guild, channel, month),
            )

        await self._database.write(work)

    async def due(self, month: int) -> tuple[SeasonPosting, ...]:
        """The settings of servers whose post of that month is due."""
        statement = "SELECT * FROM season_posts WHERE posted < $1 ORDER BY guild"
        found = await self._database.read_one(lambda connection: connection.fetch(statement, month))
        return tuple(SeasonPosting(**{name: row[name] for name in row.keys()}) for row in found)  # noqa: SIM118 -- a row is no dict

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
