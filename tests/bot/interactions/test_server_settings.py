"""Only moderators choose for their server, and only what can be chosen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.interactions.server_settings import ServerActions
from bot.model.custom_ids import ServerChoice
from bot.model.errors import NoServer, StaleButton, TableRefusal
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from bot.render.messages.server_settings import SERVERS_OWN
from bot.render.text.voice import Voice
from tests.bot.answered import MEMBER, context_of
from tests.bot.refusing import refused
from tests.bot.render.games import words
from tests.bot.store.memory import MemoryStore

GUILD = 10


def asked(guild: int | None = GUILD, *, is_member: bool = True, **permissions: bool) -> Any:
    """The answer to somebody with these permissions, in a French server in which the bot `is_member`."""
    interaction = SimpleNamespace(
        guild_id=guild,
        guild_locale=discord.Locale.french,
        permissions=discord.Permissions(**permissions),
        client=MEMBER if is_member else SimpleNamespace(get_guild=lambda _: None),
        context=context_of(guild),
    )
    return SimpleNamespace(
        interaction=interaction, user=1, voice=Voice(), show=AsyncMock(), redraw=AsyncMock()
    )


@pytest.mark.parametrize("permission", ["manage_guild", "manage_channels"])
async def test_a_moderator_is_shown_the_settings_with_the_server_s_own_language(permission: str) -> None:
    answer = asked(**{permission: True})
    await ServerActions(MemoryStore()).open(answer)
    assert "the server's own (Français)" in words(answer.show.await_args.args[0])


@pytest.mark.parametrize(
    ("choice", "value", "settings"),
    [
        (ServerChoice.LANGUAGE, "en", ServerSettings(language="en", board=Board.TEXT)),
        (ServerChoice.LANGUAGE, SERVERS_OWN, ServerSettings(language=None, board=Board.TEXT)),
        (ServerChoice.BOARD, "pictures", ServerSettings(language="fr", board=Board.PICTURES)),
    ],
)
async def test_a_choice_changes_one_setting_and_leaves_the_other(
    choice: ServerChoice, value: str, settings: ServerSettings
) -> None:
    store, answer = MemoryStore(), asked(manage_guild=True)
    await store.keep_server(GUILD, ServerSettings(language="fr", board=Board.TEXT))
    await ServerActions(store).choose(answer, choice, value)
    assert await store.server(GUILD) == settings
    answer.redraw.assert_awaited_once()


@pytest.mark.parametrize(
    ("choice", "value"),
    [(ServerChoice.LANGUAGE, "xx"), (ServerChoice.BOARD, "stone"), (ServerChoice.BOARD, "")],
)
async def test_what_cannot_be_chosen_any_more_changes_nothing(choice: ServerChoice, value: str) -> None:
    store = MemoryStore()
    with pytest.raises(StaleButton):
        await ServerActions(store).choose(asked(manage_guild=True), choice, value)
    assert await store.server(GUILD) == ServerSettings()


async def test_nobody_else_chooses_and_a_place_without_the_bot_has_no_settings() -> None:
    store = MemoryStore()
    servers = ServerActions(store)
    answer = asked(manage_messages=True)
    for ask in (servers.open(answer), servers.choose(answer, ServerChoice.BOARD, "text")):
        with refused(TableRefusal.NOT_MODERATOR):
            await ask
    for answer in (asked(None, manage_guild=True), asked(is_member=False, manage_guild=True)):
        for ask in (servers.open(answer), servers.choose(answer, ServerChoice.BOARD, "text")):
            with pytest.raises(NoServer) as error:
                await ask
            assert error.value.command == "crib-settings"
    assert await store.server(GUILD) == ServerSettings()
