"""Server settings for new tables; an open table keeps those that it was opened with."""

from __future__ import annotations

import pytest

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """Tables have pictures."""
    return {"PICTURES": "true"}


async def settings(person: Person, channel: str = "cribbage") -> Message:
    """The answer to `/crib-settings`."""
    return await reply_to(person.command(channel, "crib-settings"))


async def is_drawn(table: Table) -> bool:
    """True if its board is a picture, once posted; else it is text."""
    await table.cut_for_deal()
    await table.until(lambda: table.deals and (table.newest.files or "```" in table.newest.text))
    return bool(table.newest.files)


async def test_the_language_of_tables_is_the_moderators_choice_and_fixed_for_each(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    before = await lobby_by(ada.command("cribbage", "crib new"))
    panel = await settings(ada)
    assert panel.is_ephemeral
    await ada.choose(panel, "server:language", ["fr"])
    await bot.restart()

    after = await lobby_by(ada.command("second-table", "crib new"))
    assert "Ada veut jouer au cribbage" in after.text
    assert "Ada wants to play cribbage" in before.text
    await sandbox.people["Ben"].press(before, "Join")
    await ada.until(lambda: "All here" in before.text)
    assert [each.language for each in archive.tables()] == ["en-US", "fr"]

    panel = await settings(ada)
    await ada.choose(panel, "server:language", ["server"])
    ada.choose_server_language("fr")
    await reply_to(ada.command("general", "crib new", computer="beginner"))
    assert archive.tables()[-1].language == "fr"


async def test_a_board_is_text_where_the_server_or_the_table_wants_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    drawn = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    own = await Table.begin(sandbox.channels["second-table"], people, length=61, board="text")
    assert (await is_drawn(drawn), await is_drawn(own)) == (True, False)

    panel = await settings(ada)
    await ada.choose(panel, "server:board", ["text"])
    as_set = await Table.begin(sandbox.channels["general"], people, length=61)
    thread = ben.start_thread("general", "another")
    otherwise = await Table.begin(thread, people, length=61, board="pictures")
    assert (await is_drawn(as_set), await is_drawn(otherwise)) == (False, True)

    await bot.restart()
    for table in (drawn, own):
        before = table.newest.id
        await reply_to(ada.command(table.channel, "crib table"))
        await table.until(lambda table=table, before=before: table.newest.id != before)
    assert (await is_drawn(drawn), await is_drawn(own)) == (True, False)


async def test_the_host_chooses_the_board_in_the_rules(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61)
    panel = await reply_to(ada.press(table.lobby, "Rules"))
    await ada.press(panel, "Selects instead")
    await ada.choose(panel, (of_verb(panel, "setting") or {})["custom_id"], ["board"])
    await ada.choose(panel, (of_verb(panel, "set") or {})["custom_id"], ["text"])
    await ben.press(table.lobby, "Start")
    assert not await is_drawn(table)


async def test_only_moderators_set_anything_and_only_in_a_server(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    assert "Only moderators" in (await settings(ben)).text
    assert "in a channel of yours" in (await reply_to(ada.command(ada.open_dm(), "crib-settings"))).text

    channel = sandbox.channels["cribbage"]
    ada.set_overwrite(channel, Overwrite(ben.id, is_member=True, allow=Permission.MANAGE_CHANNELS))
    panel = await settings(ben)
    ada.set_overwrite(channel, Overwrite(ben.id, is_member=True))
    refused = await reply_to(ben.choose(panel, "server:board", ["text"]))
    assert "Only moderators" in refused.text
    table = await Table.begin(channel, [ada, ben], length=61)
    assert await is_drawn(table)
