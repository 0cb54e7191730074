"""A table whose actions are real and whose messages are not, and answers that record what they are given."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import call

import discord

from bot.interactions.hand_panel import HandPanel
from bot.interactions.table_actions import TableActions
from bot.model.table_record import Agreement
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Session, Sessions
from bot.tables.voting import Voting
from engine.computer import Level
from tests.bot.answered import context_of
from tests.bot.render.games import words
from tests.bot.seating import Guest, gather, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync

GUILD, CHANNEL, DM = 10, 20, 30

_WAYS = ("reply", "show", "post", "redraw", "nothing", "ask")


class _Way:
    """Keeps what it is sent, as an `AsyncMock` does, whose set-up costs more than most actions."""

    def __init__(self) -> None:
        self.await_args_list: list[Any] = []
        self.side_effect: Any = None
        """The error of the next calls, if any."""

    async def __call__(self, *args: object, **keywords: object) -> None:
        self.await_args_list.append(call(*args, **keywords))
        if self.side_effect is not None:
            raise self.side_effect

    @property
    def await_args(self) -> Any:
        return self.await_args_list[-1]

    @property
    def await_count(self) -> int:
        return len(self.await_args_list)


class _Recording(SimpleNamespace):
    """Takes what it is sent."""

    def __getattr__(self, name: str) -> _Way:
        if name not in {*_WAYS, "defer", "send"}:
            raise AttributeError(name)
        way = _Way()
        setattr(self, name, way)
        return way


async def _learner(_: int) -> Level:
    return Level.LEARNER


class Room:
    """A table's actions over a store in memory; what would be drawn on pressed messages is on `redraw`."""

    def __init__(self, store: MemoryStore, sessions: Sessions, lobbies: Lobbies) -> None:
        self.store, self.sessions, self.lobbies = store, sessions, lobbies
        self.voting = Voting(store, sessions)
        self.sync = fake_sync()
        self.tables = TableActions(
            store, sessions, lobbies, self.sync, rests=lambda _: False, usual_level=_learner
        )
        self.panel = self.tables.hand_panel = stand_in(HandPanel)

    @classmethod
    async def lobby(cls, agreement: Agreement | None = None) -> tuple[Room, str]:
        """A room with a full lobby, and its game."""
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        return cls(store, sessions, lobbies), (await gather(lobbies, agreement)).game

    @classmethod
    async def game(cls, agreement: Agreement | None = None) -> tuple[Room, Session]:
        """A room with a game that has just begun."""
        store = MemoryStore()
        sessions, lobbies, session, _ = await sit_down(store, agreement)
        return cls(store, sessions, lobbies), session

    @property
    def scheduled(self) -> list[str]:
        """The games whose messages are to be brought up to date."""
        return [call.args[0] for call in self.sync.queue.schedule.call_args_list]

    @property
    def redrawn(self) -> str:
        """Current text of the message that was pressed."""
        drawn: Drawing = self.panel.redraw.await_args.args[2]
        return words(drawn)


def asked_by(
    person: Guest,
    *,
    guild: int | None = GUILD,
    channel: int = CHANNEL,
    pressed: bool = False,
    venue: Venue | None = None,
    **may: bool,
) -> Any:
    """An answer to that person, who asks by a command unless they `pressed` a button.

    The bot is in the server, or it is its own DM, unless the `venue` is anywhere.
    """
    is_anywhere = venue is Venue.ANYWHERE
    interaction = SimpleNamespace(
        user=_Recording(id=person.user, display_name=person.name),
        guild_id=guild,
        channel_id=channel,
        guild=None,
        guild_locale=None,
        locale="en-GB",
        context=SimpleNamespace(dm_channel=False) if is_anywhere else context_of(guild),
        client=SimpleNamespace(
            get_guild=lambda _: None if is_anywhere else object(), get_channel=lambda _: None
        ),
        is_guild_integration=lambda: not is_anywhere,
        application_id=1,
        channel=None,
        app_permissions=discord.Permissions.all(),
        permissions=discord.Permissions(**{"send_messages": True, **may}),
        message=SimpleNamespace(id=70, flags=SimpleNamespace(ephemeral=False)) if pressed else None,
    )
    return _Recording(
        interaction=interaction,
        user=person.user,
        voice=Voice(),
        is_command=not pressed,
        record=None,
    )


def given(answer: Any) -> list[tuple[str, str]]:
    """Everything that was answered: how, and in which words."""
    said = []
    for way in (each for each in _WAYS if each in vars(answer)):
        for sent in getattr(answer, way).await_args_list:
            shown = sent.args[0] if sent.args else ""
            said.append((way, words(shown) if isinstance(shown, Drawing) else str(shown)))
    return said
