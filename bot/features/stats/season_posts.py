"""Posts the podium of each month in the servers that want it, as soon as the month is over there."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import discord

from bot.background.period_posts import PeriodPosts
from bot.features.stats.season import podium_drawing
from bot.features.stats.season_store import SeasonPosting, SeasonStore
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries


class SeasonPosts(PeriodPosts[SeasonPosting]):
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
        return await self._seasons.due(now)

    def began(self, posting: SeasonPosting, now: datetime) -> datetime:  # noqa: ARG002 -- the posting knows it
        """See `PeriodPosts.began`."""
        return posting.since

    def nonce(self, posting: SeasonPosting, now: datetime) -> str:  # noqa: ARG002 -- as above
        """See `PeriodPosts.nonce`."""
        return f"m{posting.over}.{posting.guild:x}"

    async def drawing(self, posting: SeasonPosting, voice: Voice, now: datetime) -> Drawing | None:  # noqa: ARG002 -- as above
        """See `PeriodPosts.drawing`."""
        await self._projection.flush()
        season = await self._queries.season(posting.guild, posting.over)
        return podium_drawing(season, voice) if season.podium else None

    async def trying(self, guild: int, at: int) -> None:
        """See `PeriodPosts.trying`."""
        await self._seasons.trying(guild, at)

    async def not_posted(self, guild: int) -> None:
        """See `PeriodPosts.not_posted`."""
        await self._seasons.not_posted(guild)

    async def posted(self, posting: SeasonPosting, now: datetime) -> None:  # noqa: ARG002 -- as above
        """See `PeriodPosts.posted`."""
        await self._seasons.posted(posting.guild, posting.over)

    async def end(self, guild: int) -> None:
        """See `PeriodPosts.end`."""
        await self._seasons.stop(guild)
