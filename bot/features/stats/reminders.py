"""Reminders: one direct message a day, at most, to people who want it, while slow games wait for them.

None comes for some hours (`QUIET`) after the person pressed something anywhere. The claim of a day's reminder
is stored before it is sent, so that neither a restart nor a second process sends another; one that was
certainly not sent is tried again. When Discord refuses direct messages, reminders end, and the list of the
person's games says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final

import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.stats.own_games import OwnGame, OwnGames, reminder_drawing
from bot.features.stats.reminder_store import ReminderStore
from bot.model.table_record import Pace, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.direct_messages import DirectMessages, DmAwaited
from bot.sync.discord_errors import (
    GONE,
    NETWORK,
    Does,
    Request,
    described,
    done_after,
    was_certainly_not_sent,
)
from bot.tables.presence import Presence

log = logging.getLogger(__name__)

NOTED: Final = 600
"""Accuracy (s) with which presses are noted."""

_PAUSE: Final = 300.0
"""Interval (s) between two looks for people to remind."""


class Reminders:
    """Sends reminders, and notes presses of people who want them."""

    def __init__(
        self,
        client: discord.Client,
        reminders: ReminderStore,
        own_games: OwnGames,
        *,
        store: Store,
        presence: Presence,
        dms: DirectMessages,
        voices: Voices,
        tasks: KeyedTasks,
        now: Callable[[], float],
        banned: Collection[int] = (),
    ) -> None:
        """`now` returns seconds since 1970. Only the process of the first shard sends, and not to
        the `banned`.
        """
        self._client = client
        self._reminders = reminders
        self._own_games = own_games
        self._store = store
        self._presence = presence
        self._dms = dms
        self._voices = voices
        self._tasks = tasks
        self._now = now
        self._banned = banned
        self._wanting: frozenset[int] = frozenset()
        """The people who wanted reminders at the last look."""
        self._seen: dict[int, float] = {}
        """Of these people: the times of the presses that were noted."""
        self._idle: dict[int, tuple[tuple[str, int], ...]] = {}
        """By person: their games with the versions in which none waited for them."""

    async def start(self) -> None:
        """Begin to note presses, and to look for people to remind."""
        self._wanting = await self._reminders.wanting()
        self._tasks.repeat(("reminders",), _PAUSE, self.send_due)

    def pressed(self, user: int) -> None:
        """Note that the person has pressed something. Non-blocking."""
        now = self._now()
        if user in self._wanting and now - self._seen.get(user, 0) >= NOTED:
            self._seen[user] = now
            self._tasks.wake(("reminder", str(user)), partial(self._reminders.saw, user, int(now)))

    async def send_due(self) -> None:
        """Send all reminders that are due."""
        now = int(self._now())
        self._wanting = await self._reminders.wanting()
        self._seen = {user: at for user, at in self._seen.items() if user in self._wanting}
        self._idle = {user: games for user, games in self._idle.items() if user in self._wanting}
        if not self._presence.owns(None):
            return
        await self._reminders.drop_unwanted(now)
        for user in await self._reminders.due(now):
            if user not in self._banned:
                await self._remind(user, now)

    async def _remind(self, user: int, now: int) -> None:
        """Remind the person, if a game waits for them."""
        records = [each for each in await self._store.tables_of(user) if self._counts(each)]
        versions = tuple((each.game, each.version) for each in records)
        if self._idle.get(user) == versions:
            return
        waiting = [each for each in await self._own_games.of(user, records) if each.is_own_turn]
        if not waiting:
            self._idle[user] = versions
            return
        before = await self._reminders.claim(user, now)
        if before is not None and not await self._send(user, waiting):
            await self._reminders.not_sent(user, now, before)

    def _counts(self, record: TableRecord) -> bool:
        is_slow = record.status is Status.PLAYING and record.agreement.pace is Pace.SLOW
        return is_slow and not self._presence.has_left(record)

    async def _send(self, user: int, games: Sequence[OwnGame]) -> bool:
        """Send the reminder. False if it was certainly not sent, and may be another time."""
        language = (await self._store.preferences(user)).language
        drawing = reminder_drawing(games, self._voices.of(language))
        try:
            try:
                await self._post(await self._dms.channel(user), drawing)
            except discord.NotFound as error:
                if error.code not in GONE:
                    raise
                await self._post(await self._dms.open(user), drawing)
        except DmAwaited:
            return False
        except NETWORK as error:
            log.info("somebody could not be reminded: %s", described(error))
            if isinstance(error, discord.Forbidden | discord.NotFound):
                await self._dms.refused(user, error)
                if done_after(Request.DM, error) is not Does.OPENS_NO_DMS:
                    await self._reminders.refused(user)
            return not was_certainly_not_sent(error)
        return True

    async def _post(self, channel: int, drawing: Drawing) -> None:
        await self._client.get_partial_messageable(channel).send(**drawing.to_send())
