"""Files of messages: where they show, what an edit keeps, and who may send them."""

import asyncio
import io
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import ui

from sandbox import assumptions
from sandbox.model.interactions import Interaction
from sandbox.model.media import plain_png
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import TableBot

V2 = 1 << 15
BOARD, SHOW = plain_png("#112233", 40), plain_png("#445566", 24)
GALLERY = {
    "type": 12,
    "items": [
        {"media": {"url": "attachment://board.png"}, "description": "Ada leads"},
        {"media": {"url": "attachment://show.png"}},
    ],
}
THUMBNAIL = {"type": 11, "media": {"url": "attachment://show.png"}, "description": "Five hearts"}
SECTION = {"type": 9, "components": [{"type": 10, "content": "hand"}], "accessory": THUMBNAIL}
BOTH = {"board.png": BOARD, "show.png": SHOW}


def messages_of(sandbox: Sandbox) -> str:
    return f"/channels/{sandbox.channels['cribbage'].id}/messages"


def told(name: str) -> dict[str, Any]:
    """A gallery with one picture."""
    return {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}, "description": "board"}]}


async def test_galleries_and_thumbnails_get_addresses_at_which_the_pictures_are(
    sandbox: Sandbox, rest: Rest
) -> None:
    listed = [{"id": 0, "filename": "board.png"}, {"id": 1, "filename": "show.png", "description": "hands"}]
    body = {"flags": V2, "components": [GALLERY, SECTION], "attachments": listed}
    status, sent = await rest("POST", messages_of(sandbox), body, files=BOTH)

    assert (status, sent["attachments"]) == (200, [])
    gallery, section = sent["components"]
    assert [item["description"] for item in gallery["items"]] == ["Ada leads", None]
    media = [*(item["media"] for item in gallery["items"]), section["accessory"]["media"]]
    assert [(each["width"], each["height"]) for each in media] == [(40, 40), (24, 24), (24, 24)]
    assert media[1]["attachment_id"] == media[2]["attachment_id"]
    async with aiohttp.ClientSession() as session:
        for each, picture in zip(media, (BOARD, SHOW, SHOW), strict=True):
            async with session.get(each["url"]) as response:
                assert (await response.read(), response.content_type) == (picture, "image/png")


async def test_a_file_that_nothing_shows_is_an_attachment(sandbox: Sandbox, rest: Rest) -> None:
    listed = [{"id": 0, "description": "the board"}]
    _, sent = await rest(
        "POST", messages_of(sandbox), {"content": "x", "attachments": listed}, files={"a.png": BOARD}
    )

    assert [(each["filename"], each["description"]) for each in sent["attachments"]] == [
        ("a.png", "the board")
    ]


async def test_an_edit_that_lists_no_attachments_keeps_the_files(sandbox: Sandbox, rest: Rest) -> None:
    path = messages_of(sandbox)
    _, sent = await rest("POST", path, {"flags": V2, "components": [GALLERY]}, files=BOTH)
    status, edited = await rest("PATCH", f"{path}/{sent['id']}", {"components": [told("board.png")]})

    assert status == 200
    assert edited["components"][0]["items"][0]["media"] == sent["components"][0]["items"][0]["media"]
    assert [file["filename"] for file in edited["attachments"]] == ["show.png"]


async def test_an_edit_that_lists_attachments_drops_the_others(sandbox: Sandbox, rest: Rest) -> None:
    path = messages_of(sandbox)
    _, sent = await rest("POST", path, {"flags": V2, "components": [GALLERY]}, files=BOTH)
    show = sent["components"][0]["items"][1]["media"]["attachment_id"]
    [message] = sandbox.people["Ada"].sees("cribbage")

    listed = [{"id": show, "description": "hands"}, {"id": 0}]
    body = {"components": [told("new.png")], "attachments": listed}
    status, edited = await rest("PATCH", f"{path}/{sent['id']}", body, files={"new.png": BOARD})

    assert status == 200
    assert [file.filename for file in message.files] == ["show.png", "new.png"]
    assert [(file["filename"], file["description"]) for file in edited["attachments"]] == [
        ("show.png", "hands")
    ]


@pytest.mark.parametrize(
    "edit",
    [
        {"components": [told("other.png")]},
        {"components": [told("board.png")], "attachments": []},
        {"attachments": []},
    ],
)
async def test_no_component_shows_a_file_that_the_message_lacks(
    sandbox: Sandbox, rest: Rest, edit: dict[str, Any]
) -> None:
    path = messages_of(sandbox)
    body = {"flags": V2, "components": [told("board.png")]}
    _, sent = await rest("POST", path, body, files={"board.png": BOARD})
    status, answer = await rest("PATCH", f"{path}/{sent['id']}", edit)

    assert (status, answer["code"]) == (400, 50035)
    assert assumptions.ATTACHMENT_NOT_FOUND in str(answer["errors"])
    [message] = sandbox.people["Ada"].sees("cribbage")
    assert [file.filename for file in message.files] == ["board.png"]


async def test_each_file_may_have_ten_mebibytes(sandbox: Sandbox, rest: Rest) -> None:
    most = bytes(10 * 1024 * 1024)

    assert (await rest("POST", messages_of(sandbox), {}, files={"a": most, "b": most}))[0] == 200
    status, answer = await rest("POST", messages_of(sandbox), {}, files={"a": b"x", "b": most + b"x"})
    assert (status, answer["code"]) == (413, 40005)


async def test_without_attach_files_an_edit_brings_no_file_and_keeps_what_there_is(
    sandbox: Sandbox, rest: Rest
) -> None:
    path = messages_of(sandbox)
    body = {"flags": V2, "components": [told("board.png")]}
    _, sent = await rest("POST", path, body, files={"board.png": BOARD})
    _without_attach_files(sandbox)

    status, answer = await rest("POST", path, body, files={"board.png": BOARD})
    assert (status, answer["code"]) == (403, 50013)
    status, answer = await rest("PATCH", f"{path}/{sent['id']}", body, files={"board.png": SHOW})
    assert (status, answer["code"]) == (403, 50013)
    assert (await rest("PATCH", f"{path}/{sent['id']}", body))[0] == 200


async def test_answers_bring_files_without_attach_files(sandbox: Sandbox, bot: TableBot) -> None:
    _without_attach_files(sandbox)
    answer = await sandbox.people["Ada"].command("cribbage", "crib table")

    assert [file.filename for file in answer.reply.files] == ["table.png"]
    assert not bot.interactions[-1].app_permissions.attach_files


async def test_an_update_response_keeps_only_the_files_that_it_lists(sandbox: Sandbox, bot: TableBot) -> None:
    caught: list[discord.HTTPException] = []

    async def redraw(interaction: Any) -> None:
        try:
            await interaction.response.edit_message(view=picture_view("board.png"))
        except discord.HTTPException as error:
            caught.append(error)
        again = discord.File(io.BytesIO(SHOW), "show.png")
        await interaction.response.edit_message(view=picture_view("show.png"), attachments=[again])

    bot.handlers["go"] = redraw
    answer = await press_the_picture(sandbox, bot)

    assert [error.status for error in caught] == [400]
    assert [file.filename for file in answer.reply.files] == ["show.png"]


async def test_a_test_can_make_edits_with_a_picture_fail(sandbox: Sandbox, bot: TableBot) -> None:
    channel: Any = bot.get_channel(int(sandbox.channels["cribbage"].id))

    async def send() -> Any:
        file = discord.File(io.BytesIO(BOARD), "board.png")
        return await channel.send(view=picture_view("board.png"), file=file)

    async def replace() -> Any:
        file = discord.File(io.BytesIO(SHOW), "show.png")
        return await sent.edit(view=picture_view("show.png"), attachments=[file])

    sandbox.pictures.fail(400, times=2)
    sent = await send()
    for _ in range(2):
        with pytest.raises(discord.HTTPException) as refused:
            await replace()
        assert (refused.value.status, refused.value.code) == (400, 50035)
    await sent.edit(view=picture_view("board.png"))
    await replace()
    sandbox.pictures.fail(400, creates=True)
    with pytest.raises(discord.HTTPException):
        await send()

    assert sandbox.pictures.failed == 3
    [message] = sandbox.people["Ada"].sees("cribbage")
    assert [file.filename for file in message.files] == ["show.png"]


async def test_an_edit_with_a_picture_can_fail_with_500(sandbox: Sandbox, rest: Rest) -> None:
    path = messages_of(sandbox)
    body = {"flags": V2, "components": [told("board.png")]}
    _, sent = await rest("POST", path, body, files={"board.png": BOARD})
    sandbox.pictures.fail(500)
    new = {"components": [told("show.png")], "attachments": [{"id": 0}]}
    answers = [await rest("PATCH", f"{path}/{sent['id']}", new, files={"show.png": SHOW}) for _ in range(2)]

    assert [status for status, _ in answers] == [500, 200]


async def test_an_update_response_with_a_picture_can_fail_too(sandbox: Sandbox, bot: TableBot) -> None:
    caught: list[int] = []

    async def redraw(interaction: Any) -> None:
        file = discord.File(io.BytesIO(SHOW), "show.png")
        try:
            await interaction.response.edit_message(view=picture_view("show.png"), attachments=[file])
        except discord.HTTPException as error:
            caught.append(error.status)
        view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay("as text"))
        await interaction.response.edit_message(view=view)

    bot.handlers["go"] = redraw
    sandbox.pictures.fail(400)
    answer = await press_the_picture(sandbox, bot)

    assert (caught, answer.reply.text, answer.reply.files) == ([400], "as text", [])


def picture_view(name: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description="board")))
    view.add_item(ui.ActionRow(ui.Button(label="go", custom_id="go")))
    return view


async def press_the_picture(sandbox: Sandbox, bot: TableBot) -> Interaction:
    channel: Any = bot.get_channel(int(sandbox.channels["cribbage"].id))
    view = picture_view("board.png")
    await channel.send(view=view, file=discord.File(io.BytesIO(BOARD), "board.png"))
    view.stop()
    ada = sandbox.people["Ada"]
    return await ada.press(ada.sees("cribbage")[-1], "go")


def _without_attach_files(sandbox: Sandbox) -> None:
    overwrite = Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.ATTACH_FILES)
    sandbox.people["Ada"].set_overwrite("cribbage", overwrite)


async def test_a_bot_that_dies_in_the_middle_of_an_upload_is_no_error(sandbox: Sandbox) -> None:
    """The fixture fails the test for anything that the server could not handle."""
    url = yarl.URL(sandbox.url)
    _, writer = await asyncio.open_connection(url.host, url.port)
    head = (
        f"POST /api/v10/channels/{sandbox.channels['cribbage'].id}/messages HTTP/1.1",
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
