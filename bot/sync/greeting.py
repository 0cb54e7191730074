"""Answers people who write to the bot in its DM, as they do who do not know how it is used.

That somebody has written is all that is looked at, never what. Messages come as the gateway sends them, a
dict each: discord.py would make a `Message` of every one, the bot's own ephemeral messages too, which come
with the same intent.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import discord
from cachetools import TTLCache

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.render.messages.hello import hello_drawing
from bot.store import Store
from bot.sync.discord_errors import NETWORK, described, passes_by_itself
from bot.sync.parts import Sync

log = logging.getLogger(__name__)

_QUIET: Final = 60.0
"""Seconds after an answer in which the same person gets no other."""

_REMEMBERED: Final = 10_000
"""People whose last answer is remembered."""

_SAID_BY_PEOPLE: Final = frozenset({discord.MessageType.default.value, discord.MessageType.reply.value})


class Greeting:
    """Knows who was answered lately, and answers the others."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        sync: Sync,
        tasks: KeyedTasks,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` is in seconds."""
        self._client = client
        self._store = store
        self._sync = sync
        self._tasks = tasks
        self._answered: TTLCache[int, bool] = TTLCache(_REMEMBERED, _QUIET, timer=clock)

    def heard(self, message: Mapping[str, Any]) -> None:
        """The gateway tells of a new message, in its own form. Only queues."""
        if "guild_id" in message or message.get("type") not in _SAID_BY_PEOPLE:
            return
        author = message["author"]
        user = int(author["id"])
        if author.get("bot") or "webhook_id" in message or user in self._answered:
            return
        self._answered[user] = True
        greet = partial(self._greet, user, int(message["channel_id"]), str(message["id"]))
        self._tasks.wake(("greeting", str(user)), greet)

    async def _greet(self, user: int, channel: int, message: str) -> None:
        """Greet, or bring the table of a game that is on to the bottom: then that is what they look for."""
        record = await self._store.table_in(channel)
        if record is not None:
            self._sync.queue.repost(record.game)
            return
        drawing = hello_drawing(self._sync.voices.of((await self._store.preferences(user)).language))
        place = self._client.get_partial_messageable(channel)
        try:
            await place.send(**drawing.to_send(), nonce=message)
        except NETWORK as error:
            if passes_by_itself(error):
                raise RetryLater from None
            log.info("somebody could not be greeted: %s", described(error))
