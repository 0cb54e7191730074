"""Posts once in each period, such as a day or a month, in the channels that servers' moderators have chosen.

The store records of each post that sending begins, that it has succeeded, or that it has certainly failed.
After a crash between sending and recording, the post is sent again with the same nonce (idempotency key), and
Discord returns the existing message. Discord remembers a nonce for only a few minutes; an older attempt of
unknown outcome counts as sent, since a missing post is better than two. A bot that was down at the time posts
later in the same period.

In a channel without write permission nothing is tried until the bot may write again. A deleted channel ends
the setting, without a notice.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import ClassVar, Final, Generic, Protocol, TypeVar

import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice, Voices
from bot.store import Store
from bot.sync.discord_errors import GONE, NETWORK, described, was_certainly_not_sent
from bot.sync.permissions import is_shut

log = logging.getLogger(__name__)

NONCE_KEPT: Final = 120
"""Time (s) for which Discord certainly remembers a nonce; it documents "the past few minutes"."""

_PAUSE: Final = 20.0
"""Interval (s) between two checks for due posts."""


class Posting(Protocol):
    """A server's setting, and its state."""

    @property
    def guild(self) -> int:
        """The server's id."""

    @property
    def channel(self) -> int:
        """The channel's id."""

    @property
    def tried(self) -> int | None:
        """Start (s since 1970) of an attempt to send whose outcome is unknown."""


P = TypeVar("P", bound=Posting)


class PeriodPosts(ABC, Generic[P]):
    """Polls for due posts and sends them. `now` in its methods is the time of a poll, in UTC."""

    name: ClassVar[str]
    """The name of its task, which the log uses, too."""

    def __init__(
        self,
        client: discord.Client,
        *,
        store: Store,
        voices: Voices,
        tasks: KeyedTasks,
        now: Callable[[], float],
        owns: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """`now` returns seconds since 1970. Posts only in servers that this process `owns`."""
        self._client = client
        self._store = store
        self._voices = voices
        self._tasks = tasks
        self._now = now
        self._owns = owns

    async def start(self) -> None:
        """Start polling; the supervisor restarts it after a failure of the store."""
        self._tasks.repeat((self.name,), _PAUSE, self.send_due)

    async def send_due(self) -> None:
        """Send all posts that are due."""
        now = datetime.fromtimestamp(self._now(), UTC)
        for posting in await self.due(now):
            await self._post(posting, now)

    @abstractmethod
    async def due(self, now: datetime) -> Sequence[P]:
        """The settings of servers whose post of this period is due."""

    @abstractmethod
    def began(self, posting: P, now: datetime) -> datetime:
        """The beginning of the period; an older attempt concerns an older post."""

    @abstractmethod
    def nonce(self, posting: P, now: datetime) -> str:
        """The idempotency key of a server's post in this period, at most 25 characters."""

    @abstractmethod
    async def drawing(self, posting: P, voice: Voice, now: datetime) -> Drawing | None:
        """The post; `None` if there is nothing to post in this period."""

    @abstractmethod
    async def trying(self, guild: int, at: int) -> None:
        """Record that an attempt to send begins now (`at`, s since 1970)."""

    @abstractmethod
    async def not_posted(self, guild: int) -> None:
        """Record that the attempt has certainly failed."""

    @abstractmethod
    async def posted(self, posting: P, now: datetime) -> None:
        """Record that this period needs no further post."""

    @abstractmethod
    async def end(self, guild: int) -> None:
        """Delete the server's setting."""

    async def _post(self, posting: P, now: datetime) -> None:
        guild = self._client.get_guild(posting.guild)
        if not self._owns(posting.guild):
            return
        if guild is None or guild.unavailable or is_shut(self._client, posting.channel):
            return
        at = int(self._now())
        was_tried = posting.tried is not None and posting.tried >= self.began(posting, now).timestamp()
        if was_tried and at - (posting.tried or 0) > NONCE_KEPT:
            log.info("it is not known whether one of the %s was posted: taken as posted", self.name)
            await self.posted(posting, now)
            return
        if not was_tried:
            await self.trying(posting.guild, at)
        settings = await self._store.server(posting.guild)
        voice = self._voices.of(settings.language or str(guild.preferred_locale))
        drawing = await self.drawing(posting, voice, now)
        if drawing is None:
            await self.posted(posting, now)
            return
        target = self._client.get_partial_messageable(posting.channel)
        try:
            await target.send(**drawing.to_send(), nonce=self.nonce(posting, now))
        except NETWORK as error:
            await self._failed(posting, now, error)
        else:
            await self.posted(posting, now)

    async def _failed(self, posting: P, now: datetime, error: Exception) -> None:
        """Record a certain failure, and delete the setting of a deleted channel."""
        log.info("one of the %s could not be posted: %s", self.name, described(error))
        if isinstance(error, discord.HTTPException) and error.code in GONE:
            await self.end(posting.guild)
        elif isinstance(error, discord.Forbidden | discord.NotFound):
            await self.posted(posting, now)  # wrong permissions in the cache: retry in the next period
        elif was_certainly_not_sent(error):
            await self.not_posted(posting.guild)
