"""Messages in channels, threads and DMs: permissions, edits, files, and the errors of what is refused."""

import io
from typing import Any

import aiohttp
import discord
import pytest

from sandbox.client.people import NotOfferedError
from sandbox.model.media import plain_png
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot, table_drawing


def channel_of(bot: TableBot, sandbox: Sandbox, name: str = "cribbage") -> Any:
    return bot.get_channel(int(sandbox.channels[name].id))


def deny(sandbox: Sandbox, permission: Permission, channel: str = "cribbage") -> None:
    overwrite = Overwrite(sandbox.world.bot.id, is_member=True, deny=permission)
    sandbox.people["Ada"].set_overwrite(channel, overwrite)


async def test_a_message_is_sent_edited_fetched_and_deleted(sandbox: Sandbox, bot: TableBot) -> None:
    ada, channel = sandbox.people["Ada"], channel_of(bot, sandbox)

    sent = await channel.send("one", embed=discord.Embed(title="t").add_field(name="a", value="b"))
    [seen] = ada.sees("cribbage")
    assert seen.text == "one\nt\na\nb"
    await sent.edit(content="two", embed=None)
    assert (await channel.fetch_message(sent.id)).content == "two"
    await sent.delete()

    assert ada.sees("cribbage") == []
    assert seen.deleted


async def test_a_layout_with_a_picture_and_its_new_picture(sandbox: Sandbox, bot: TableBot) -> None:
    ada, channel = sandbox.people["Ada"], channel_of(bot, sandbox)
    pictures = [plain_png(color, 40) for color in ("#112233", "#445566")]

    first = discord.File(io.BytesIO(pictures[0]), "one.png")
    sent = await channel.send(view=table_drawing("fifteen two", image="attachment://one.png"), file=first)
    [seen] = ada.sees("cribbage")
    assert seen.is_v2
    assert "fifteen two" in seen.text
    assert sent.attachments == []
    second = discord.File(io.BytesIO(pictures[1]), "two.png")
    await sent.edit(view=table_drawing("fifteen four", image="attachment://two.png"), attachments=[second])

    [file] = seen.files
    gallery = next(each for each in seen.components[0]["components"] if each["type"] == 12)
    media = gallery["items"][0]["media"]
    assert (media["width"], media["height"], media["url"]) == (40, 40, file.url)
    async with aiohttp.ClientSession() as session, session.get(file.url) as response:
        assert await response.read() == pictures[1]
        assert response.content_type == "image/png"
    await sent.edit(view=table_drawing("again", image="attachment://two.png"))
    assert seen.files == [file]


@pytest.mark.parametrize(
    ("taken", "code"), [(Permission.VIEW_CHANNEL, 50001), (Permission.SEND_MESSAGES, 50013)]
)
async def test_without_permission_nothing_is_sent(
    sandbox: Sandbox, bot: TableBot, taken: Permission, code: int
) -> None:
    deny(sandbox, taken)
    with pytest.raises(discord.Forbidden) as refused:
        await channel_of(bot, sandbox).send("hello")

    assert refused.value.code == code


async def test_files_and_embeds_need_their_permissions(sandbox: Sandbox, bot: TableBot) -> None:
    channel = channel_of(bot, sandbox)
    deny(sandbox, Permission.ATTACH_FILES | Permission.EMBED_LINKS)
    for sent in ({"file": discord.File(io.BytesIO(b"x"), "x.txt")}, {"embed": discord.Embed(title="x")}):
        with pytest.raises(discord.Forbidden) as refused:
            await channel.send(**sent)
        assert refused.value.code == 50013

    await channel.send("plain")


async def test_the_answer_to_a_command_needs_no_permission_in_the_channel(
    sandbox: Sandbox, bot: TableBot
) -> None:
    deny(sandbox, Permission.SEND_MESSAGES)
    answer = await sandbox.people["Ada"].command("cribbage", "crib new", players=2)

    assert answer.reply.text == "table for 2"
    assert not bot.interactions[-1].app_permissions.send_messages


async def test_a_message_of_somebody_else_cannot_be_edited_or_deleted(
    sandbox: Sandbox, bot: TableBot
) -> None:
    theirs = sandbox.people["Ben"].say("cribbage", "mine")
    message = channel_of(bot, sandbox).get_partial_message(int(theirs.id))
    with pytest.raises(discord.Forbidden) as refused:
        await message.edit(content="yours")
    assert refused.value.code == 50005
    with pytest.raises(discord.Forbidden) as refused:
        await message.delete()
    assert refused.value.code == 50013


async def test_unknown_channels_and_messages(sandbox: Sandbox, bot: TableBot) -> None:
    with pytest.raises(discord.NotFound) as missing:
        await bot.fetch_channel(1)
    assert missing.value.code == 10003
    with pytest.raises(discord.NotFound) as missing:
        await channel_of(bot, sandbox).get_partial_message(1).edit(content="x")
    assert missing.value.code == 10008


async def test_a_repeated_nonce_gives_the_first_message(sandbox: Sandbox, bot: TableBot) -> None:
    channel = channel_of(bot, sandbox)
    first = await channel.send("one", nonce="table-1")
    again = await channel.send("one", nonce="table-1")

    assert first.id == again.id
    assert len(sandbox.people["Ada"].sees("cribbage")) == 1
    sandbox.clock.advance(301)
    assert (await channel.send("one", nonce="table-1")).id != first.id


async def test_messages_older_than_an_hour_are_edited_only_so_often(sandbox: Sandbox, rest: Rest) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    _, message = await rest("POST", path, {"content": "old"})
    sandbox.clock.advance(3601)
    answers = [await rest("PATCH", f"{path}/{message['id']}", {"content": "new"}) for _ in range(4)]

    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046


async def test_dms_open_and_closed(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    user = await bot.fetch_user(int(ada.id))
    await user.send("your hand")
    assert [message.text for message in ada.dms()] == ["your hand"]
    assert sandbox.people["Ben"].dms() == []

    ada.close_dms()
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("again")
    assert refused.value.code == 50007
    ada.open_dms()
    await user.send("welcome back")
    ada.leave_guild()
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("gone")

    assert refused.value.code == 50278


async def test_opening_many_dms_quickly_is_refused(sandbox: Sandbox, rest: Rest) -> None:
    sandbox._discord.dm_openings.limit = type(sandbox._discord.dm_openings.limit)(2, 600.0)
    answers = [
        await rest("POST", "/users/@me/channels", {"recipient_id": person.id})
        for person in sandbox.people.values()
    ]

    assert [answer.get("code") for _, answer in answers] == [None, None, 40003, 40003]


async def test_threads_are_made_written_in_and_archived(sandbox: Sandbox, bot: TableBot) -> None:
    ada, channel = sandbox.people["Ada"], channel_of(bot, sandbox)
    table = await channel.send("table")
    thread = await table.create_thread(name="talk")
    message = await thread.send("in here")
    here = next(each for each in ada.channels if each.is_thread)
    assert [each.text for each in ada.sees(here)] == ["in here"]

    await thread.edit(archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await message.edit(content="x")
    assert refused.value.code == 50083
    await thread.send("revived")
    assert not here.archived
    with pytest.raises(discord.HTTPException) as refused:
        await table.create_thread(name="twice")
    assert refused.value.code == 160004
    ada.archive(here, lock=True)
    with pytest.raises(discord.Forbidden):
        await thread.send("locked")
    with pytest.raises(NotOfferedError):
        sandbox.people["Ben"].say(here, "locked")


async def test_a_reply_and_its_reference(sandbox: Sandbox, bot: TableBot) -> None:
    theirs = sandbox.people["Ben"].say("cribbage", "hello")
    message = channel_of(bot, sandbox).get_partial_message(int(theirs.id))
    answer = await message.reply("hello yourself")

    assert answer.reference is not None
    assert answer.reference.message_id == int(theirs.id)


async def test_history_goes_both_ways(sandbox: Sandbox, bot: TableBot) -> None:
    ben, channel = sandbox.people["Ben"], channel_of(bot, sandbox)
    said = [ben.say("cribbage", str(number)) for number in range(5)]
    middle = discord.Object(int(said[2].id))

    assert [each.content async for each in channel.history(limit=2)] == ["4", "3"]
    assert [each.content async for each in channel.history(before=middle)] == ["1", "0"]
    assert [each.content async for each in channel.history(after=middle)] == ["3", "4"]
    assert [each.content async for each in channel.history(around=middle, limit=3)] == ["3", "2", "1"]


async def test_typing_is_shown(sandbox: Sandbox, bot: TableBot) -> None:
    seen: list[str] = []
    sandbox.world.listeners.append(lambda change: seen.append(change.name))
    await channel_of(bot, sandbox).typing()

    assert "TYPING_START" in seen


async def test_emojis_of_the_application(sandbox: Sandbox, bot: TableBot, conformance: Conformance) -> None:
    emoji = await bot.create_application_emoji(name="card_5H", image=plain_png("#ffffff", 16))
    assert [each.name for each in await bot.fetch_application_emojis()] == ["card_5H"]
    assert emoji.url.startswith(f"{sandbox.url}/cdn/emojis/")
    async with aiohttp.ClientSession() as session, session.get(emoji.url) as response:
        assert response.status == 200
    with pytest.raises(discord.HTTPException) as refused:
        await bot.create_application_emoji(name="card_5H", image=plain_png("#ffffff", 16))
    assert refused.value.code == 50035
    with pytest.raises(discord.HTTPException) as refused:
        await bot.create_application_emoji(name="large", image=plain_png("#ffffff", 16) + bytes(256 * 1024))
    assert "256.0 kb" in refused.value.text
    await emoji.edit(name="five")
    await emoji.delete()

    assert sandbox.world.emojis == {}


async def test_a_file_of_more_than_ten_mebibytes_is_too_large(sandbox: Sandbox, rest: Rest) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"

    assert (await rest("POST", path, {}, files={"big.bin": bytes(10 * 1024 * 1024 + 1)}))[0] == 413
