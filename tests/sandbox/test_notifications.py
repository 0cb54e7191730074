"""Push notifications: who gets one for which message, and what it says."""

from typing import Any

import discord
import pytest
from discord import ui

from sandbox.server import Sandbox
from tests.sandbox.table_bot import TableBot


def texts(sandbox: Sandbox, name: str) -> list[str]:
    return [notification.text for notification in sandbox.people[name].notifications]


def channel_of(bot: TableBot, sandbox: Sandbox) -> Any:
    return bot.get_channel(int(sandbox.channels["cribbage"].id))


async def test_in_a_channel_only_a_mention_rings(sandbox: Sandbox, bot: TableBot) -> None:
    ben = sandbox.people["Ben"]
    channel = channel_of(bot, sandbox)
    await channel.send("nobody in particular")
    await channel.send(f"{ben.user.mention} to play <:five:12> in <#{channel.id}>: </crib new:5>")
    await channel.send(f"{ben.user.mention} quietly", allowed_mentions=discord.AllowedMentions.none())

    [notification] = ben.notifications
    assert notification.text == "@Ben to play :five: in #cribbage: /crib new"
    assert notification.title == "Fifteen Two (#cribbage, The Crib Room)"
    assert notification.message is ben.sees("cribbage")[1]
    assert sandbox.people["Ada"].notifications == []


async def test_every_dm_rings_unless_it_is_sent_silently(sandbox: Sandbox, bot: TableBot) -> None:
    user = await bot.fetch_user(int(sandbox.people["Ada"].id))
    sent = await user.send("your hand")
    await user.send("and later", silent=True)
    await sent.edit(content="another hand")

    assert texts(sandbox, "Ada") == ["your hand"]
    assert sandbox.people["Ada"].notifications[0].title == "Fifteen Two"


async def test_components_ring_without_a_word(sandbox: Sandbox, bot: TableBot) -> None:
    ben = sandbox.people["Ben"]
    user = await bot.fetch_user(int(ben.id))
    await user.send(view=ui.LayoutView().add_item(ui.TextDisplay("Your hand")))
    await channel_of(bot, sandbox).send(view=ui.LayoutView().add_item(ui.TextDisplay(ben.user.mention)))

    assert texts(sandbox, "Ben") == ["", ""]


async def test_an_edit_rings_for_nobody(sandbox: Sandbox, bot: TableBot) -> None:
    sent = await channel_of(bot, sandbox).send("the table")
    await sent.edit(content=f"{sandbox.people['Ben'].user.mention} to play")

    assert texts(sandbox, "Ben") == []


async def test_an_answer_rings_for_those_it_mentions_but_not_for_who_asked(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    await ada.command("cribbage", "crib invite", who=ben)
    await ada.command("cribbage", "crib play", card="5H")
    await ada.command(ada.open_dm(), "crib new", players=2)

    assert texts(sandbox, "Ben") == ["@Ben and @everyone"]
    assert texts(sandbox, "Ada") == []


@pytest.mark.parametrize("words", ["@everyone come", "@here come"])
async def test_people_ring_too_and_everyone_is_everyone_who_sees(sandbox: Sandbox, words: str) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.say("cribbage", f"{ben.user.mention} hello")
    message = sandbox.post(sandbox.channels["general"], words)
    assert not message.mention_everyone

    assert texts(sandbox, "Ben") == ["@Ben hello"]
    assert texts(sandbox, "Cleo") == []
