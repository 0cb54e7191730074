"""Direct messages: opens each person's DM channel once, stores its id, and posts lines there.

Whoever can be sent nothing finds their hand at the table, which says so:

- People who have closed their DMs, until they ask for their hand. That is stored.
- People to whom Discord refuses a message for another reason, for an hour or until they ask for their hand.
- Strangers while Discord opens no more DM channels (40003). It gives no figures: nine tables of strangers
  within seconds are too many. After the first such refusal all people wait in one queue, with pauses that
  grow with each further refusal.
- Strangers while the bot is quarantined (20026), which only an appeal ends. One channel an hour is tried.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import discord
from cachetools import TTLCache

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.concurrency.loop_time import loop_time
from bot.store import Store
from bot.sync.discord_errors import (
    GONE,
    NETWORK,
    Does,
    Request,
    described,
    done_after,
    is_transient,
    tell_owner,
)

log = logging.getLogger(__name__)

FIRST_PAUSE = 10.0
_LONGEST_PAUSE = 600.0
"""Pause (s) before the queue's next attempt: the first, and the maximum. It doubles with each refusal."""

_SPARED: Final = 3_600.0
"""Time (s) for which nothing is sent to a person after a refusal."""

_MOST_SPARED: Final = 10_000
"""Number of such people."""

_QUARANTINE_PAUSE: Final = 3_600.0
"""Shortest time (s) between two attempts to open a channel while the bot is quarantined."""

_KEY = ("direct messages",)


class DmAwaited(Exception):
    """The person's DM channel is opened later: they wait in the queue, or for the end of a quarantine."""


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
        self._spared: TTLCache[int, bool] = TTLCache(_MOST_SPARED, _SPARED, timer=loop_time)
        """The people whom Discord sends nothing, though they have not closed their DMs."""
        self._quarantined_at: float | None = None
        """While the bot is quarantined: the time of the last refusal for that (the event loop's, s)."""

    @property
    def is_quarantined(self) -> bool:
        """True if Discord lets the bot write to no strangers, as far as is known."""
        return self._quarantined_at is not None

    def has_refused(self, user: int) -> bool:
        """True if Discord has lately refused a message to the person, who has not closed their DMs."""
        return user in self._spared

    async def refused(self, user: int, error: discord.HTTPException) -> None:
        """Note that Discord has refused a message by DM to the person. Raises `StoreUnavailable`."""
        does = done_after(Request.DM, error)
        if does is Does.NOTES_CLOSED_DMS:
            await self._store.prefer(user, dms_closed=True)
            return
        self._spared[user] = True
        if does is Does.OPENS_NO_DMS:
            self._note_quarantine(error)
        else:
            tell_owner(Request.DM, error)

    async def try_again(self, user: int) -> None:
        """Note that the person asks for messages by DM. Raises `StoreUnavailable`."""
        self._spared.pop(user, None)
        await self._store.prefer(user, dms_closed=False)

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
        when that has changed, and once the channel is open; after a quarantine, with its next change.
        """
        async with self._turn:
            if self._is_hopeless:
                self._spared[user] = True
                raise DmAwaited
            if not self._waiting:
                try:
                    return await self._open(user)
                except discord.HTTPException as error:
                    match done_after(Request.DM_OPENING, error):
                        case Does.OPENS_NO_DMS:
                            self._spared[user] = True
                            self._note_quarantine(error)
                            raise DmAwaited from None
                        case Does.QUEUES:
                            tell_owner(Request.DM_OPENING, error)
                        case _:
                            raise
        if game is not None and game not in self._waiting.setdefault(user, set()):
            self._waiting[user].add(game)
            self._schedule(game)
            self._tasks.wake(_KEY, self._open_awaited)
        raise DmAwaited

    async def _open(self, user: int) -> int:
        channel = await self._client.create_dm(discord.Object(user))
        if self.is_quarantined:
            log.warning("Discord lets the bot write to strangers by direct message again")
            self._quarantined_at = None
            self._spared.clear()
        await self._store.prefer(user, dm_channel=channel.id)
        return channel.id

    @property
    def _is_hopeless(self) -> bool:
        """True if the bot was found quarantined less than an hour ago."""
        return self._quarantined_at is not None and loop_time() - self._quarantined_at < _QUARANTINE_PAUSE

    def _note_quarantine(self, error: discord.HTTPException) -> None:
        """Note that the bot is quarantined, and tell its owner once."""
        if not self.is_quarantined:
            tell_owner(Request.DM_OPENING, error)
        self._quarantined_at = loop_time()
        self._spared.update(dict.fromkeys(self._waiting, True))
        self._waiting.clear()

    async def _open_awaited(self) -> None:
        """Open one channel after the other."""
        pause = FIRST_PAUSE
        while self._waiting:
            await asyncio.sleep(pause)
            user = next(iter(self._waiting))
            try:
                await self._open(user)
            except NETWORK as error:
                does = done_after(Request.DM_OPENING, error)
                if does is Does.OPENS_NO_DMS and isinstance(error, discord.HTTPException):
                    self._note_quarantine(error)
                    return
                if does is Does.QUEUES or is_transient(error):
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    if does is not Does.QUEUES:
                        self._waiting[user] = self._waiting.pop(user, set())  # it may fail for them alone
                    continue
                log.info("a direct message could not be opened: %s", described(error))
            else:
                pause = max(pause / 2, FIRST_PAUSE)
            for game in self._waiting.pop(user, ()):
                self._schedule(game)

    async def say_quietly(self, user: int, line: str) -> bool:
        """Post the line without a notification; false if the person gets no messages by DM, or none yet.

        Notes a refusal. Raises the errors of a network in trouble.
        """
        if self.has_refused(user) or (await self._store.preferences(user)).dms_closed:
            return False
        try:
            try:
                await self._send(await self.channel(user), line)
            except discord.NotFound as error:
                if error.code not in GONE:
                    raise
                await self._send(await self.open(user), line)
        except DmAwaited:
            log.info("somebody is told nothing by direct message, which is not open yet")
            return False
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            await self.refused(user, error)
            return False
        return True

    async def _send(self, channel: int, line: str) -> None:
        await self._client.get_partial_messageable(channel).send(line, silent=True)
