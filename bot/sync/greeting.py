"""Answers messages that people write to the bot in its DM, with an explanation of how it is used.

The content of their messages is never read. Messages arrive as the gateway's payloads: discord.py would build
a `Message` for each, also for the bot's own ephemeral messages, which the same intent delivers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

import discord
from cachetools import TTLCache

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.concurrency.loop_time import loop_time
from bot.render.messages.hello import hello_drawing
from bot.store import Store
from bot.sync.discord_errors import NETWORK, described, is_transient
from bot.sync.parts import Sync

log = logging.getLogger(__name__)

_QUIET: Final = 60.0
"""Cooldown (s) of answers to one person."""

_REMEMBERED: Final = 10_000
"""Number of people whose cooldown is tracked."""

_SAID_BY_PEOPLE: Final = frozenset({discord.MessageType.default.value, discord.MessageType.reply.value})


class Greeting:
    """Answers each person's messages, with a cooldown."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        sync: Sync,
        tasks: KeyedTasks,
        *,
        banned: Collection[int] = (),
        clock: Callable[[], float] = loop_time,
    ) -> None:
        """`banned` people get no answer. `clock` counts seconds."""
        self._banned = banned
        self._client = client
        self._store = store
        self._sync = sync
        self._tasks = tasks
        self._answered: TTLCache[int, bool] = TTLCache(_REMEMBERED, _QUIET, timer=clock)

    def on_message(self, message: Mapping[str, Any]) -> None:
        """Note a message event's payload. Non-blocking: schedules an answer."""
        if "guild_id" in message or message.get("type") not in _SAID_BY_PEOPLE:
            return
        author = message["author"]
        user = int(author["id"])
        if author.get("bot") or "webhook_id" in message or user in self._answered or user in self._banned:
            return
        self._answered[user] = True
        greet = partial(self._greet, user, int(message["channel_id"]), str(message["id"]))
        self._tasks.wake(("greeting", str(user)), greet)

    async def _greet(self, user: int, channel: int, message: str) -> None:
        """Answer; repost the table instead if a game is on in that DM, since they probably look for it."""
        record = await self._store.table_in(channel)
        if record is not None:
            self._sync.queue.repost(record.game)
            return
        drawing = hello_drawing(self._sync.voices.of((await self._store.preferences(user)).language))
        place = self._client.get_partial_messageable(channel)
        try:
            await place.send(**drawing.to_send(), nonce=message)
        except NETWORK as error:
            if is_transient(error):
                raise RetryLater from None
            log.info("somebody could not be greeted: %s", described(error))
