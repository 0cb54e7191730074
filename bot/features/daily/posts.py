"""Posts the daily hand in servers that want it, once a day, at an hour of UTC that each has chosen.

Three things are kept of a server's post: that sending begins, that it was sent, or that it certainly was not.
A bot that is killed between sending and noting sends again, with the same nonce as its idempotency key, and
Discord answers with the message that stands. It knows a nonce for a few minutes only: after that an attempt
whose outcome is not known counts as sent, because no message is better than two. A bot that was down at the
hour posts later on the same day.

Where it cannot write nothing is tried, until it can. A channel that is gone ends the setting. Nobody is told:
who has taken the channel away knows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

import aiohttp
import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.daily.hands import DailyHands, DailyPosting
from bot.features.daily.messages import MOST_NAMES, post_drawing
from bot.features.daily.reckoning import DailyReckoning
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.discord_errors import GONE, NETWORK, described
from bot.sync.permissions import is_shut

log = logging.getLogger(__name__)

NONCE_KEPT: Final = 120
"""Seconds for which Discord surely knows a nonce: it says "the past few minutes"."""

_PAUSE: Final = 20.0
"""Seconds between two looks."""

_FIRST_DAY: Final = date(1970, 1, 1)

_KEY = ("daily posts",)


class DailyPosts:
    """Looks every few seconds which server wants its post."""

    def __init__(
        self,
        client: discord.Client,
        hands: DailyHands,
        reckoning: DailyReckoning,
        *,
        store: Store,
        voices: Voices,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """`now` gives the seconds since 1970; in servers that this process `owns` it posts."""
        self._client = client
        self._hands = hands
        self._reckoning = reckoning
        self._store = store
        self._voices = voices
        self._tasks = tasks
        self._now = now
        self._owns = owns

    async def start(self) -> None:
        """Look from now on; after a failure of the store the supervisor starts again."""
        self._tasks.repeat(_KEY, _PAUSE, self.look)

    async def look(self) -> None:
        """Post where it is due."""
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
        """Note what is certain: nothing was sent, or nothing ever can be there."""
        log.info("a daily hand could not be posted: %s", described(error))
        if isinstance(error, discord.HTTPException) and error.code in GONE:
            await self._hands.keep_posting(posting.guild, None)
        elif isinstance(error, discord.Forbidden | discord.NotFound):
            await self._hands.posted(posting.guild, day)  # what the gateway says is not so: tomorrow again
        elif _was_certainly_not_sent(error):
            await self._hands.not_posted(posting.guild)

    async def _drawing(self, number: int, guild: discord.Guild, day: date) -> Drawing:
        settings = await self._store.server(number)
        voice = self._voices.of(settings.language or str(guild.preferred_locale))
        yesterday = day - timedelta(days=1)
        best = await self._hands.best(number, yesterday, MOST_NAMES)
        await self._reckoning.of(day)  # dealt before anybody presses
        before = await self._reckoning.of(yesterday)
        return post_drawing(day, (before, best), voice)


def nonce_of(guild: int, day: date) -> str:
    """The idempotency key of a server's post of that day, at most 25 characters."""
    return f"day{day.toordinal() % 10_000}.{guild:x}"


def _was_tried(posting: DailyPosting, day: date) -> bool:
    """Whether sending that day's post began, with no outcome that is known."""
    return posting.tried is not None and posting.tried // 86_400 == (day - _FIRST_DAY).days


def _was_certainly_not_sent(error: Exception) -> bool:
    if isinstance(error, discord.HTTPException):
        return error.status < 500
    return isinstance(error, discord.RateLimited | aiohttp.ClientConnectorError)
