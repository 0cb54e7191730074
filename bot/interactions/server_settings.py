"""The moderators' settings for the tables in their server: the language, and the display of boards.

Discord offers `/crib-settings` to members with *Manage Server*, and to those whom the server's *Integrations*
name. Each use is checked here, also of the panel, whose user may no longer be a moderator.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.interactions.answering import Answer
from bot.language.languages import LANGUAGES
from bot.model.custom_ids import ServerChoice
from bot.model.errors import NoServer, Refused, StaleButton, TableRefusal
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from bot.render.messages.server_settings import SERVERS_OWN, server_settings_drawing
from bot.store import Store
from bot.sync.venues import guild_of

_COMMAND: Final = "crib-settings"


class ServerActions:
    """The settings of servers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(self, answer: Answer) -> None:
        """Show the panel to a moderator. Raises `NoServer` and `NOT_MODERATOR`."""
        settings = await self._store.server(moderated(answer, _COMMAND))
        own = answer.interaction.guild_locale
        await answer.show(server_settings_drawing(settings, own and own.value, answer.voice))

    async def choose(self, answer: Answer, choice: ServerChoice, value: str) -> None:
        """Change one setting. Raises `NoServer`, `NOT_MODERATOR`, and `StaleButton` for an unknown value."""
        guild = moderated(answer, _COMMAND)
        settings = _changed(await self._store.server(guild), choice, value)
        await self._store.keep_server(guild, settings)
        own = answer.interaction.guild_locale
        await answer.redraw(server_settings_drawing(settings, own and own.value, answer.voice))


def moderated(answer: Answer, command: str) -> int:
    """The server's id, if the user of that command is a moderator there.

    Raises `NoServer` and `NOT_MODERATOR`.
    """
    interaction = answer.interaction
    guild = guild_of(interaction)
    if guild is None:
        raise NoServer(command)
    if not (interaction.permissions.manage_guild or interaction.permissions.manage_channels):
        raise Refused(TableRefusal.NOT_MODERATOR)
    return guild


def _changed(settings: ServerSettings, choice: ServerChoice, value: str) -> ServerSettings:
    match choice:
        case ServerChoice.LANGUAGE if value == SERVERS_OWN:
            return replace(settings, language=None)
        case ServerChoice.LANGUAGE if value in LANGUAGES:
            return replace(settings, language=value)
        case ServerChoice.BOARD if value in {each.value for each in Board}:
            return replace(settings, board=Board(value))
        case _:
            raise StaleButton(0, 0)
