"""Refuses people who press something by DM at a table of a server that they have left or are timed out in.

Discord keeps them from its channels, but not from the DM with their hand. The bot hears of no member who
leaves (that takes a privileged intent), so it asks Discord, at most once in ten minutes for a person and
server; while it refuses them, once a minute, since they may be back. If Discord does not answer, the press
counts.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable

import discord
from cachetools import TLRUCache

from bot.concurrency.keyed_locks import KeyedLocks
from bot.concurrency.loop_time import loop_time
from bot.model.errors import NotInServer, TimedOut
from bot.model.table_record import TableRecord
from bot.sync.discord_errors import NETWORK, described
from bot.sync.discord_time import DISCORD_TIME

log = logging.getLogger(__name__)

_MAY_PLAY = 600.0
_MAY_NOT_PLAY = 60.0
"""Time (s) for which an answer of Discord's is used, by what it says; its lack lets them play."""

_REMEMBERED = 10_000
"""Limit of answers in memory; the earliest is dropped."""

_PATIENCE = 1.0
"""Timeout (s) of the request, well below the 2.2 s after which the press is deferred."""

_UNKNOWN_MEMBER = 10007
"""Discord's error code for a person who is not in the server."""


class Members:
    """Who may play at a server's tables from their DM."""

    def __init__(self, now: Callable[[], float] = DISCORD_TIME) -> None:
        """`now` returns Discord's time (s since 1970)."""
        self._now = now
        self._out_until: TLRUCache[tuple[int, int], float] = TLRUCache(
            _REMEMBERED, lambda _, until, now: now + (_MAY_NOT_PLAY if until else _MAY_PLAY), loop_time
        )
        """By server and person: the end of their timeout (s since 1970), infinite if they are not there."""
        self._locks = KeyedLocks()

    async def require(self, client: discord.Client, record: TableRecord, user: int) -> None:
        """Raises `NotInServer` or `TimedOut` if the person may not play at the table."""
        if record.guild is None:
            return
        until = self._out_until.get((record.guild, user))
        if until is None:
            until = await self._ask_once(client, record.guild, user)
        if math.isinf(until):
            raise NotInServer(record)
        if until > self._now():
            raise TimedOut(record, round(until))

    async def _ask_once(self, client: discord.Client, guild: int, user: int) -> float:
        """Ask Discord, unless another press of the person's does so already."""
        async with self._locks.lock(f"{guild}:{user}"):
            until = self._out_until.get((guild, user))
            if until is None:
                until = await _ask(client, guild, user)
                self._out_until[guild, user] = until if until > self._now() else 0.0
        return until


async def _ask(client: discord.Client, guild: int, user: int) -> float:
    try:
        async with asyncio.timeout(_PATIENCE):
            member = await client.http.get_member(guild, user)
    except NETWORK as error:
        if isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_MEMBER:
            return math.inf
        log.info("Discord does not say if somebody is in a server: %s", described(error))
        return 0.0
    end = discord.utils.parse_time(member.get("communication_disabled_until"))
    return 0.0 if end is None else end.timestamp()
