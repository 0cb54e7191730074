"""A fake answer whose token can edit it again, and its open copies."""

from __future__ import annotations

import asyncio
import itertools
import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
from discord.utils import utcnow

from bot.render.drawing import Drawing, Layout
from bot.sync.ephemeral_hands import EphemeralHands
from tests.bot.render.games import words

MEMBER = SimpleNamespace(get_guild=lambda _: object())
"""A client that is a member of every server."""


def context_of(guild: int | None) -> Any:
    """The context of an interaction in that server, or in the bot's DM."""
    return SimpleNamespace(dm_channel=guild is None)


class Answered:
    """An interaction whose answer can be edited, at the pace of a test."""

    def __init__(
        self, user: int = 1, message: int = 70, *, age: timedelta = timedelta(), first_posted: int = 1_001
    ) -> None:
        """Messages that are posted by its token have the ids from `first_posted` on."""
        self.user = SimpleNamespace(id=user)
        self.message = SimpleNamespace(id=message)
        self.locale = "en-GB"
        self.response = SimpleNamespace(type=discord.InteractionResponseType.message_update)
        self.guild_id: int | None = 10
        self.client = MEMBER
        self.context = context_of(self.guild_id)
        self.extras: dict[str, int] = {}
        self.followup = SimpleNamespace(
            edit_message=self._edit_follow_up, send=self._send, delete_message=self._delete, session=None
        )
        self._ids = itertools.count(first_posted)
        self.posted: list[str] = []
        """Texts of the follow-ups."""
        self.deleted: list[int] = []
        self.expires_at = utcnow() - age + timedelta(minutes=15)
        self.edits: list[str] = []
        self.labels: list[str] = []
        """Labels of the buttons in the last edit."""
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.errors: list[Exception] = []
        """Errors of the next edits."""
        self.follow_ups: list[int] = []
        """Ids of the follow-ups that were edited."""

    async def edit_original_response(self, *, view: Layout, **_: object) -> None:
        self.edits.append(words(Drawing(view)))
        self.labels = re.findall(r"'label': '([^']+)'", str(view.to_components()))
        await self.is_open.wait()
        if self.errors:
            raise self.errors.pop(0)

    async def delete_original_response(self) -> None:
        await self._delete(self.message.id)

    async def _send(self, *, view: Layout, ephemeral: bool, wait: bool) -> SimpleNamespace:
        assert ephemeral
        assert wait
        await self.is_open.wait()
        if self.errors:
            raise self.errors.pop(0)
        self.posted.append(words(Drawing(view)))
        return SimpleNamespace(id=next(self._ids))

    async def _delete(self, message: int) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.deleted.append(message)

    async def _edit_follow_up(self, message: int, *, view: Layout, **_: object) -> None:
        self.follow_ups.append(message)
        await self.edit_original_response(view=view)


async def drawn(copies: EphemeralHands) -> None:
    """Wait until all copies are up to date."""
    while copies.backlog:  # noqa: ASYNC110 -- what is waited for has no event
        await asyncio.sleep(0)
