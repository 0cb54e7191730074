"""Messages in channels and DMs, and their files: permissions, edits, and the errors of what is refused."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import ui

from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.interactions import Interaction
from sandbox.model.media import plain_png
from sandbox.model.permissions import Permission
from sandbox.rate_limits import Limit
from sandbox.server import Sandbox
from tests.sandbox.asking import Rest, asking, deny, outcome, refused
from tests.sandbox.table_bot import TableBot, table_drawing

V2 = 1 << 15
BOARD, SHOW = plain_png("#112233", 40), plain_png("#445566", 24)
TEN_MEBIBYTES = bytes(10 * 1024 * 1024)


def picture(name: str) -> discord.File:
    return discord.File(io.BytesIO(BOARD if name == "board.png" else SHOW), name)


def gallery(*names: str) -> dict[str, Any]:
    """A gallery with these files."""
    items = [{"media": {"url": f"attachment://{name}"}, "description": name} for name in names]
    return {"type": 12, "items": items}


ONE: dict[str, Any] = {"flags": V2, "components": [gallery("board.png")]}
BOTH: dict[str, Any] = {"flags": V2, "components": [gallery("board.png", "show.png")]}
FILES = {"board.png": BOARD, "show.png": SHOW}


async def test_a_message_is_sent_edited_fetched_and_deleted(
    ada: Person, ben: Person, bot: TableBot, channel: Any
) -> None:
    sent = await channel.send("one", embed=discord.Embed(title="t").add_field(name="a", value="b"))
    [seen] = ada.sees("cribbage")
    assert seen.text == "one\nt\na\nb"
    await sent.edit(content="two", embed=None)
    assert (await channel.fetch_message(sent.id)).content == "two"
    await sent.delete()
    assert (ada.sees("cribbage"), seen.deleted) == ([], True)

    theirs = channel.get_partial_message(int(ben.say("cribbage", "mine").id))
    assert (await theirs.reply("yours?")).reference.message_id == theirs.id
    with refused(403, 50005):
        await theirs.edit(content="yours")
    with refused(403, 50013):
        await theirs.delete()
    with refused(404, 10008):
        await channel.get_partial_message(1).edit(content="x")
    with refused(404, 10003):
        await bot.fetch_channel(1)


async def test_a_layout_with_a_picture_and_its_new_picture(ada: Person, channel: Any) -> None:
    view = table_drawing("fifteen two", image="attachment://board.png")
    sent = await channel.send(view=view, file=picture("board.png"))
    [seen] = ada.sees("cribbage")
    assert (seen.is_v2, sent.attachments) == (True, [])
    assert "fifteen two" in seen.text
    view = table_drawing("fifteen four", image="attachment://show.png")
    await sent.edit(view=view, attachments=[picture("show.png")])
    [file] = seen.files
    assert (file.filename, file.content) == ("show.png", SHOW)
    await sent.edit(view=table_drawing("again", image="attachment://show.png"))
    assert seen.files == [file]


async def test_permissions_are_needed_for_messages_files_and_embeds_and_not_for_answers(
    sandbox: Sandbox, ada: Person, bot: TableBot, channel: Any
) -> None:
    own = sandbox.world.bot.id
    deny(ada, own, Permission.ATTACH_FILES | Permission.EMBED_LINKS)
    for sent in ({"file": picture("board.png")}, {"embed": discord.Embed(title="x")}):
        with refused(403, 50013):
            await channel.send(**sent)
    await channel.send("plain")
    answer = await ada.command("cribbage", "crib table")
    assert [file.filename for file in answer.reply.files] == ["table.png"]
    assert not bot.interactions[-1].app_permissions.attach_files

    deny(ada, own, Permission.SEND_MESSAGES)
    with refused(403, 50013):
        await channel.send("hello")
    assert (await ada.command("cribbage", "crib new", players=2)).reply.text == "table for 2"
    assert not bot.interactions[-1].app_permissions.send_messages
    deny(ada, own, Permission.VIEW_CHANNEL)
    with refused(403, 50001):
        await channel.send("hello")


async def test_a_repeated_nonce_gives_the_first_message(sandbox: Sandbox, ada: Person, channel: Any) -> None:
    first, again = [await channel.send("one", nonce="table-1") for _ in range(2)]
    assert first.id == again.id
    assert len(ada.sees("cribbage")) == 1
    sandbox.clock.advance(301)
    assert (await channel.send("one", nonce="table-1")).id != first.id


async def test_messages_older_than_an_hour_are_edited_only_so_often(
    sandbox: Sandbox, rest: Rest, messages: str
) -> None:
    _, message = await rest("POST", messages, {"content": "old"})
    sandbox.clock.advance(3601)
    edited = [
        outcome(await rest("PATCH", f"{messages}/{message['id']}", {"content": "new"})) for _ in range(4)
    ]
    assert edited == [(200, None)] * 3 + [(429, 30046)]


async def test_dms_open_and_closed(ada: Person, ben: Person, bot: TableBot) -> None:
    user = await bot.fetch_user(int(ada.id))
    await user.send("your hand")
    assert [[message.text for message in each.dms()] for each in (ada, ben)] == [["your hand"], []]
    ada.close_dms()
    with refused(403, 50007):
        await user.send("again")
    ada.open_dms()
    await user.send("welcome back")
    ada.leave_guild()
    with refused(403, 50278):
        await user.send("gone")


async def test_opening_many_dms_quickly_is_refused() -> None:
    async with Sandbox(dm_openings=Limit(2, 600.0)) as sandbox, asking(sandbox) as rest:
        opened = [
            outcome(await rest("POST", "/users/@me/channels", {"recipient_id": person.id}))
            for person in sandbox.people.values()
        ]
    assert opened == [(200, None)] * 2 + [(400, 40003)] * 2


async def test_history_goes_both_ways(ben: Person, channel: Any) -> None:
    said = [ben.say("cribbage", str(number)) for number in range(5)]
    middle = discord.Object(int(said[2].id))
    for asked, told in (
        ({"limit": 2}, "43"),
        ({"before": middle}, "10"),
        ({"after": middle}, "34"),
        ({"around": middle, "limit": 3}, "321"),
    ):
        assert [each.content async for each in channel.history(**asked)] == list(told)


async def test_typing_is_shown(sandbox: Sandbox, channel: Any) -> None:
    seen: list[str] = []
    sandbox.world.listeners.append(lambda change: seen.append(change.name))
    await channel.typing()
    assert "TYPING_START" in seen


async def test_emojis_of_the_application(sandbox: Sandbox, bot: TableBot) -> None:
    white = plain_png("#ffffff", 16)
    emoji = await bot.create_application_emoji(name="card_5H", image=white)
    assert [each.name for each in await bot.fetch_application_emojis()] == ["card_5H"]
    assert emoji.url.startswith(f"{sandbox.url}/cdn/emojis/")
    async with aiohttp.ClientSession() as session, session.get(emoji.url) as response:
        assert response.status == 200
    with refused(400, 50035):
        await bot.create_application_emoji(name="card_5H", image=white)
    with pytest.raises(discord.HTTPException, match=r"256\.0 kb"):
        await bot.create_application_emoji(name="large", image=white + bytes(256 * 1024))
    await emoji.edit(name="five")
    await emoji.delete()
    assert sandbox.world.emojis == {}


async def test_galleries_and_thumbnails_get_addresses_at_which_the_pictures_are(
    rest: Rest, messages: str
) -> None:
    thumbnail = {"type": 11, "media": {"url": "attachment://show.png"}, "description": "Five hearts"}
    section = {"type": 9, "components": [{"type": 10, "content": "hand"}], "accessory": thumbnail}
    listed = [{"id": 0, "filename": "board.png"}, {"id": 1, "filename": "show.png", "description": "hands"}]
    del (shown := gallery("board.png", "show.png"))["items"][1]["description"]
    body = {"flags": V2, "components": [shown, section], "attachments": listed}
    status, sent = await rest("POST", messages, body, files=FILES)

    assert (status, sent["attachments"]) == (200, [])
    pictures, beside = sent["components"]
    assert [item["description"] for item in pictures["items"]] == ["board.png", None]
    media = [*(item["media"] for item in pictures["items"]), beside["accessory"]["media"]]
    assert [(each["width"], each["height"]) for each in media] == [(40, 40), (24, 24), (24, 24)]
    assert media[1]["attachment_id"] == media[2]["attachment_id"]
    async with aiohttp.ClientSession() as session:
        for each, content in zip(media, (BOARD, SHOW, SHOW), strict=True):
            async with session.get(each["url"]) as response:
                assert (await response.read(), response.content_type) == (content, "image/png")


def told(message: dict[str, Any]) -> list[tuple[str, str | None]]:
    """The name of each attachment, and its description."""
    return [(each["filename"], each.get("description")) for each in message["attachments"]]


async def test_a_file_that_nothing_shows_is_an_attachment(rest: Rest, messages: str) -> None:
    body = {"content": "x", "attachments": [{"id": 0, "description": "the board"}]}
    _, sent = await rest("POST", messages, body, files={"a.png": BOARD})
    assert told(sent) == [("a.png", "the board")]


async def test_an_edit_that_lists_attachments_drops_the_others(
    ada: Person, rest: Rest, messages: str
) -> None:
    _, sent = await rest("POST", messages, BOTH, files=FILES)
    [message] = ada.sees("cribbage")
    path = f"{messages}/{sent['id']}"
    status, edited = await rest("PATCH", path, {"components": [gallery("board.png")]})
    before, after = (each["components"][0]["items"][0]["media"] for each in (sent, edited))
    assert (status, before) == (200, after)
    assert told(edited) == [("show.png", None)], "none were listed"

    listed = [{"id": edited["attachments"][0]["id"], "description": "hands"}, {"id": 0}]
    body = {"components": [gallery("new.png")], "attachments": listed}
    status, edited = await rest("PATCH", path, body, files={"new.png": BOARD})
    assert (status, [file.filename for file in message.files]) == (200, ["show.png", "new.png"])
    assert told(edited) == [("show.png", "hands")]


@pytest.mark.parametrize(
    "edit",
    [
        {"components": [gallery("other.png")]},
        {"components": [gallery("board.png")], "attachments": []},
        {"attachments": []},
    ],
)
async def test_no_component_shows_a_file_that_the_message_lacks(
    ada: Person, rest: Rest, messages: str, edit: dict[str, Any]
) -> None:
    _, sent = await rest("POST", messages, ONE, files={"board.png": BOARD})
    answered = await rest("PATCH", f"{messages}/{sent['id']}", edit)

    assert outcome(answered) == (400, 50035)
    assert assumptions.ATTACHMENT_NOT_FOUND in str(answered[1]["errors"])
    [message] = ada.sees("cribbage")
    assert [file.filename for file in message.files] == ["board.png"]


async def test_each_file_may_have_ten_mebibytes(rest: Rest, messages: str) -> None:
    assert outcome(await rest("POST", messages, {}, files={"a": b"x", "b": TEN_MEBIBYTES})) == (200, None)
    assert outcome(await rest("POST", messages, {}, files={"b": b"x" + TEN_MEBIBYTES})) == (413, 40005)


async def test_without_attach_files_an_edit_brings_no_file_and_keeps_what_there_is(
    sandbox: Sandbox, ada: Person, rest: Rest, messages: str
) -> None:
    _, sent = await rest("POST", messages, ONE, files={"board.png": BOARD})
    deny(ada, sandbox.world.bot.id, Permission.ATTACH_FILES)
    edit = ("PATCH", f"{messages}/{sent['id']}", ONE)
    assert outcome(await rest("POST", messages, ONE, files={"board.png": BOARD})) == (403, 50013)
    assert outcome(await rest(*edit, files={"board.png": SHOW})) == (403, 50013)
    assert outcome(await rest(*edit)) == (200, None)


async def test_an_update_response_keeps_only_the_files_that_it_lists(
    ada: Person, bot: TableBot, channel: Any
) -> None:
    caught: list[int] = []

    async def redraw(interaction: Any) -> None:
        try:
            await interaction.response.edit_message(view=picture_view("board.png"))
        except discord.HTTPException as error:
            caught.append(error.status)
        await interaction.response.edit_message(
            view=picture_view("show.png"), attachments=[picture("show.png")]
        )

    bot.handlers["go"] = redraw
    answer = await pressed_on_a_picture(ada, channel)
    assert (caught, [file.filename for file in answer.reply.files]) == ([400], ["show.png"])


async def test_a_test_can_make_messages_with_a_picture_fail(
    sandbox: Sandbox, ada: Person, channel: Any
) -> None:
    async def send() -> Any:
        return await channel.send(view=picture_view("board.png"), file=picture("board.png"))

    async def replace() -> Any:
        await sent.edit(view=picture_view("show.png"), attachments=[picture("show.png")])

    sandbox.pictures.fail(400, times=2)
    sent = await send()
    for _ in range(2):
        with refused(400, 50035):
            await replace()
    await sent.edit(view=picture_view("board.png"))
    await replace()
    sandbox.pictures.fail(400, creates=True)
    with refused(400, 50035):
        await send()

    assert sandbox.pictures.failed == 3
    [message] = ada.sees("cribbage")
    assert [file.filename for file in message.files] == ["show.png"]


async def test_an_edit_with_a_picture_can_fail_with_500(sandbox: Sandbox, rest: Rest, messages: str) -> None:
    _, sent = await rest("POST", messages, ONE, files={"board.png": BOARD})
    sandbox.pictures.fail(500)
    new = {"components": [gallery("show.png")], "attachments": [{"id": 0}]}
    path = f"{messages}/{sent['id']}"
    answers = [await rest("PATCH", path, new, files={"show.png": SHOW}) for _ in range(2)]
    assert [status for status, _ in answers] == [500, 200]


async def test_an_update_response_with_a_picture_can_fail_too(
    sandbox: Sandbox, ada: Person, bot: TableBot, channel: Any
) -> None:
    async def redraw(interaction: Any) -> None:
        with refused(400, 50035):
            view = picture_view("show.png")
            await interaction.response.edit_message(view=view, attachments=[picture("show.png")])
        view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay("as text"))
        await interaction.response.edit_message(view=view)

    bot.handlers["go"] = redraw
    sandbox.pictures.fail(400)
    answer = await pressed_on_a_picture(ada, channel)
    assert (answer.reply.text, answer.reply.files) == ("as text", [])


def picture_view(name: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description="board")))
    view.add_item(ui.ActionRow(ui.Button(label="go", custom_id="go")))
    return view


async def pressed_on_a_picture(ada: Person, channel: Any) -> Interaction:
    view = picture_view("board.png")
    await channel.send(view=view, file=picture("board.png"))
    view.stop()
    return await ada.press(ada.sees("cribbage")[-1], "go")


async def test_a_bot_that_dies_in_the_middle_of_an_upload_is_no_error(
    sandbox: Sandbox, messages: str
) -> None:
    """The fixture fails the test for anything that the server could not handle."""
    url = yarl.URL(sandbox.url)
    _, writer = await asyncio.open_connection(url.host, url.port)
    head = (
        f"POST /api/v10{messages} HTTP/1.1",
        f"Host: {url.host}:{url.port}",
        f"Authorization: Bot {sandbox.token}",
        "Content-Type: multipart/form-data; boundary=b",
        "Content-Length: 100000",
    )
    part = '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="board.png"\r\n\r\nhalf of it'
    writer.write(("\r\n".join(head) + "\r\n\r\n" + part).encode())
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.transport.abort()
    await asyncio.sleep(0.05)
    assert not sandbox.channels["cribbage"].messages
