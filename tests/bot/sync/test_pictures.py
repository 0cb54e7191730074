"""Messages with a picture, over real sockets: sent, kept when only the text changes, and replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from bot.interactions.answering import Answer
from bot.model.custom_ids import Verb
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing, DrawnFile, file_name
from bot.render.layouts import address, button, container, layout, picture, row, text
from bot.render.text.voice import Voice
from bot.sync.live_message import Shown
from bot.sync.posts import Posts
from sandbox.model.channels import Message
from sandbox.model.media import plain_png
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.sandbox.table_bot import TableBot, running

PRESS = address("g", 1, Verb.CUT)
BLUE, RED = plain_png("#112233", 40), plain_png("#992233", 40)


class Shelf:
    """A store of posts only."""

    async def keep_post(self, post: Post) -> None:
        """Accept the post."""


class Uploads:
    """The files of each request that wrote a message, in order."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, ...]] = []

    def __call__(self, passed: Exchange | Frame) -> None:
        if isinstance(passed, Exchange) and passed.method in {"POST", "PATCH"} and passed.body:
            assert passed.status < 300, passed.answer
            self.sent.append(tuple(each.content for each in passed.files))


def drawn(said: str, content: bytes | None = None) -> Drawing:
    files = () if content is None else (board(content),)
    return layout(
        container(text(said), *map(picture, files), row(button(PRESS, "Cut"))),
        files=files,
    )


def board(content: bytes) -> DrawnFile:
    return DrawnFile(name=file_name("board", content), content=content, description="Ada 12, Ben 7")


def shows(message: Message, said: str, content: bytes | None) -> bool:
    """True if the message shows the picture by its own attachment, with the alt text."""
    galleries = [each for each in message.components[0]["components"] if each["type"] == 12]
    if content is None:
        return message.text.startswith(said) and not galleries and not message.files
    [file], [item] = message.files, galleries[0]["items"]
    return (
        message.text.startswith(said)
        and file.content == content
        and item["media"]["url"] == file.url
        and item["description"] == "Ada 12, Ben 7"
    )


@pytest.fixture
def uploads(sandbox: Sandbox) -> Uploads:
    return Uploads()


@pytest.fixture
async def bot(sandbox: Sandbox, uploads: Uploads) -> AsyncIterator[TableBot]:
    async with running(sandbox) as bot:
        sandbox.observers.append(uploads)
        yield bot


@pytest.fixture
def posts(bot: TableBot) -> Posts:
    return posts_of(bot)


def place_in(sandbox: Sandbox) -> Place:
    return Place(PostKind.TABLE, int(sandbox.channels["cribbage"].id), 1)


def posts_of(bot: TableBot, *standing: Post) -> Posts:
    store: Any = Shelf()
    return Posts("g", bot, store, standing)


async def test_a_picture_is_sent_kept_and_replaced_by_edits_of_a_message(
    sandbox: Sandbox, bot: TableBot, posts: Posts, uploads: Uploads
) -> None:
    place = place_in(sandbox)
    await posts.draw(drawn("Play.", BLUE), place, version=1)
    [message] = sandbox.people["Ada"].sees("cribbage")
    assert shows(message, "Play.", BLUE)
    [file] = message.files

    kept = await posts.draw(drawn("Count.", BLUE), place, version=1)
    assert shows(message, "Count.", BLUE)
    assert message.files == [file], "the same attachment"

    posts = posts_of(bot, kept)  # after a restart
    await posts.draw(drawn("Lead.", BLUE), place, version=1)
    await posts.draw(drawn("Lead.", RED), place, version=1)
    assert shows(message, "Lead.", RED)
    await posts.draw(drawn("Over."), place, version=1)
    assert shows(message, "Over.", None)
    assert uploads.sent == [(BLUE,), (), (), (RED,), ()]


@pytest.mark.parametrize("deferred", [False, True], ids=["at once", "deferred"])
async def test_a_picture_is_kept_and_replaced_by_the_answer_to_a_press_and_then_by_its_token(
    sandbox: Sandbox, bot: TableBot, posts: Posts, uploads: Uploads, deferred: bool
) -> None:
    place, done = place_in(sandbox), asyncio.Event()
    post = await posts.draw(drawn("Play.", BLUE), place, version=1)
    [message] = sandbox.people["Ada"].sees("cribbage")
    [file] = message.files
    drawings = iter((drawn("Count.", BLUE), drawn("Lead.", RED)))
    before = [drawn("Play.", BLUE).digest, drawn("Count.", BLUE).digest]

    async def answer(interaction: discord.Interaction) -> None:
        answer, drawing = Answer(interaction, Voice()), next(drawings)
        if deferred:
            await answer.defer()
        await answer.redraw(drawing, shown=before.pop(0))
        await posts.answered(post.message, interaction, Shown(digest=drawing.digest, version=1))
        done.set()

    async def press() -> None:
        done.clear()
        await sandbox.people["Ada"].press(message, "Cut")
        await done.wait()

    bot.handlers[str(PRESS)] = answer
    await press()
    assert shows(message, "Count.", BLUE)
    assert message.files == [file], "the same attachment"
    await press()
    assert shows(message, "Lead.", RED)

    [file] = message.files
    await posts.draw(drawn("Show.", RED), place, version=1)
    assert shows(message, "Show.", RED)
    assert message.files == [file]
    await posts.draw(drawn("Over.", BLUE), place, version=1)
    assert shows(message, "Over.", BLUE)
    assert [each for each in uploads.sent if each] == [(BLUE,), (RED,), (BLUE,)]


@pytest.mark.parametrize("deferred", [False, True], ids=["at once", "deferred"])
async def test_a_picture_is_shown_in_private(sandbox: Sandbox, bot: TableBot, deferred: bool) -> None:
    async def answer(interaction: discord.Interaction) -> None:
        answer = Answer(interaction, Voice())
        if deferred:
            await answer.defer()
        await answer.show(drawn("Yours.", RED))
        done.set()

    done = asyncio.Event()
    channel = bot.get_channel(int(sandbox.channels["cribbage"].id))
    assert isinstance(channel, discord.TextChannel)
    bot.handlers[str(PRESS)] = answer
    await channel.send(**drawn("Play.").to_send())
    ada = sandbox.people["Ada"]
    await ada.press(ada.sees("cribbage")[-1], "Cut")
    await done.wait()
    assert shows(ada.sees("cribbage")[-1], "Yours.", RED)
    assert len(ada.sees("cribbage")) == 2
