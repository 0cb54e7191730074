"""Direct messages: opens each person's DM channel once, stores its id, and posts lines there.

Discord limits how many DM channels a bot opens (40003), without figures: nine tables of strangers within
seconds are too many. After the first such refusal all people wait in one queue, with pauses that grow with
each further refusal. Meanwhile they find their hand at the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.store import Store
from bot.sync.discord_errors import CLOSED_DMS, GONE, NETWORK, described, is_transient

log = logging.getLogger(__name__)

_TOO_FAST = 40003
"""Discord's error code for a bot that opens DM channels too quickly."""

FIRST_PAUSE = 10.0
_LONGEST_PAUSE = 600.0
"""Pause (s) before the queue's next attempt: the first, and the maximum. It doubles with each refusal."""

_KEY = ("direct messages",)


class DmAwaited(Exception):
    """The person's DM channel is opened later: they wait in the queue."""


class DirectMessages:
    """Finds, opens and writes to people's DM channels."""

    def __init__(
        self, client: discord.Client, store: Store, tasks: KeyedTasks, schedule: Callable[[str], None]
    ) -> None:
        """`schedule` queues the sync of a game, without blocking."""
        self._client = client
        self._store = store
        self._tasks = tasks
        self._schedule = schedule
        self._turn = asyncio.Lock()
        self._waiting: dict[int, set[str]] = {}
        """By user: the games that wait for their DM channel, in order of arrival."""

    def is_awaited(self, user: int) -> bool:
        """True if the person's DM channel cannot be opened yet."""
        return user in self._waiting

    async def channel(self, user: int, game: str | None = None) -> int:
        """The id of the person's DM channel: the stored one, or one that is opened now; see `open`."""
        kept = (await self._store.preferences(user)).dm_channel
        return kept if kept is not None else await self.open(user, game)

    async def open(self, user: int, game: str | None = None) -> int:
        """Let Discord open the person's DM channel, and store its id. Idempotent.

        Raises `DmAwaited` while others wait, or Discord refuses to open more of them: then the game is synced
        when that has changed, and once the channel is open.
        """
        async with self._turn:
            if not self._waiting:
                try:
                    return await self._open(user)
                except discord.HTTPException as error:
                    if error.code != _TOO_FAST:
                        raise
                    log.warning("Discord lets the bot open no more direct messages for now")
        if game is not None and game not in self._waiting.setdefault(user, set()):
            self._waiting[user].add(game)
            self._schedule(game)
            self._tasks.wake(_KEY, self._open_awaited)
        raise DmAwaited

    async def _open(self, user: int) -> int:
        channel = await self._client.create_dm(discord.Object(user))
        await self._store.prefer(user, dm_channel=channel.id)
        return channel.id

    async def _open_awaited(self) -> None:
        """Open one channel after the other."""
        pause = FIRST_PAUSE
        while self._waiting:
            await asyncio.sleep(pause)
            user = next(iter(self._waiting))
            try:
                await self._open(user)
            except NETWORK as error:
                is_too_fast = isinstance(error, discord.HTTPException) and error.code == _TOO_FAST
                if is_too_fast or is_transient(error):
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    if not is_too_fast:
                        self._waiting[user] = self._waiting.pop(user)  # it may fail for them alone
                    continue
                log.info("a direct message could not be opened: %s", described(error))
            else:
                pause = max(pause / 2, FIRST_PAUSE)
            for game in self._waiting.pop(user):
                self._schedule(game)

    async def say_quietly(self, user: int, line: str) -> None:
        """Post the line without a notification, unless the person's DMs are closed or not open yet.

        Stores newly closed DMs. Raises `discord.HTTPException` when Discord refuses for another reason.
        """
        if (await self._store.preferences(user)).dms_closed:
            return
        try:
            try:
                await self._send(await self.channel(user), line)
            except discord.NotFound as error:
                if error.code not in GONE:
                    raise
                await self._send(await self.open(user), line)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            await self._store.prefer(user, dms_closed=True)
        except DmAwaited:
            log.info("somebody is told nothing by direct message, which is not open yet")

    async def _send(self, channel: int, line: str) -> None:
        await self._client.get_partial_messageable(channel).send(line, silent=True)
