"""Posts the daily hand once a day in the servers that want it, each at its own hour (UTC)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import discord

from bot.background.period_posts import PeriodPosts
from bot.features.daily.hands import DailyPosting
from bot.features.daily.messages import MOST_NAMES, post_drawing
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import DailyStore
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice


class DailyPosts(PeriodPosts[DailyPosting]):
    """The posts of each day."""

    name = "daily posts"

    def __init__(
        self, client: discord.Client, hands: DailyStore, reckoning: DailyReckoning, **parts: Any
    ) -> None:
        """`parts` are those of `PeriodPosts`."""
        super().__init__(client, **parts)
        self._hands = hands
        self._reckoning = reckoning

    async def due(self, now: datetime) -> tuple[DailyPosting, ...]:
        """See `PeriodPosts.due`."""
        return await self._hands.due(now.date(), now.hour)

    def began(self, posting: DailyPosting, now: datetime) -> datetime:  # noqa: ARG002 -- of the day alone
        """See `PeriodPosts.began`."""
        return datetime.combine(now.date(), time(), UTC)

    def nonce(self, posting: DailyPosting, now: datetime) -> str:
        """See `PeriodPosts.nonce`."""
        return nonce_of(posting.guild, now.date())

    async def drawing(self, posting: DailyPosting, voice: Voice, now: datetime) -> Drawing:
        """See `PeriodPosts.drawing`."""
        day = now.date()
        yesterday = day - timedelta(days=1)
        best = await self._hands.best(posting.guild, yesterday, MOST_NAMES)
        await self._reckoning.of(day)  # deal today's hand before the first press
        before = await self._reckoning.of(yesterday)
        return post_drawing(day, (before, best), voice)

    async def trying(self, guild: int, at: int) -> None:
        """See `PeriodPosts.trying`."""
        await self._hands.trying(guild, at)

    async def not_posted(self, guild: int) -> None:
        """See `PeriodPosts.not_posted`."""
        await self._hands.not_posted(guild)

    async def posted(self, posting: DailyPosting, now: datetime) -> None:
        """See `PeriodPosts.posted`."""
        await self._hands.posted(posting.guild, now.date())

    async def end(self, guild: int) -> None:
        """See `PeriodPosts.end`."""
        await self._hands.keep_posting(guild, None)


def nonce_of(guild: int, day: date) -> str:
    """The idempotency key of a server's post of that day, at most 25 characters."""
    return f"day{day.toordinal() % 10_000}.{guild:x}"
