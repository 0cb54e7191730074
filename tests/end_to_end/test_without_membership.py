"""Where the bot is no member: old tables lead to the new one, and the end comes by any token and once."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, reply_to

pytestmark = pytest.mark.deep
LIFE = 900
"""Time (s) for which a token edits and posts."""


async def test_every_old_message_leads_to_the_table_that_came_down(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    for person in people:
        person.install_app()
    table = await Table.gather(ada.open_dm_with(ben), people, behind_the_button=True, length=61)
    await table.start()
    await table.until(lambda: "cut for the deal" in table.messages[-1].text)
    for number, person in ((2, ada), (3, ben)):
        sandbox.clock.advance(LIFE + 1)
        await person.command(table.channel, "crib table")
        await table.until(lambda number=number: len(table.messages) == number)
    *old, newest = table.messages
    for each in old:
        await ben.press(each, "My hand")
        await table.until(lambda each=each: "moved down" in each.text)
        [link] = each.buttons
        assert link["url"].endswith(f"/@me/{table.channel.id}/{newest.id}")
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: "**Deal 2**" in newest.text)
    assert table.messages[-1] is newest
    assert sandbox.refused_elsewhere == []


async def test_the_end_comes_by_the_one_whose_follow_ups_only_they_would_see(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    channel = next(iter(sandbox.world.add_guild("Elsewhere", with_bot=False).channels.values()))
    ada.install_app()
    sandbox.allow_external_apps(channel, ben, allowed=False)
    ben.install_app()
    table = await Table.gather(channel, people, behind_the_button=True, length=61)
    await table.start()
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: "**Deal 2**" in table.messages[-1].text)
    assert len(table.messages) == 1
    sandbox.clock.advance(LIFE + 1)
    await reply_to(ben.command(channel, "crib resign", sure=True))
    await ada.press(table.messages[0], "My hand")
    await table.until(lambda: "🏆" in table.messages[-1].text)
    assert sandbox.refused_elsewhere == []


async def test_a_restart_after_the_result_posts_nothing_again(sandbox: Sandbox, bot: BotProcess) -> None:
    """The bot dies after the result is posted, and before it has stored that it drew the table."""
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    ada.install_app()
    table = await Table.gather(ada.open_dm_with(ben), people, behind_the_button=True, length=61)
    await table.start()
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: "**Deal 2**" in table.messages[-1].text)
    await reply_to(ada.command(table.channel, "crib resign", sure=True))
    await table.until(lambda: "🏆" in table.messages[-1].text and archive.is_synced(table.game))
    result, shown = table.messages[-1], len(table.messages)
    await bot.stop()
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("UPDATE games SET told = told - 2")
        connection.execute("UPDATE posts SET drawn = ''")
    await bot.start()
    await table.until(lambda: archive.is_synced(table.game))
    assert (await reply_to(ben.press(result, "Review"))).text.startswith("## You won")
    assert len(table.messages) == shown
