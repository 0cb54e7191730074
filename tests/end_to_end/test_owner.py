"""What an owner does: ban, leave, forget, post a notice and name a contact."""

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


async def test_a_banned_person_is_refused_in_a_sentence_and_a_banned_server_is_left(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    archive, guild = Archive(bot.database), sandbox.world.guild
    bot.settings["BANNED"] = f"{ben.id}, 5"
    await bot.restart()
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
    assert archive.table(table.game).status is Status.CANCELLED, "the others end their game"

    bot.settings["BANNED"] = guild.id
    await bot.restart()
    await ada.until(lambda: not sandbox.world.has_bot(guild))
    sandbox.world.invite_bot()
    await ada.until(lambda: not sandbox.world.has_bot(guild))


@pytest.mark.deep
async def test_an_owner_posts_a_notice_forgets_who_asks_by_mail_and_leaves_a_server(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    for command in ("crib help", "crib-data privacy"):
        told = await reply_to(ada.command("cribbage", command))
        assert "Questions about this bot: crib@example.org" in told.text
    table = await Table.begin(sandbox.channels["cribbage"], [ada, cleo], length=61)
    lobby = await Table.gather(sandbox.channels["second-table"], [ben, cleo], length=61)
    ben.install_app()
    await Table.gather(ben.open_dm_with(cleo), [ben, cleo], behind_the_button=True, length=61)
    noon = "Down for ten minutes at noon."
    assert await said_by(sandbox, bot, "notice", noon) == (
        "The notice was posted in 2 of 2 channels with a table. The bot is no member of 1 more, "
        "and cannot post there."
    )
    for each in (lobby, table):
        assert [message.content for message in each.channel.messages.values()].count(noon) == 1
    assert not sandbox.refused_elsewhere
    await table.play(lambda: table.stands("Deal 2"))

    assert await said_by(sandbox, bot, "forget", ada.id) == f"The data of {ada.id} is deleted."
    await table.until(lambda: table.results)
    assert "Cleo wins!" in table.results[-1].text
    assert ada.id.encode() not in bot.database.read_bytes()

    guild = sandbox.world.guild
    assert "has left the server" in await said_by(sandbox, bot, "leave", guild.id)
    assert not sandbox.world.has_bot(guild)
    assert await said_by(sandbox, bot, "leave", "5") == "The bot is in no server 5."
