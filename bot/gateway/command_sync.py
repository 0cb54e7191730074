"""Registers the bot's commands with Discord if they have changed, after the first connection.

The store keeps a digest of the registered commands, and their ids, with which texts mention them. So a
restart sends nothing and has the ids at once; missing ids are fetched.

A failure is logged in one line and stops nothing else: Discord keeps the former commands. Transient errors
are retried with exponential backoff, refusals at the next start. discord.py waits for rate limits itself.
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
from bot.sync.discord_errors import NETWORK, Does, Request, described, done_after, is_transient

log = logging.getLogger(__name__)

_KEY = ("commands",)

_FIRST_PAUSE, _LONGEST_PAUSE = 15.0, 3_600.0
"""Delay (s) between two attempts, first and maximum; it doubles each time."""


class CommandSync:
    """Keeps Discord's commands, and the ids in mentions of them, equal to the command tree."""

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
        """Mention the commands with their stored ids."""
        if (sent := await self._store.sent_commands(self._application)) is not None:
            self._voices.mention(sent.ids)

    def start(self) -> None:
        """Send changed commands on the first connection. Non-blocking: schedules the work."""
        if not self._has_started:
            self._has_started = True
            self._tasks.wake(_KEY, self._sync_commands)

    @property
    def _application(self) -> int:
        application = self._client.application_id
        assert application is not None, "the client has logged in"
        return application

    async def _sync_commands(self) -> None:
        """Send or fetch the commands if necessary. Raises `RetryLater` and `StoreUnavailable`."""
        digest = await self._digest()
        sent = await self._store.sent_commands(self._application)
        if sent is not None and sent.digest == digest and self._has_all_ids(sent):
            return
        try:
            if sent is None or sent.digest != digest:
                commands = await self._tree.sync()
                log.info("Discord has the bot's commands as they are now")
            else:
                commands = await self._tree.fetch_commands()
        except NETWORK as error:
            self._report(error)
            return
        ids = {command.name: command.id for command in commands}
        self._voices.mention(ids)
        await self._store.keep_commands(SentCommands(application=self._application, digest=digest, ids=ids))

    def _report(self, error: Exception) -> None:
        """Log the error. Raises `RetryLater` if it is transient."""
        if not is_transient(error) and done_after(Request.COMMANDS, error) is not Does.RETRIES_SELDOM:
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

    def _has_all_ids(self, sent: SentCommands) -> bool:
        return {command.name for command in self._tree.get_commands()} <= sent.ids.keys()
