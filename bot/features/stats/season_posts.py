"""Posts the podium of each month in the servers that want it, as soon as the month is over (UTC)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import discord

from bot.background.period_posts import PeriodPosts
from bot.features.stats.season import podium_drawing
from bot.features.stats.season_store import SeasonPosting, SeasonStore
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from bot.standings.leaderboards import month_of
from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries
from bot.standings.seasons import month_before


class SeasonPosts(PeriodPosts):
    """The posts of each month. A month in which nobody won a game has none."""

    name = "season posts"

    def __init__(
        self,
        client: discord.Client,
        seasons: SeasonStore,
        queries: StandingsQueries,
        projection: Projection,
        **parts: Any,
    ) -> None:
        """`parts` are those of `PeriodPosts`."""
        super().__init__(client, **parts)
        self._seasons = seasons
        self._queries = queries
        self._projection = projection

    async def due(self, now: datetime) -> tuple[SeasonPosting, ...]:
        """See `PeriodPosts.due`."""
        return await self._seasons.due(number_of(month_before(now)))

    def began(self, now: datetime) -> datetime:
        """See `PeriodPosts.began`."""
        return month_of(now)

    def nonce(self, guild: int, now: datetime) -> str:
        """See `PeriodPosts.nonce`."""
        return f"m{number_of(month_before(now))}.{guild:x}"

    async def drawing(self, guild: int, voice: Voice, now: datetime) -> Drawing | None:
        """See `PeriodPosts.drawing`."""
        await self._projection.flush()
        season = await self._queries.season(guild, month_before(now))
        return podium_drawing(season, voice) if season.podium else None

    async def trying(self, guild: int, at: int) -> None:
        """See `PeriodPosts.trying`."""
        await self._seasons.trying(guild, at)

    async def not_posted(self, guild: int) -> None:
        """See `PeriodPosts.not_posted`."""
        await self._seasons.not_posted(guild)

    async def posted(self, guild: int, now: datetime) -> None:
        """See `PeriodPosts.posted`."""
        await self._seasons.posted(guild, number_of(month_before(now)))

    async def end(self, guild: int) -> None:
        """See `PeriodPosts.end`."""
        await self._seasons.post_in(guild, None, 0)


def number_of(month: datetime) -> int:
    """The month (UTC) as a number, such as 202611."""
    return month.year * 100 + month.month
