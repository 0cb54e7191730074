"""Channels that were deleted while the bot was not connected: their tables are called off at once.

A deletion has an event only while the shard is connected. With each new session Discord sends a list of each
server's channels and active threads. A table whose channel is missing there may be in an archived thread, or
in one that the bot cannot see, so Discord is asked for it once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.store import Store
from bot.sync.discord_errors import GONE, NETWORK, described, is_transient
from bot.tables.presence import Presence

log = logging.getLogger(__name__)

_KEY = ("missing channels",)

_GATHERING = 0.5
"""Time (s) in which the lists of further servers are awaited: all open tables are read for a check."""


class MissingChannels:
    """Compares the channels of open tables with the lists of servers' channels."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        presence: Presence,
        tasks: KeyedTasks,
        gone: Callable[[int], Awaitable[None]],
    ) -> None:
        """`gone` handles the deletion of a channel or thread."""
        self._client = client
        self._store = store
        self._presence = presence
        self._tasks = tasks
        self._gone = gone
        self._lists: dict[int, frozenset[int]] = {}
        """By server: its channels and active threads, until they are compared."""

    def listed(self, guild: int, channels: frozenset[int]) -> None:
        """Note a server's list, without blocking."""
        self._lists[guild] = channels
        self._tasks.wake(_KEY, self._check)

    async def _check(self) -> None:
        """Handle what is missing. Raises `StoreUnavailable`, and `RetryLater` if Discord cannot be asked."""
        await asyncio.sleep(_GATHERING)
        records = await self._store.open_tables()
        lists, self._lists = self._lists, {}
        for record in records:
            guild = record.guild
            if guild is None or record.channel in lists.get(guild, (record.channel,)):
                continue
            if self._presence.is_elsewhere(record) or self._client.get_channel(record.channel) is not None:
                continue  # the latter was made since the list
            try:
                await self._client.fetch_channel(record.channel)
            except NETWORK as error:
                if isinstance(error, discord.NotFound) and error.code in GONE:
                    await self._gone(record.channel)
                elif is_transient(error):
                    log.info("a table's channel could not be asked for: %s", described(error))
                    self._lists = lists | self._lists
                    raise RetryLater from None
