"""Interaction responses for commands, components and modals: what everybody sees, and whom it rings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest
from discord import ui

from sandbox.client.people import Person
from sandbox.model.interactions import Interaction, State
from sandbox.server import Sandbox
from tests.sandbox.asking import Rest, hasty, outcome, refused
from tests.sandbox.table_bot import TableBot, running


async def pressed(bot: TableBot, ada: Person, handler: Callable[[Any], Any]) -> Interaction:
    """The interaction of a press of a button with that answer, once it is answered or has failed."""
    bot.handlers["go"] = handler
    view = ui.View(timeout=None).add_item(ui.Button(label="go", custom_id="go"))
    [channel] = [each for each in bot.guilds[0].text_channels if each.name == "cribbage"]
    await channel.send("press", view=view)
    view.stop()
    return await ada.press(ada.sees("cribbage")[-1], "go")


async def test_a_command_is_answered_for_all_to_see(ada: Person, ben: Person, bot: TableBot) -> None:
    answer = await ada.command("cribbage", "crib new", players=3, name="fives")
    assert answer.state is State.ACKNOWLEDGED
    assert (answer.reply.text, answer.reply.type) == ("fives for 3", 20)
    assert answer.reply in ben.sees("#cribbage")
    assert answer.reply.payload()["interaction_metadata"]["name"] == "crib new"
    assert (await ada.command("cribbage", "crib stats mine")).reply.text == "no games yet"
    typed = await ada.complete("cribbage", "crib play", option="card", typed="5")
    assert typed.choices == [{"name": "5H", "value": "5H"}, {"name": "5D", "value": "5D"}]


async def test_an_ephemeral_answer_is_seen_by_its_person_only_until_it_is_dismissed(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot, channel: Any
) -> None:
    answer = await ada.command("cribbage", "crib play", card="5H")
    assert (ada.sees("cribbage"), ben.sees("cribbage")) == ([answer.reply], [])
    assert [message async for message in channel.history()] == []
    with refused(404, 10008):
        await channel.fetch_message(int(answer.reply.id))
    ada.dismiss(answer.reply)
    assert ada.sees("cribbage") == []

    seen: list[str] = []
    sandbox.world.listeners.append(lambda change: seen.append(change.name))
    await bot.interactions[-1].edit_original_response(content="another hand")
    await bot.interactions[-1].delete_original_response()
    assert ada.sees("cribbage") == [], "it does not come back"
    assert "MESSAGE_UPDATE" not in seen


async def test_ephemeral_messages_are_gone_when_the_client_is_loaded_anew(ada: Person, bot: TableBot) -> None:
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    hand = (await ada.press(table, "5H")).reply
    ada.reload()
    assert ada.sees("cribbage") == [table]
    assert not ada.can_see(hand)
    again = (await ada.press(table, "5H")).reply
    assert ada.sees("cribbage") == [table, again]


async def test_a_button_and_a_select_answer_each_who_used_it(ada: Person, ben: Person, bot: TableBot) -> None:
    laid: list[str] = []

    async def lay(interaction: Any) -> None:
        laid.extend(interaction.data["values"])
        await interaction.response.edit_message(content="laid away", view=None)

    bot.handlers["lay"] = lay
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    both = [ada.press(table, "5H"), ben.press(table, "5H")]
    for person, asked in zip((ada, ben), both, strict=True):
        reply = (await asked).reply
        assert (reply.text, reply.type, reply.only_for) == ("played 5H", 19, person.id)
    chosen = await ada.choose(table, "lay", ["5H", "7H"])
    assert laid == ["5H", "7H"]
    assert chosen.reply is table
    assert (table.text, table.components) == ("laid away", [])
    assert table.edited_at is not None


async def test_a_modal_is_opened_and_submitted(ada: Person, bot: TableBot) -> None:
    asked = await ada.command("cribbage", "crib ask")
    assert asked.modal is not None
    assert (asked.modal.title, asked.messages) == ("Name the table", [])
    answer = await ada.submit(asked.modal, {"name": "Fives", "level": ["hard"]})
    assert answer.reply.text == "Fives ['hard']"


@pytest.mark.parametrize("hidden", [0, 1])
async def test_a_deferred_answer_is_filled_and_followed(
    ada: Person, ben: Person, bot: TableBot, hidden: int
) -> None:
    answer = await ada.command("cribbage", "crib slow", how=hidden)
    await answer.done()
    await ada.until(lambda: len(answer.messages) == 2)
    assert [message.text for message in ada.sees("cribbage")] == ["here it is", "and one more"]
    assert len(ben.sees("cribbage")) == 1 - hidden
    assert not answer.messages[0].is_loading


async def test_the_first_follow_up_fills_the_deferral(ada: Person, bot: TableBot) -> None:
    async def later(interaction: Any) -> None:
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.followup.send("filled")

    answer = await pressed(bot, ada, later)
    await answer.done()
    assert answer.original is answer.reply
    assert (answer.reply.text, answer.reply.is_ephemeral) == ("filled", True)


async def test_a_deferred_update_edits_the_message_of_the_button(ada: Person, bot: TableBot) -> None:
    async def later(interaction: Any) -> None:
        await interaction.response.defer()
        original = await interaction.original_response()
        await interaction.edit_original_response(content=f"was {original.content}", view=None)
        await interaction.delete_original_response()

    answer = await pressed(bot, ada, later)
    message = answer.message
    assert message is not None
    await ada.until(lambda: message.deleted)
    assert (answer.reply.text, answer.state) == ("was press", State.ACKNOWLEDGED)


async def test_an_answer_is_refused_a_second_time_and_after_the_deadline(
    sandbox: Sandbox, ada: Person, bot: TableBot, rest: Rest
) -> None:
    async def answer(asked: Interaction) -> tuple[int, int | None]:
        body = {"type": 4, "data": {"content": "one"}}
        path = f"/interactions/{asked.id}/{asked.token}/callback?with_response=1"
        return outcome(await rest("POST", path, body))

    with hasty(sandbox):
        late = await ada.command("cribbage", "crib silent")
    assert late.state is State.FAILED
    assert await answer(late) == (404, 10062)
    asked = ada.command("cribbage", "crib silent")
    assert [await answer(asked) for _ in range(2)] == [(200, None), (400, 40060)]
    assert (late.messages, asked.reply.text) == ([], "one")


async def test_private_follow_ups_are_posted_edited_and_deleted_by_the_token_for_a_quarter_of_an_hour(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot
) -> None:
    answer = await ada.command("cribbage", "crib play", card="5H")
    interaction = bot.interactions[-1]
    sandbox.clock.advance(890)
    follow_ups = [await interaction.followup.send(f"hand {n}", ephemeral=True, wait=True) for n in range(6)]
    await follow_ups[0].edit(content="another hand")
    for follow_up in follow_ups[1:]:
        await follow_up.delete()
    await interaction.edit_original_response(content="still good")
    await interaction.delete_original_response()
    assert [message.text for message in ada.sees("cribbage")] == ["another hand"]
    assert ben.sees("cribbage") == []
    assert answer.original is not None
    assert answer.original.deleted
    sandbox.clock.advance(11)
    for late in (follow_ups[0].delete(), interaction.edit_original_response(content="too late")):
        with refused(401, 50027):
            await late


async def test_a_webhook_is_there_with_the_first_answer_and_reaches_only_its_own_messages(
    ada: Person, bot: TableBot
) -> None:
    other = await ada.command("cribbage", "crib new", players=2)
    silent = ada.command("cribbage", "crib silent")
    await ada.until(lambda: len(bot.interactions) == 2)
    with refused(404, 10015):
        await bot.interactions[-1].followup.send("hello")
    assert silent.state is State.SENT
    await ada.command("cribbage", "crib play", card="5H")
    with refused(404, 10008):
        await bot.interactions[-1].followup.edit_message(int(other.reply.id), content="mine now")


async def test_a_button_fails_while_the_bot_is_away_and_works_when_it_is_back(
    sandbox: Sandbox, ada: Person
) -> None:
    async with running(sandbox):
        table = (await ada.command("cribbage", "crib new", players=2)).reply
    assert not sandbox.gateway.bot_is_online
    with hasty(sandbox):
        assert (await ada.press(table, "5H")).state is State.FAILED
    async with running(sandbox):
        assert (await ada.press(table, "5H")).reply.text == "played 5H"


async def test_commands_work_in_a_dm_where_there_is_no_member(ada: Person, bot: TableBot) -> None:
    answer = await ada.command(ada.open_dm(), "crib new", players=2)
    assert ada.dms() == [answer.reply]
    assert bot.interactions[-1].guild_id is None
    assert bot.interactions[-1].user.id == int(ada.id)


def texts(person: Person) -> list[str]:
    """What the notifications say that a person got."""
    return [notification.text for notification in person.notifications]


async def test_in_a_channel_only_a_mention_rings_and_an_edit_for_nobody(
    ada: Person, ben: Person, channel: Any
) -> None:
    sent = await channel.send("nobody in particular")
    await sent.edit(content=f"{ben.user.mention} to play")
    await channel.send(f"{ben.user.mention} to play <:five:12> in <#{channel.id}>: </crib new:5>")
    await channel.send(f"{ben.user.mention} quietly", allowed_mentions=discord.AllowedMentions.none())

    [notification] = ben.notifications
    assert notification.text == "@Ben to play :five: in #cribbage: /crib new"
    assert notification.title == "Fifteen Two (#cribbage, The Crib Room)"
    assert notification.message is ben.sees("cribbage")[1]
    await channel.send(view=ui.LayoutView().add_item(ui.TextDisplay(ben.user.mention)))
    assert texts(ben)[1:] == [""], "components ring without a word"
    assert ada.notifications == []


async def test_every_dm_rings_unless_it_is_sent_silently(ada: Person, bot: TableBot) -> None:
    user = await bot.fetch_user(int(ada.id))
    sent = await user.send("your hand")
    await user.send("and later", silent=True)
    await sent.edit(content="another hand")
    await user.send(view=ui.LayoutView().add_item(ui.TextDisplay("Your hand")))
    assert texts(ada) == ["your hand", ""]
    assert ada.notifications[0].title == "Fifteen Two"


async def test_an_answer_rings_for_those_whom_it_may_mention_but_not_for_who_asked(
    ada: Person, ben: Person, bot: TableBot
) -> None:
    answer = await ada.command("cribbage", "crib invite", who=ben)
    assert (answer.reply.mentions, answer.reply.mention_everyone) == ([ben.user], False)
    await ada.command("cribbage", "crib play", card="5H")
    await ada.command(ada.open_dm(), "crib new", players=2)
    assert (texts(ben), texts(ada)) == (["@Ben and @everyone"], [])


async def test_people_ring_too_but_nobody_rings_for_everyone(
    sandbox: Sandbox, ada: Person, ben: Person
) -> None:
    ada.say("cribbage", f"{ben.user.mention} hello")
    for words in ("@everyone come", "@here come"):
        assert not sandbox.post(sandbox.channels["general"], words).mention_everyone
    assert (texts(ben), texts(sandbox.people["Cleo"])) == (["@Ben hello"], [])
