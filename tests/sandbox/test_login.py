"""Logging in: account, application, commands, and 401 without a token."""

import discord
import pytest

from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot, pointed_at, running


async def test_a_client_logs_in_and_finds_the_guild(sandbox: Sandbox, bot: TableBot) -> None:
    [guild] = bot.guilds

    assert guild.name == "The Crib Room"
    assert {channel.name for channel in guild.text_channels} == {"cribbage", "second-table", "general"}
    assert guild.me.id == int(sandbox.world.bot.id)
    assert guild.me.guild_permissions.send_messages
    assert sandbox.gateway.bot_is_online


async def test_a_wrong_token_gets_401(sandbox: Sandbox, rest: Rest) -> None:
    assert await rest("GET", "/users/@me", token="wrong") == (
        401,
        {"message": "401: Unauthorized", "code": 0},
    )
    with pointed_at(sandbox.url), pytest.raises(discord.LoginFailure):
        async with TableBot() as bot:
            await bot.login("wrong")


async def test_commands_keep_their_ids_when_they_are_set_again(sandbox: Sandbox, bot: TableBot) -> None:
    first = await bot.tree.fetch_commands()
    again = await bot.tree.sync()

    assert [command.id for command in first] == [command.id for command in again]
    assert [command.name for command in again] == ["crib"]


async def test_commands_of_a_guild_stand_beside_the_global_ones(sandbox: Sandbox, bot: TableBot) -> None:
    guild = discord.Object(int(sandbox.world.guild.id))
    bot.tree.copy_global_to(guild=guild)
    await bot.tree.sync(guild=guild)

    assert len(sandbox.people["Ada"].commands("cribbage")) == 2


async def test_the_remaining_lookups(sandbox: Sandbox, bot: TableBot) -> None:
    application = await bot.application_info()
    guild = await bot.fetch_guild(bot.guilds[0].id)
    member = await guild.fetch_member(int(sandbox.people["Ben"].id))
    channels = await guild.fetch_channels()
    roles = await guild.fetch_roles()

    assert application.id == bot.application_id
    assert member.global_name == "Ben"
    assert len(channels) == 3
    assert {role.name for role in roles} == {"@everyone", "Fifteen Two"}
    assert [each.name async for each in bot.fetch_guilds()] == ["The Crib Room"]
    with pytest.raises(discord.NotFound) as missing:
        await bot.fetch_user(1)
    assert missing.value.code == 10013


async def test_the_address_of_the_gateway_is_returned(sandbox: Sandbox, rest: Rest) -> None:
    _, answer = await rest("GET", "/gateway/bot")

    assert answer["url"] == sandbox.url.replace("http", "ws") + "/gateway"
    assert answer["session_start_limit"]["remaining"] == 1000


async def test_an_unknown_path_is_404(rest: Rest, conformance: Conformance) -> None:
    assert (await rest("GET", "/nonsense"))[0] == 404
    assert [violation.message for violation in conformance.violations] == ["there is no such operation"]
    conformance.violations.clear()


async def test_a_sharded_client_asks_for_its_gateway_and_gets_in(sandbox: Sandbox) -> None:
    class Sharded(TableBot, discord.AutoShardedClient):
        pass

    async with running(sandbox, Sharded()) as bot:
        assert bot.guilds[0].name == "The Crib Room"
