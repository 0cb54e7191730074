"""Boards, shows and results as pictures, and as text where Discord takes no pictures."""

from __future__ import annotations

import pytest

from engine import HandCounted
from sandbox.model.channels import Message
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive, deals_of
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.tables import Table, everything_told


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """Tables have pictures."""
    return {"PICTURES": "true"}


def pictures(message: Message) -> list[tuple[str, str]]:
    """The beginning of the name, and the alt text, of each picture."""
    container = message.components[0]["components"]
    items = [item for each in container if each["type"] == 12 for item in each["items"]]
    assert [item["media"]["url"] for item in items] == [file.url for file in message.files]
    return [
        (file.filename.partition("-")[0], item["description"])
        for file, item in zip(message.files, items, strict=True)
    ]


async def begun(sandbox: Sandbox) -> Table:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    return await Table.begin(sandbox.channels["cribbage"], people, length=61)


async def test_a_game_is_drawn_from_its_first_deal_to_its_result(sandbox: Sandbox, bot: BotProcess) -> None:
    table, archive = await begun(sandbox), Archive(bot.database)
    await table.until(lambda: table.deals)
    [(kind, alt)] = pictures(table.newest)
    assert kind == "board"
    assert alt.startswith("Cribbage board to 61. Ada: 0, back peg at 0. Ben: 0, back peg at 0.")
    assert "```" not in table.newest.text

    await table.play()
    await everything_told([table], archive)
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    names, deals = archive.table(table.game).names, deals_of(archive.log(table.game))
    for number, message in table.shows:
        [(kind, alt)] = pictures(message)
        assert kind == "show", number
        # A player who pegs out on the first hand of the last deal leaves the other one uncounted.
        counted = {names[each.seat] for each in deals[number - 1] if isinstance(each, HandCounted)}
        assert {name for name in names if f"Hand of {name}: " in alt or f"Crib of {name}: " in alt} == counted
    [(kind, alt)] = pictures(table.results[0])
    assert kind == "result"
    assert "Chance of Ada to win, deal by deal: " in alt
    assert "61, back peg at" in alt


async def test_where_files_may_not_be_attached_the_table_is_text(sandbox: Sandbox, bot: BotProcess) -> None:
    channel = sandbox.channels["cribbage"]
    denied = Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.ATTACH_FILES)
    sandbox.people["Ada"].set_overwrite(channel, denied)
    table = await begun(sandbox)
    await table.play(lambda: table.stands("Deal 2"))
    await sandbox.people["Ada"].command(channel, "crib resign", sure=True)
    await everything_told([table], Archive(bot.database))
    assert [number for number, _ in table.deals] == [1, 2]
    assert not any(message.files for message in table.messages)
    assert "```" in table.results[0].text
    assert sum("without pictures" in line for line in bot.log) == 1
    bot.log.clear()


async def test_a_picture_that_discord_refuses_once_is_posted_anew(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await begun(sandbox)
    await table.until(lambda: table.deals)
    sandbox.pictures.fail(400)
    await table.play(lambda: table.moved)
    assert sandbox.pictures.failed
    assert pictures(table.newest)
    bot.log.clear()
