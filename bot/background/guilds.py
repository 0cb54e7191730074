"""Servers come and go: what becomes of tables in one that the bot is removed from, and when it is back.

A game rests there: no clock runs, no move is made, and each hand by DM says so. When the bot is invited
again, the game goes on. A table that only gathers is closed, and so is a game that has rested for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from bot.background.computer_players import Computers
from bot.background.turn_clock import Clock
from bot.delivery.announcer import Announcer
from bot.model.errors import StoreUnavailable
from bot.model.table_record import Status, TableRecord
from bot.store import Store

log = logging.getLogger(__name__)

_KEPT = 30 * 86_400
"""Seconds for which a game rests; then it is called off, since nothing is kept without a purpose."""

_AGAIN = 30.0
"""Seconds until tables are looked through again when the store would not."""


class Presence:
    """Knows in which servers the bot is."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._is_known = False

    def learn(self) -> None:
        """Discord has listed the servers, as it does at each connection."""
        self._is_known = True

    def has_left(self, record: TableRecord) -> bool:
        """Whether the bot was removed from the table's server; false while nobody knows."""
        return self._is_known and record.guild is not None and self._client.get_guild(record.guild) is None


class Servers:
    """Lets tables rest with their server, and go on with it."""

    def __init__(
        self,
        presence: Presence,
        store: Store,
        announcer: Announcer,
        clock: Clock,
        computers: Computers,
        *,
        close_table: Callable[[TableRecord], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        """`now` gives the seconds since 1970, as the store does."""
        self._presence = presence
        self._store = store
        self._announcer = announcer
        self._clock = clock
        self._computers = computers
        self._close_table = close_table
        self._now = now
        self._left: set[int] = set()
        """Servers with open tables that the bot was seen to have left."""
        self._is_closed = False

    async def connected(self) -> None:
        """Discord has listed the servers: tell what is still to be told, and see who has gone or is back."""
        self._presence.learn()
        await self._look_around()

    async def left(self) -> None:
        """The bot was removed from a server."""
        await self._look_around()

    async def available(self, guild: int) -> None:
        """Discord tells of that server, which is all it says when the bot is back just after a connection."""
        if guild in self._left:
            await self.returned(guild)

    async def returned(self, guild: int) -> None:
        """The bot was invited to that server, perhaps again."""
        self._left.discard(guild)
        for record in await self._store.open_tables():
            if record.guild == guild:
                self._announcer.repost(record.game)
                self._clock.heard(record.game)
                self._computers.go_on(record)
        await self._look_around()

    def close(self) -> None:
        """The bot is stopping: what cannot be looked through now is at the next start."""
        self._is_closed = True

    async def _look_around(self) -> None:
        while True:
            try:
                for record in await self._store.open_tables():
                    await self._look_at(record)
                for record in await self._store.untold():
                    self._announcer.announce(record.game)
            except StoreUnavailable:
                if self._is_closed:
                    return
                log.warning("tables are looked through again in %.0f s", _AGAIN)
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def _look_at(self, record: TableRecord) -> None:
        if not self._presence.has_left(record):
            if record.status is Status.PLAYING:
                self._clock.go_on(record.game)
                self._computers.go_on(record)
            return
        if record.guild is not None:
            self._left.add(record.guild)
        rested = self._now() - await self._store.last_moved(record.game)
        if record.status is Status.GATHERING or rested > _KEPT:
            await self._close_table(record)
        else:
            self._announcer.announce(record.game)
