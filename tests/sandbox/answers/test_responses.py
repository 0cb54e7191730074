"""Interaction responses for commands, components and modals: what everybody sees after each."""

import asyncio
from typing import Any

import discord
import pytest
from discord import ui

from sandbox.model.interactions import Deadlines, State
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.patience import PATIENCE
from tests.sandbox.deadlines import hasty
from tests.sandbox.table_bot import TableBot, running


async def test_a_command_is_answered_for_all_to_see(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]

    answer = await ada.command("cribbage", "crib new", players=3, name="fives")

    assert answer.state is State.ACKNOWLEDGED
    assert answer.reply.text == "fives for 3"
    assert answer.reply in ben.sees("#cribbage")
    assert answer.reply.payload()["interaction_metadata"]["name"] == "crib new"
    assert answer.reply.type == 20


async def test_a_command_in_a_group_inside_a_group(sandbox: Sandbox, bot: TableBot) -> None:
    answer = await sandbox.people["Ada"].command("cribbage", "crib stats mine")

    assert answer.reply.text == "no games yet"


async def test_an_ephemeral_answer_is_seen_by_its_person_only(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]

    answer = await ada.command("cribbage", "crib play", card="5H")

    assert ada.sees("cribbage") == [answer.reply]
    assert ben.sees("cribbage") == []
    channel = await bot.fetch_channel(int(answer.channel.id))
    assert isinstance(channel, discord.TextChannel)
    assert [message async for message in channel.history()] == []
    with pytest.raises(discord.NotFound) as missing:
        await channel.fetch_message(int(answer.reply.id))
    assert missing.value.code == 10008
    ada.dismiss(answer.reply)
    assert ada.sees("cribbage") == []


async def test_a_member_is_resolved_and_only_allowed_mentions_call(sandbox: Sandbox, bot: TableBot) -> None:
    ben = sandbox.people["Ben"]

    answer = await sandbox.people["Ada"].command("cribbage", "crib invite", who=ben)

    assert answer.reply.mentions == [ben.user]
    assert not answer.reply.mention_everyone


async def test_autocomplete_gives_choices(sandbox: Sandbox, bot: TableBot) -> None:
    answer = await sandbox.people["Ada"].complete("cribbage", "crib play", option="card", typed="5")

    assert answer.choices == [{"name": "5H", "value": "5H"}, {"name": "5D", "value": "5D"}]


async def test_a_button_and_a_select_answer(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    laid: list[str] = []

    async def lay(interaction: Any) -> None:
        laid.extend(interaction.data["values"])
        await interaction.response.edit_message(content="laid away", view=None)

    bot.handlers["lay"] = lay
    table = (await ada.command("cribbage", "crib new", players=2)).reply

    pressed = await ada.press(table, "5H")
    chosen = await ada.choose(table, "lay", ["5H", "7H"])

    assert (pressed.reply.text, pressed.reply.type) == ("played 5H", 19)
    assert laid == ["5H", "7H"]
    assert chosen.reply is table
    assert (table.text, table.components) == ("laid away", [])
    assert table.edited_at is not None


async def test_a_modal_is_opened_and_submitted(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]

    asked = await ada.command("cribbage", "crib ask")
    assert asked.modal is not None
    assert (asked.modal.title, asked.messages) == ("Name the table", [])
    answer = await ada.submit(asked.modal, {"name": "Fives", "level": ["hard"]})

    assert answer.reply.text == "Fives ['hard']"


@pytest.mark.parametrize("hidden", [0, 1])
async def test_a_deferred_answer_is_filled_and_followed(sandbox: Sandbox, bot: TableBot, hidden: int) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]

    answer = await ada.command("cribbage", "crib slow", how=hidden)
    await answer.done()
    await ada.until(lambda: len(answer.messages) == 2)

    assert [message.text for message in ada.sees("cribbage")] == ["here it is", "and one more"]
    assert len(ben.sees("cribbage")) == 1 - hidden
    assert not answer.messages[0].is_loading


async def test_the_first_follow_up_fills_the_deferral(sandbox: Sandbox, bot: TableBot) -> None:
    async def later(interaction: Any) -> None:
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.followup.send("filled")

    bot.handlers["go"] = later
    answer = await _press_a_button(sandbox, bot, "go")
    await answer.done()

    assert answer.original is answer.reply
    assert (answer.reply.text, answer.reply.is_ephemeral) == ("filled", True)


async def test_a_deferred_update_edits_the_message_of_the_button(sandbox: Sandbox, bot: TableBot) -> None:
    async def later(interaction: Any) -> None:
        await interaction.response.defer()
        original = await interaction.original_response()
        await interaction.edit_original_response(content=f"was {original.content}", view=None)
        await interaction.delete_original_response()

    bot.handlers["go"] = later
    answer = await _press_a_button(sandbox, bot, "go")
    message = answer.message
    await sandbox.people["Ada"].until(lambda: message is not None and message.deleted)

    assert answer.reply.text == "was press"
    assert answer.state is State.ACKNOWLEDGED


async def test_a_second_answer_is_refused(sandbox: Sandbox, bot: TableBot) -> None:
    caught: list[discord.HTTPException] = []

    async def twice(interaction: Any) -> None:
        await interaction.response.send_message("one")
        interaction.response._response_type = None
        try:
            await interaction.response.send_message("two")
        except discord.HTTPException as error:
            caught.append(error)

    bot.handlers["go"] = twice
    await _press_a_button(sandbox, bot, "go")
    await sandbox.people["Ada"].until(lambda: caught)

    assert (caught[0].status, caught[0].code) == (400, 40060)


async def test_an_answer_after_the_deadline_is_refused_and_the_person_sees_a_failure(
    conformance: Conformance,
) -> None:
    caught: list[discord.HTTPException] = []
    waited = asyncio.Event()

    async def late(interaction: Any) -> None:
        await waited.wait()
        try:
            await interaction.response.send_message("sorry")
        except discord.NotFound as error:
            caught.append(error)

    async with Sandbox(deadlines=Deadlines(first_answer=0.05), rate_limits=RateLimits.relaxed()) as sandbox:
        sandbox.observers.append(conformance)
        async with running(sandbox) as bot:
            bot.handlers["go"] = late
            answer = await _press_a_button(sandbox, bot, "go")
            assert answer.state is State.FAILED
            waited.set()
            await _soon(lambda: caught)
    conformance.check()

    assert caught[0].code == 10062
    assert answer.messages == []


async def test_a_token_ends_after_a_quarter_of_an_hour(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    await ada.command("cribbage", "crib play", card="5H")
    interaction = bot.interactions[-1]
    await interaction.edit_original_response(content="still good")

    sandbox.clock.advance(901)
    with pytest.raises(discord.HTTPException) as refused:
        await interaction.edit_original_response(content="too late")

    assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_a_follow_up_before_any_answer_finds_no_webhook(sandbox: Sandbox, bot: TableBot) -> None:
    answer = sandbox.people["Ada"].command("cribbage", "crib silent")
    await _soon(lambda: bot.interactions)
    with pytest.raises(discord.NotFound) as missing:
        await bot.interactions[-1].followup.send("hello")

    assert missing.value.code == 10015
    assert answer.state is State.SENT


async def test_a_webhook_reaches_only_its_own_messages(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    other = await ada.command("cribbage", "crib new", players=2)
    await ada.command("cribbage", "crib play", card="5H")
    with pytest.raises(discord.NotFound) as missing:
        await bot.interactions[-1].followup.edit_message(int(other.reply.id), content="mine now")

    assert missing.value.code == 10008


async def test_a_button_works_after_the_bot_has_been_away(sandbox: Sandbox) -> None:
    ada = sandbox.people["Ada"]
    async with running(sandbox):
        table = (await ada.command("cribbage", "crib new", players=2)).reply
    assert not sandbox.gateway.bot_is_online
    async with running(sandbox):
        answer = await ada.press(table, "5H")

    assert answer.reply.text == "played 5H"


async def test_nothing_is_answered_while_the_bot_is_away(sandbox: Sandbox) -> None:
    ada = sandbox.people["Ada"]
    async with running(sandbox):
        table = (await ada.command("cribbage", "crib new", players=2)).reply

    with hasty(sandbox):
        assert (await ada.press(table, "5H")).state is State.FAILED


async def test_commands_work_in_a_dm_where_there_is_no_member(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]

    answer = await ada.command(ada.open_dm(), "crib new", players=2)

    assert ada.dms() == [answer.reply]
    assert bot.interactions[-1].guild_id is None
    assert bot.interactions[-1].user.id == int(ada.id)


async def test_two_people_press_at_once(sandbox: Sandbox, bot: TableBot) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    table = (await ada.command("cribbage", "crib new", players=2)).reply

    both = await asyncio.gather(_awaited(ada.press(table, "5H")), _awaited(ben.press(table, "5H")))

    assert [answer.reply.only_for for answer in both] == [ada.id, ben.id]


async def _press_a_button(sandbox: Sandbox, bot: TableBot, custom_id: str) -> Any:
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="go", custom_id=custom_id))
    channel: Any = bot.get_channel(int(sandbox.channels["cribbage"].id))
    await channel.send("press", view=view)
    view.stop()
    return await sandbox.people["Ada"].press(sandbox.people["Ada"].sees("cribbage")[-1], "go")


async def _awaited(interaction: Any) -> Any:
    return await interaction


async def _soon(predicate: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not predicate():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.01)


async def test_private_follow_ups_are_posted_edited_and_deleted_by_the_token(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    answer = await ada.command("cribbage", "crib play", card="5H")
    interaction = bot.interactions[-1]
    sandbox.clock.advance(890)
    follow_ups = [await interaction.followup.send(f"hand {n}", ephemeral=True, wait=True) for n in range(6)]
    await follow_ups[0].edit(content="another hand")
    for follow_up in follow_ups[1:]:
        await follow_up.delete()
    await interaction.delete_original_response()

    assert [message.text for message in ada.sees("cribbage")] == ["another hand"]
    assert ben.sees("cribbage") == []
    assert answer.original is not None
    assert answer.original.deleted
    sandbox.clock.advance(11)
    with pytest.raises(discord.HTTPException) as refused:
        await follow_ups[0].delete()
    assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_a_dismissed_message_can_still_be_edited_and_does_not_come_back(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada = sandbox.people["Ada"]
    answer = await ada.command("cribbage", "crib play", card="5H")
    ada.dismiss(answer.reply)
    seen: list[str] = []
    sandbox.world.listeners.append(lambda change: seen.append(change.name))
    await bot.interactions[-1].edit_original_response(content="another hand")
    await bot.interactions[-1].delete_original_response()

    assert ada.sees("cribbage") == []
    assert "MESSAGE_UPDATE" not in seen


async def test_ephemeral_messages_are_gone_when_the_client_is_loaded_anew(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada = sandbox.people["Ada"]
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    hand = (await ada.press(table, "5H")).reply
    ada.reload()
    assert ada.sees("cribbage") == [table]
    assert not ada.can_see(hand)

    again = (await ada.press(table, "5H")).reply
    assert ada.sees("cribbage") == [table, again]
