"""Places that Discord has besides text channels, and who may write there."""

from typing import Any

import discord
import pytest

from sandbox.client.people import NotOfferedError
from sandbox.model.channels import Channel, ChannelType
from sandbox.model.permissions import Overwrite, Permission
from sandbox.places import add_places
from sandbox.server import Sandbox
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot


async def said(rest: Rest, place: Channel) -> tuple[int, int | None]:
    """The status and Discord's code of a message there."""
    status, answer = await rest("POST", f"/channels/{place.id}/messages", {"content": "hello"})
    return status, answer.get("code")


async def test_a_private_thread_refuses_the_bot_until_it_is_mentioned_there(
    sandbox: Sandbox, bot: TableBot, rest: Rest
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    thread = ada.start_thread("cribbage", "us", is_private=True)
    assert sandbox.world.app_permissions(thread) & Permission.SEND_MESSAGES_IN_THREADS
    assert ben.sees(thread) == []
    assert await said(rest, thread) == (403, 50001)
    assert bot.get_guild(int(thread.guild_id or 0)).get_thread(int(thread.id)) is None  # type: ignore[union-attr]

    ada.say(thread, f"{sandbox.world.bot.mention} {ben.user.mention} come in")
    assert await said(rest, thread) == (200, None)
    assert len(ben.sees(thread)) == 2
    known: Any = await ada.until(lambda: bot.get_channel(int(thread.id)))
    assert known.me is not None

    removed = bot.wait_for("thread_remove")
    ada.remove_from_thread(thread, sandbox.world.bot)
    await removed
    assert await said(rest, thread) == (403, 50001)


async def test_a_bot_is_told_of_its_membership_again_when_a_thread_is_opened_again(
    sandbox: Sandbox, bot: TableBot
) -> None:
    ada = sandbox.people["Ada"]
    thread = ada.start_thread("cribbage", "us", is_private=True)
    ada.say(thread, sandbox.world.bot.mention)
    ada.archive(thread)
    await ada.until(lambda: bot.get_channel(int(thread.id)) is None)
    ada.say(thread, "again")
    await ada.until(lambda: getattr(bot.get_channel(int(thread.id)), "me", None))


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE])
async def test_the_chat_of_a_voice_channel_takes_connect(
    sandbox: Sandbox, bot: TableBot, rest: Rest, kind: ChannelType
) -> None:
    ada = sandbox.people["Ada"]
    lounge = ada.create_channel("Lounge", kind)
    assert await said(rest, lounge) == (200, None)
    assert isinstance(bot.get_channel(int(lounge.id)), discord.VoiceChannel | discord.StageChannel)
    ada.set_overwrite(lounge, Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.CONNECT))
    assert (await said(rest, lounge))[0] == 403


async def test_a_forum_takes_posts_and_no_messages(sandbox: Sandbox, bot: TableBot, rest: Rest) -> None:
    ada = sandbox.people["Ada"]
    forum = ada.create_channel("ideas", ChannelType.FORUM)
    assert await said(rest, forum) == (400, 50024)
    with pytest.raises(NotOfferedError):
        ada.say(forum, "hello")
    post = ada.start_thread(forum, "a table here?")
    assert await said(rest, post) == (200, None)
    await ada.until(lambda: isinstance(bot.get_channel(int(post.id)), discord.Thread))


async def test_a_thread_in_an_announcement_channel_is_of_a_kind_of_its_own(
    sandbox: Sandbox, bot: TableBot, rest: Rest
) -> None:
    news = sandbox.people["Ada"].create_channel("news", ChannelType.ANNOUNCEMENT)
    _, message = await rest("POST", f"/channels/{news.id}/messages", {"content": "table"})
    _, thread = await rest("POST", f"/channels/{news.id}/messages/{message['id']}/threads", {"name": "t"})
    assert thread["type"] == ChannelType.ANNOUNCEMENT_THREAD


async def test_a_locked_thread_refuses_all_but_moderators(sandbox: Sandbox, rest: Rest) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    thread = ben.start_thread("cribbage", "ours")
    ada.lock(thread)
    assert await said(rest, thread) == (403, 50013)
    with pytest.raises(NotOfferedError):
        ben.say(thread, "hello")
    ada.lock(thread, locked=False)
    assert await said(rest, thread) == (200, None)


async def test_commands_without_their_bot_are_heard_where_nothing_can_be_posted(
    sandbox: Sandbox, bot: TableBot, rest: Rest
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    ada.kick_bot()
    assert ada.commands(channel) == []
    ada.add_bare_commands()
    assert ada.commands(channel)
    await ada.until(lambda: bot.get_guild(int(channel.guild_id or 0)) is None)
    assert await said(rest, channel) == (403, 50001)
    heard = bot.wait_for("interaction")
    ada.command(channel, "crib table")
    interaction = await heard
    told = {name for name, is_held in interaction.app_permissions if is_held}
    assert told == {"attach_files", "embed_links", "external_emojis"}


def test_every_kind_of_channel_can_be_added_for_people_who_try_things(sandbox: Sandbox) -> None:
    add_places(sandbox)
    world, ada = sandbox.world, sandbox.people["Ada"]
    made = {each.name: each for each in world.guild.channels.values()}
    kinds = {each.type for each in made.values()}
    assert kinds >= set(ChannelType) - {ChannelType.DM, ChannelType.GROUP_DM, ChannelType.PUBLIC_THREAD}
    assert all(Permission.VIEW_CHANNEL in ada.permissions(each) for each in made.values())
    assert {each.type for each in ada.between_people} == {ChannelType.DM, ChannelType.GROUP_DM}
    private = made["private thread without the bot"]
    assert Permission.VIEW_CHANNEL not in world.permissions(world.bot, private)
    with pytest.raises(NotOfferedError):
        sandbox.people["Ben"].say(made["locked thread"], "hello")
