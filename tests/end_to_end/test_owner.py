"""Commands of an owner: ban, leave, forget, post a notice and name a contact, over real sockets."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bot.model.table_record import Status
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess, environment
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, reply_to

EXCLUDED = "Whoever runs this bot has excluded you, or this server, from it."


@pytest.fixture
def bot_settings() -> dict[str, str]:
    return {"CONTACT": "crib@example.org"}


async def said_by(sandbox: Sandbox, bot: BotProcess, *command: str) -> str:
    """The output of a command of the owner."""
    variables = environment(DISCORD_TOKEN=sandbox.token, DISCORD_URL=sandbox.url, DATABASE=str(bot.database))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *command),
        cwd=bot.database.parent,
        env=variables,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, warned = await process.communicate()
    assert process.returncode == 0
    assert not warned
    return said.decode().strip()


async def restarted(bot: BotProcess, banned: str) -> None:
    """The bot, started again with that setting."""
    bot.settings["BANNED"] = banned
    await bot.restart()


async def test_a_banned_person_is_refused_in_a_sentence_and_the_others_end_their_game(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    archive = Archive(bot.database)
    await restarted(bot, f"{ben.id}, 5")
    await table.until(lambda: of_verb(table.newest, "hand"))
    before = archive.log(table.game)

    for asked in (
        ben.press(table.newest, "My hand"),
        ben.command(table.channel, "crib end"),
        ben.command(sandbox.channels["second-table"], "crib new"),
        ben.command(table.channel, "crib-stats player"),
    ):
        assert (await reply_to(asked)).text == EXCLUDED
    assert archive.log(table.game) == before

    assert "Game cancelled" in (await reply_to(ada.command(table.channel, "crib end"))).text
    assert archive.table(table.game).status is Status.CANCELLED


async def test_a_banned_server_is_left_at_the_start_and_when_it_invites_the_bot_again(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    guild = sandbox.world.guild
    ada = sandbox.people["Ada"]
    await restarted(bot, guild.id)
    await ada.until(lambda: not sandbox.world.has_bot(guild))
    sandbox.world.invite_bot()
    await ada.until(lambda: not sandbox.world.has_bot(guild))


async def test_a_person_who_asks_by_mail_is_forgotten_while_the_bot_runs(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, cleo = sandbox.people["Ada"], sandbox.people["Cleo"]
    table = await Table.begin(sandbox.channels["cribbage"], [ada, cleo], length=61)
    assert await said_by(sandbox, bot, "forget", ada.id) == f"The data of {ada.id} is deleted."
    await table.until(lambda: table.results)
    assert "Cleo wins!" in table.results[-1].text
    assert ada.id.encode() not in bot.database.read_bytes()


async def test_a_notice_is_posted_once_in_each_channel_with_a_table(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Cleo"]]
    lobby = await Table.gather(sandbox.channels["second-table"], people, length=61)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    said = await said_by(sandbox, bot, "notice", "Down for ten minutes at noon.")
    assert said == "The notice was posted in 2 of 2 channels with a table."
    for each in (lobby, table):
        posted = [m for m in each.channel.messages.values() if m.content == "Down for ten minutes at noon."]
        assert len(posted) == 1
    await table.play(lambda: table.stands("Deal 2"))


async def test_a_notice_leaves_out_the_places_where_the_bot_is_no_member(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    await Table.gather(ada.open_dm_with(ben), [ada, ben], behind_the_button=True, length=61)
    said = await said_by(sandbox, bot, "notice", "Down for ten minutes at noon.")
    assert said == (
        "The notice was posted in 0 of 0 channels with a table. The bot is no member of 1 more, "
        "and cannot post there."
    )
    assert not sandbox.refused_elsewhere


async def test_a_server_is_left_by_a_command(sandbox: Sandbox, bot: BotProcess) -> None:
    guild = sandbox.world.guild
    assert "has left the server" in await said_by(sandbox, bot, "leave", guild.id)
    assert not sandbox.world.has_bot(guild)
    assert await said_by(sandbox, bot, "leave", "5") == "The bot is in no server 5."


async def test_the_help_and_the_answer_about_ones_data_name_the_contact(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    for command in ("crib help", "crib-data privacy"):
        told = await reply_to(ada.command(channel, command))
        assert "Questions about this bot: crib@example.org" in told.text
