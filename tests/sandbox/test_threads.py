"""Threads, which rest and come back, and the other places that Discord has besides text channels."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import ui

from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, ChannelType, MessageFlag
from sandbox.model.permissions import Overwrite, Permission
from sandbox.places import add_places
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.asking import Rest, deny, not_offered, outcome, refused
from tests.sandbox.table_bot import TableBot

Started = tuple[discord.Thread, Channel]


@pytest.fixture
async def started(sandbox: Sandbox, channel: Any) -> Started:
    """A thread of the bot in #cribbage, as discord.py has it and as the sandbox has it."""
    table = await channel.send("table")
    thread = await table.create_thread(name="Ada and Ben", auto_archive_duration=60)
    return thread, sandbox.world.guild.channels[str(thread.id)]


async def said(rest: Rest, place: Channel) -> tuple[int, int | None]:
    """The status and Discord's code of a message there."""
    return outcome(await rest("POST", f"/channels/{place.id}/messages", {"content": "hello"}))


async def test_a_thread_from_a_message_hangs_on_it(ada: Person, started: Started, channel: Any) -> None:
    _, here = started
    [table] = ada.sees("cribbage")

    assert (here.id, here.parent, here.auto_archive_duration) == (table.id, table.channel, 60)
    assert (table.thread, MessageFlag.HAS_THREAD in table.flags) == (here, True)
    assert table.payload()["thread"]["name"] == "Ada and Ben"
    with refused(400, 160004):
        await channel.get_partial_message(int(table.id)).create_thread(name="twice")
    ada.delete_channel(here)
    assert (table.thread, MessageFlag.HAS_THREAD in table.flags) == (None, False)


async def test_a_thread_needs_its_permission_and_one_of_four_durations(
    sandbox: Sandbox, ada: Person, rest: Rest, messages: str, conformance: Conformance
) -> None:
    _, message = await rest("POST", messages, {"content": "table"})
    path = f"{messages}/{message['id']}/threads"
    with conformance.bad_requests():
        wrong = await rest("POST", path, {"name": "t", "auto_archive_duration": 61})
    assert (wrong[0], list(wrong[1]["errors"])) == (400, ["auto_archive_duration"])
    deny(ada, sandbox.world.bot.id, Permission.CREATE_PUBLIC_THREADS)
    assert outcome(await rest("POST", path, {"name": "t"})) == (403, 50013)


async def test_a_thread_archives_itself_after_its_rest_and_a_message_opens_it(
    sandbox: Sandbox, ada: Person, started: Started
) -> None:
    thread, here = started
    sandbox.clock.advance(3000)
    await thread.send("still playing")
    assert [each.text for each in ada.sees(here)] == ["still playing"]
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


async def test_an_archived_thread_is_edited_only_by_opening_it(ben: Person, started: Started) -> None:
    thread, here = started
    sent = await thread.send("table")
    member = discord.Object(int(ben.id))
    await thread.add_user(member)
    with refused(404, 10007):
        await thread.add_user(discord.Object(5))
    await thread.edit(archived=True)
    for refusing in (thread.edit(name="another"), sent.edit(content="x"), thread.add_user(member)):
        with refused(400, 50083):
            await refusing
    await thread.edit(archived=False, auto_archive_duration=1440)
    assert (here.archived, here.auto_archive_duration) == (False, 1440)


async def test_nothing_is_edited_in_a_locked_thread_and_only_moderators_write_there(
    ada: Person, ben: Person, started: Started, rest: Rest
) -> None:
    thread, here = started
    sent = await thread.send("table")
    ada.lock(here)
    assert await said(rest, here) == (403, 50013)
    with refused(403, 50013):
        await sent.edit(content="x")
    not_offered(lambda: ben.say(here, "hello"))
    ada.lock(here, locked=False)
    assert await said(rest, here) == (200, None)
    ada.archive(here, lock=True)
    await thread.edit(archived=False)
    with refused(403, 50013):
        await sent.edit(content="x")


async def test_nothing_in_an_archived_thread_can_be_used(
    ada: Person, bot: TableBot, started: Started
) -> None:
    thread, here = started
    view = ui.View(timeout=None).add_item(ui.Button(label="go", custom_id="go"))
    await thread.send("play", view=view)
    view.stop()
    [message] = ada.sees(here)
    await thread.edit(archived=True)
    for use in (lambda: ada.press(message, "go"), lambda: ada.command(here, "crib new", players=2)):
        with pytest.raises(NotOfferedError, match="archived"):
            use()
    assert bot.interactions == []


async def test_an_answer_finds_the_thread_archived(ada: Person, bot: TableBot, started: Started) -> None:
    thread, here = started
    answer = await ada.command(here, "crib play", card="5H")
    await thread.edit(archived=True)
    with refused(400, 50083):
        await bot.interactions[-1].edit_original_response(content="6H")
    assert answer.reply.text == "you play 5H"
    ada.archive(here, lock=True)
    with refused(400, 50083):
        await bot.interactions[-1].followup.send("more")


async def test_a_private_thread_refuses_the_bot_until_it_is_mentioned_there(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot, rest: Rest
) -> None:
    thread = ada.start_thread("cribbage", "us", is_private=True)
    assert sandbox.world.app_permissions(thread) & Permission.SEND_MESSAGES_IN_THREADS
    assert ben.sees(thread) == []
    assert await said(rest, thread) == (403, 50001)
    assert bot.guilds[0].get_thread(int(thread.id)) is None

    ada.say(thread, f"{sandbox.world.bot.mention} {ben.user.mention} come in")
    assert await said(rest, thread) == (200, None)
    assert len(ben.sees(thread)) == 2
    known: Any = await ada.until(lambda: bot.get_channel(int(thread.id)))
    assert known.me is not None

    ada.archive(thread)
    await ada.until(lambda: bot.get_channel(int(thread.id)) is None)
    ada.say(thread, "again")
    await ada.until(lambda: getattr(bot.get_channel(int(thread.id)), "me", None))

    removed = bot.wait_for("thread_remove")
    ada.remove_from_thread(thread, sandbox.world.bot)
    await removed
    assert await said(rest, thread) == (403, 50001)


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE])
async def test_the_chat_of_a_voice_channel_takes_connect(
    sandbox: Sandbox, ada: Person, bot: TableBot, rest: Rest, kind: ChannelType
) -> None:
    lounge = ada.create_channel("Lounge", kind)
    assert await said(rest, lounge) == (200, None)
    assert isinstance(bot.get_channel(int(lounge.id)), discord.VoiceChannel | discord.StageChannel)
    ada.set_overwrite(lounge, Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.CONNECT))
    assert (await said(rest, lounge))[0] == 403


async def test_a_forum_takes_posts_and_no_messages(ada: Person, bot: TableBot, rest: Rest) -> None:
    forum = ada.create_channel("ideas", ChannelType.FORUM)
    assert await said(rest, forum) == (400, 50024)
    not_offered(lambda: ada.say(forum, "hello"))
    post = ada.start_thread(forum, "a table here?")
    assert await said(rest, post) == (200, None)
    await ada.until(lambda: isinstance(bot.get_channel(int(post.id)), discord.Thread))


async def test_a_thread_in_an_announcement_channel_is_of_a_kind_of_its_own(ada: Person, rest: Rest) -> None:
    path = f"/channels/{ada.create_channel('news', ChannelType.ANNOUNCEMENT).id}/messages"
    _, message = await rest("POST", path, {"content": "table"})
    _, thread = await rest("POST", f"{path}/{message['id']}/threads", {"name": "t"})
    assert thread["type"] == ChannelType.ANNOUNCEMENT_THREAD


async def test_commands_without_their_bot_are_heard_where_nothing_can_be_posted(
    sandbox: Sandbox, ada: Person, bot: TableBot, rest: Rest
) -> None:
    cribbage = sandbox.channels["cribbage"]
    ada.kick_bot()
    assert ada.commands(cribbage) == []
    ada.add_bare_commands()
    assert ada.commands(cribbage)
    await ada.until(lambda: not bot.guilds)
    assert await said(rest, cribbage) == (403, 50001)
    heard = bot.wait_for("interaction")
    ada.command(cribbage, "crib table")
    held = {name for name, is_held in (await heard).app_permissions if is_held}
    assert held == {"attach_files", "embed_links", "external_emojis"}


def test_every_kind_of_channel_can_be_added_for_people_who_try_things(
    sandbox: Sandbox, ada: Person, ben: Person
) -> None:
    add_places(sandbox)
    world = sandbox.world
    made = {each.name: each for each in world.guild.channels.values()}
    kinds = {each.type for each in made.values()}
    assert kinds >= set(ChannelType) - {ChannelType.DM, ChannelType.GROUP_DM, ChannelType.PUBLIC_THREAD}
    assert all(Permission.VIEW_CHANNEL in ada.permissions(each) for each in made.values())
    assert {each.type for each in ada.between_people} == {ChannelType.DM, ChannelType.GROUP_DM}
    private = made["private thread without the bot"]
    assert Permission.VIEW_CHANNEL not in world.permissions(world.bot, private)
    not_offered(lambda: ben.say(made["locked thread"], "hello"))
