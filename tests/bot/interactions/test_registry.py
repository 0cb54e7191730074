"""Features register commands in groups of others, and hear of what they have subscribed to."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from unittest.mock import AsyncMock, Mock, call

from discord import InteractionType, app_commands
from pydantic import SecretStr

from bot.config.settings import Settings
from bot.interactions.registry import Feature
from bot.model.table_record import Status
from bot.store.drivers.sqlite import SqliteDatabase
from engine import Discard, Resign
from tests.bot.built import built
from tests.bot.interactions.requests import pressed
from tests.bot.registered import registry
from tests.bot.seating import ADA, sit_down
from tests.bot.store.memory import MemoryStore


def _group(name: str, *, without: str = "") -> app_commands.Group:
    [group] = [each for each in registry(without=without).commands if each.name == name]
    assert isinstance(group, app_commands.Group)
    return group


def test_a_command_in_a_group_of_another_feature_has_it_without_that_feature_too() -> None:
    whole, alone = _group("crib-coach"), _group("crib-coach", without="coaching")

    assert (
        {each.name for each in whole.commands}
        > {each.name for each in alone.commands}
        == {"replay", "learn", "drill"}
    )
    assert alone.description == whole.description
    for group in (whole, alone):
        assert group.allowed_installs is not None
        assert group.allowed_contexts is not None
        assert (group.allowed_installs.guild, group.allowed_installs.user) == (True, True)
        allowed = group.allowed_contexts
        assert (allowed.guild, allowed.dm_channel, allowed.private_channel) == (True, True, True)


async def test_a_feature_hears_of_ends_of_games_and_not_of_each_card() -> None:
    heard = Mock()
    sessions, _, session, _ = await sit_down(MemoryStore())
    sessions.subscribe_to_ends(heard)
    game = session.record.game
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await sessions.move(game, ADA.user, lambda seat: Discard(seat, given))
    heard.assert_not_called()
    await sessions.move(game, ADA.user, Resign)
    [[record]] = [call.args for call in heard.call_args_list]
    assert (record.game, record.status) == (game, Status.OVER)


async def test_a_feature_hears_of_deleted_channels_and_of_new_shards(tmp_path: Path) -> None:
    heard = Mock(channel_gone=AsyncMock())
    whole = Feature(name="all", channel_gone=heard.channel_gone, shards_gained=heard.shards_gained)
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    settings = Settings(discord_token=SecretStr("t"))
    bot = built(database, MemoryStore(), settings, features=(lambda _: whole, lambda _: Feature(name="none")))
    async with bot.client:
        await bot.thread_gone(30)
        heard.channel_gone.assert_not_awaited()
        await bot.channel_gone(20)
        heard.channel_gone.assert_awaited_once_with(20)
        bot._shards_gained()
        heard.shards_gained.assert_called_once_with()
    await database.close()


async def test_a_feature_hears_of_every_command_and_press(tmp_path: Path) -> None:
    heard = Mock()
    one = Feature(name="one", pressed=heard)
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    settings = Settings(discord_token=SecretStr("t"))
    bot = built(database, MemoryStore(), settings, features=(lambda _: one, lambda _: Feature(name="none")))
    async with bot.client:
        for kind in (InteractionType.application_command, InteractionType.component):
            interaction = pressed("no:such")
            interaction.type, interaction.id = kind, 1
            interaction.client = bot.client
            await asyncio.create_task(bot.client.on_interaction(interaction))
    await database.close()
    assert heard.call_args_list == [call(1), call(1)]


def test_the_tables_own_group_has_twenty_commands_at_most_and_begins_with_new() -> None:
    commands = [each.name for each in _group("crib").commands]
    assert commands[:4] == ["new", "join", "leave", "start"]
    assert len(commands) <= 20


def test_a_context_menu_has_few_commands() -> None:
    menus = [each for each in registry().commands if isinstance(each, app_commands.ContextMenu)]
    assert sorted((each.type.name, each.name) for each in menus) == [
        ("message", "Replay this game"),
        ("user", "Challenge to cribbage"),
        ("user", "Cribbage stats"),
    ]
    assert max(Counter(each.type for each in menus).values()) <= 5
