"""Tells Discord the bot's commands when they have changed, after the connection stands.

A digest of what was sent is kept in the store, with the ids that Discord gave the commands, by which
sentences mention them. So a restart sends nothing, and knows the ids at once; missing ids are fetched.

Whatever fails here is said in one line, and the bot plays on: Discord keeps the commands that it has. What
may pass by itself is tried again after pauses that grow, and a refusal at the next start. Where Discord asks
to wait, discord.py says for how long, and waits.
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.model.sent_commands import SentCommands
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.discord_errors import NETWORK, described, is_transient

log = logging.getLogger(__name__)

_KEY = ("commands",)

_FIRST_PAUSE, _LONGEST_PAUSE = 15.0, 3_600.0
"""Seconds between two attempts; each pause is twice as long as the one before."""

_MOST_A_DAY = 30034
"""Discord's code when too many commands were created in a day."""


class CommandSync:
    """Keeps Discord's commands, and the mentions of them, as the command tree has them."""

    def __init__(
        self,
        client: discord.Client,
        tree: app_commands.CommandTree[Any],
        store: Store,
        voices: Voices,
        tasks: KeyedTasks,
    ) -> None:
        self._client = client
        self._tree = tree
        self._store = store
        self._voices = voices
        self._tasks = tasks
        self._pause = _FIRST_PAUSE
        self._has_started = False

    async def load_mentions(self) -> None:
        """Mention the commands as Discord was last heard to have them."""
        if (sent := await self._store.sent_commands(self._application)) is not None:
            self._voices.mention(sent.ids)

    def start(self) -> None:
        """The connection stands: send what has changed, the first time that it does. Only queues."""
        if not self._has_started:
            self._has_started = True
            self._tasks.wake(_KEY, self._synchronise)

    @property
    def _application(self) -> int:
        application = self._client.application_id
        assert application is not None, "the client has logged in"
        return application

    async def _synchronise(self) -> None:
        """Raises `RetryLater` after what may pass by itself, and `StoreUnavailable`."""
        digest = await self._digest()
        sent = await self._store.sent_commands(self._application)
        if sent is not None and sent.digest == digest and self._are_all_in(sent):
            return
        try:
            if sent is None or sent.digest != digest:
                commands = await self._tree.sync()
                log.info("Discord has the bot's commands as they are now")
            else:
                commands = await self._tree.fetch_commands()
        except NETWORK as error:
            self._say(error)
            return
        ids = {command.name: command.id for command in commands}
        self._voices.mention(ids)
        await self._store.keep_commands(SentCommands(application=self._application, digest=digest, ids=ids))

    def _say(self, error: Exception) -> None:
        """Say what has failed. Raises `RetryLater` where it may pass by itself."""
        is_for_today = isinstance(error, discord.HTTPException) and error.code == _MOST_A_DAY
        if not is_transient(error) and not is_for_today:
            log.warning("Discord refuses the bot's new commands until the next start: %s", described(error))
            return
        pause, self._pause = self._pause, min(2 * self._pause, _LONGEST_PAUSE)
        log.warning("Discord has not taken the bot's commands (%s): again in %.0f s", described(error), pause)
        raise RetryLater(pause)

    async def _digest(self) -> str:
        translator = self._tree.translator
        payload = [
            command.to_dict(self._tree)
            if translator is None
            else await command.get_translated_payload(self._tree, translator)
            for command in self._tree.get_commands()
        ]
        written = json.dumps(payload, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()

    def _are_all_in(self, sent: SentCommands) -> bool:
        return {command.name for command in self._tree.get_commands()} <= sent.ids.keys()
