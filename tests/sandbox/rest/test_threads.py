"""Threads: how the bot starts them from a message, and how they rest and come back."""

from typing import Any

import discord
import pytest
from discord import ui

from sandbox.client.people import NotOfferedError
from sandbox.model.channels import MessageFlag
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot


async def started(sandbox: Sandbox, bot: TableBot, minutes: Any = 60) -> tuple[discord.Thread, Any]:
    """A thread of the bot in #cribbage, and the sandbox's channel for it."""
    channel: Any = bot.get_channel(int(sandbox.channels["cribbage"].id))
    table = await channel.send("table")
    thread = await table.create_thread(name="Ada and Ben", auto_archive_duration=minutes)
    return thread, sandbox.world.guild.channels[str(thread.id)]


async def test_a_thread_from_a_message_hangs_on_it(sandbox: Sandbox, bot: TableBot) -> None:
    _, here = await started(sandbox, bot)
    [table] = sandbox.people["Ada"].sees("cribbage")

    assert (here.id, here.parent, here.auto_archive_duration) == (table.id, table.channel, 60)
    assert (table.thread, MessageFlag.HAS_THREAD in table.flags) == (here, True)
    assert table.payload()["thread"]["name"] == "Ada and Ben"
    sandbox.people["Ada"].delete_channel(here)
    assert (table.thread, MessageFlag.HAS_THREAD in table.flags) == (None, False)


async def test_a_thread_needs_its_permission_and_one_of_four_durations(
    sandbox: Sandbox, rest: Rest, conformance: Conformance
) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    _, message = await rest("POST", path, {"content": "table"})
    with conformance.bad_requests():
        wrong = await rest(
            "POST", f"{path}/{message['id']}/threads", {"name": "t", "auto_archive_duration": 61}
        )
    assert (wrong[0], list(wrong[1]["errors"])) == (400, ["auto_archive_duration"])

    overwrite = Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.CREATE_PUBLIC_THREADS)
    sandbox.people["Ada"].set_overwrite("cribbage", overwrite)
    refused = await rest("POST", f"{path}/{message['id']}/threads", {"name": "t"})
    assert (refused[0], refused[1]["code"]) == (403, 50013)


async def test_a_thread_archives_itself_after_its_rest_and_a_message_opens_it(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada = sandbox.people["Ada"]
    thread, here = await started(sandbox, bot)
    sandbox.clock.advance(3000)
    await thread.send("still playing")
    sandbox.clock.advance(3000)
    assert not here.archived
    sandbox.clock.advance(700)
    assert here.archived

    ada.say(here, "and again")
    assert not here.archived
    sandbox.clock.advance(3700)
    assert here.archived
    await thread.send("the bot opens it too")
    assert not here.archived


async def test_an_archived_thread_is_edited_only_by_opening_it(sandbox: Sandbox, bot: TableBot) -> None:
    thread, here = await started(sandbox, bot)
    await thread.edit(archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.edit(name="another")
    assert refused.value.code == 50083
    await thread.edit(archived=False, auto_archive_duration=1440)

    assert (here.archived, here.auto_archive_duration) == (False, 1440)


async def test_nothing_is_edited_in_a_locked_thread(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    thread, here = await started(sandbox, bot)
    sent = await thread.send("table")
    ada.archive(here, lock=True)
    await thread.edit(archived=False)
    with pytest.raises(discord.Forbidden) as refused:
        await sent.edit(content="x")
    assert refused.value.code == 50013


async def test_nothing_in_an_archived_thread_can_be_used(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    thread, here = await started(sandbox, bot)
    view = ui.View(timeout=None).add_item(ui.Button(label="go", custom_id="go"))
    await thread.send("play", view=view)
    view.stop()
    [message] = ada.sees(here)
    before = len(bot.interactions)
    await thread.edit(archived=True)
    for use in (lambda: ada.press(message, "go"), lambda: ada.command(here, "crib new", players=2)):
        with pytest.raises(NotOfferedError, match="archived"):
            use()

    assert len(bot.interactions) == before


async def test_an_answer_finds_the_thread_archived(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    thread, here = await started(sandbox, bot)
    answer = await ada.command(here, "crib play", card="5H")
    await thread.edit(archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await bot.interactions[-1].edit_original_response(content="6H")
    assert refused.value.code == 50083
    assert answer.reply.text == "you play 5H"
    ada.archive(here, lock=True)
    with pytest.raises(discord.HTTPException) as refused:
        await bot.interactions[-1].followup.send("more")

    assert refused.value.code == 50083


async def test_members_are_added_to_an_active_thread(sandbox: Sandbox, bot: TableBot) -> None:
    thread, _ = await started(sandbox, bot)
    await thread.add_user(discord.Object(int(sandbox.people["Ben"].id)))
    with pytest.raises(discord.NotFound) as missing:
        await thread.add_user(discord.Object(5))
    assert missing.value.code == 10007
    await thread.edit(archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.add_user(discord.Object(int(sandbox.people["Ben"].id)))

    assert refused.value.code == 50083
