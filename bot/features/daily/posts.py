"""Posts the daily hand once a day in the servers that want it, each at its own hour (UTC).

The store records of each post that sending begins, that it has succeeded, or that it has certainly failed.
After a crash between sending and recording, the post is sent again with the same nonce (idempotency key), and
Discord returns the existing message. Discord remembers a nonce for only a few minutes; an older attempt of
unknown outcome counts as sent, since a missing post is better than two. A bot that was down at the hour posts
later on the same day.

In a channel without write permission nothing is tried until the bot may write again. A deleted channel ends
the setting, without a notice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

import aiohttp
import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily.hands import DailyPosting
from bot.features.daily.messages import MOST_NAMES, post_drawing
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import DailyStore
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.discord_errors import GONE, NETWORK, described
from bot.sync.permissions import is_shut

log = logging.getLogger(__name__)

NONCE_KEPT: Final = 120
"""Time (s) for which Discord certainly remembers a nonce; it documents "the past few minutes"."""

_PAUSE: Final = 20.0
"""Interval (s) between two checks for due posts."""

_FIRST_DAY: Final = date(1970, 1, 1)

_KEY = ("daily posts",)


class DailyPosts:
    """Polls for due posts and sends them."""

    def __init__(
        self,
        client: discord.Client,
        hands: DailyStore,
        reckoning: DailyReckoning,
        *,
        store: Store,
        voices: Voices,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """`now` returns seconds since 1970. Posts only in servers that this process `owns`."""
        self._client = client
        self._hands = hands
        self._reckoning = reckoning
        self._store = store
        self._voices = voices
        self._tasks = tasks
        self._now = now
        self._owns = owns

    async def start(self) -> None:
        """Start polling; the supervisor restarts it after a failure of the store."""
        self._tasks.repeat(_KEY, _PAUSE, self.send_due)

    async def send_due(self) -> None:
        """Send all posts that are due."""
        now = datetime.fromtimestamp(self._now(), UTC)
        for posting in await self._hands.due(now.date(), now.hour):
            await self._post(posting, now.date())

    async def _post(self, posting: DailyPosting, day: date) -> None:
        guild = self._client.get_guild(posting.guild)
        if not self._owns(posting.guild):
            return
        if guild is None or guild.unavailable or is_shut(self._client, posting.channel):
            return
        now = int(self._now())
        if not _was_tried(posting, day):
            await self._hands.trying(posting.guild, now)
        elif now - (posting.tried or 0) > NONCE_KEPT:
            log.info("it is not known whether a daily hand was posted: taken as posted")
            await self._hands.posted(posting.guild, day)
            return
        drawing = await self._drawing(posting.guild, guild, day)
        target = self._client.get_partial_messageable(posting.channel)
        try:
            await target.send(**drawing.to_send(), nonce=nonce_of(posting.guild, day))
        except NETWORK as error:
            await self._failed(posting, day, error)
        else:
            await self._hands.posted(posting.guild, day)

    async def _failed(self, posting: DailyPosting, day: date, error: Exception) -> None:
        """Record a certain failure, and delete the setting of a deleted channel."""
        log.info("a daily hand could not be posted: %s", described(error))
        if isinstance(error, discord.HTTPException) and error.code in GONE:
            await self._hands.keep_posting(posting.guild, None)
        elif isinstance(error, discord.Forbidden | discord.NotFound):
            await self._hands.posted(posting.guild, day)  # wrong permissions in the cache: retry tomorrow
        elif _was_certainly_not_sent(error):
            await self._hands.not_posted(posting.guild)

    async def _drawing(self, number: int, guild: discord.Guild, day: date) -> Drawing:
        settings = await self._store.server(number)
        voice = self._voices.of(settings.language or str(guild.preferred_locale))
        yesterday = day - timedelta(days=1)
        best = await self._hands.best(number, yesterday, MOST_NAMES)
        await self._reckoning.of(day)  # deal today's hand before the first press
        before = await self._reckoning.of(yesterday)
        return post_drawing(day, (before, best), voice)


def nonce_of(guild: int, day: date) -> str:
    """The idempotency key of a server's post of that day, at most 25 characters."""
    return f"day{day.toordinal() % 10_000}.{guild:x}"


def _was_tried(posting: DailyPosting, day: date) -> bool:
    """True if sending that day's post has begun and its outcome is unknown."""
    return posting.tried is not None and posting.tried // 86_400 == (day - _FIRST_DAY).days


def _was_certainly_not_sent(error: Exception) -> bool:
    if isinstance(error, discord.HTTPException):
        return error.status < 500
    return isinstance(error, discord.RateLimited | aiohttp.ClientConnectorError)
