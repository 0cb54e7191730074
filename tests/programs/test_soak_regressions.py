"""Regression tests for what the long soak found."""

from __future__ import annotations

import asyncio
import signal
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, create_autospec

import discord
import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.interactions import answering
from bot.interactions.answering import Answer
from bot.model.errors import StoreUnavailable
from bot.model.posts import Place, Post, PostKind
from bot.render.layouts import layout, text
from bot.render.text.voice import Voice, Voices
from bot.sync import live_message
from bot.sync.live_message import Shown
from bot.sync.posts import Posts
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, is_lobby, lobby_by
from tests.patience import PATIENCE


@pytest.mark.sockets
async def test_a_request_that_is_never_answered_holds_up_no_table_for_long(tmp_path: Path) -> None:
    lost = asyncio.Event()

    @web.middleware
    async def silent(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method == "POST" and request.path.endswith("/messages") and not lost.is_set():
            lost.set()
            await asyncio.sleep(300)
        return await handler(request)

    async with (
        Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[silent]) as sandbox,
        BotProcess(sandbox, tmp_path / "games.sqlite3"),
    ):
        people = [sandbox.people["Ada"], sandbox.people["Ben"]]
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.until(lambda: all(player.hand() for player in table.players))
    assert lost.is_set()
    assert [number for number, _ in table.deals] == [1]


async def test_an_answer_that_discord_never_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_SEND_TIMEOUT", 0.01)
    interaction = create_autospec(discord.Interaction, instance=True)

    async def never(**_: Any) -> None:
        await asyncio.sleep(60)

    interaction.response.send_message = never
    with pytest.raises(TimeoutError):
        await Answer(interaction, Voice()).reply("Well?")


class ForgetfulStore:
    """A store that is not there the first time."""

    def __init__(self) -> None:
        self.kept: list[Post] = []
        self._failed = False

    async def keep_post(self, post: Post) -> None:
        if not self._failed:
            self._failed = True
            raise StoreUnavailable("locked")
        self.kept.append(post)


async def test_a_message_that_could_not_be_kept_is_kept_with_its_next_drawing() -> None:
    client = create_autospec(discord.Client, instance=True)
    channel = client.get_partial_messageable.return_value
    channel.send = AsyncMock(spec=discord.TextChannel.send, return_value=SimpleNamespace(id=7))
    message = channel.get_partial_message.return_value
    message.edit = AsyncMock(spec=discord.PartialMessage.edit)
    store: Any = ForgetfulStore()
    posts = Posts("g", client, store, ())
    drawing = layout(text("A table."))
    place = Place(PostKind.TABLE, 5, 1)
    with pytest.raises(StoreUnavailable):
        await posts.draw(drawing, place, version=1)

    assert not posts.is_up_to_date
    await posts.draw(drawing, place, version=1)

    assert posts.is_up_to_date
    assert [post.message for post in store.kept] == [7]
    assert channel.send.call_count == 1


async def test_an_edit_by_an_answer_whose_outcome_stays_unknown_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_message, "TOKEN_TIMEOUT", 0.01)
    client = create_autospec(discord.Client, instance=True)
    store: Any = ForgetfulStore()
    standing = Post(game="g", kind=PostKind.HAND, deal=1, seat=0, channel=5, message=7, drawn="before")
    posts = Posts("g", client, store, (standing,))
    interaction = create_autospec(discord.Interaction, instance=True)
    interaction.expires_at = discord.utils.utcnow() + timedelta(minutes=10)
    interaction.response.type = discord.InteractionResponseType.message_update
    interaction.message.id, interaction.extras = 7, {}

    async def never(**_: Any) -> None:
        await asyncio.sleep(60)

    interaction.edit_original_response = never
    await posts.answered(7, interaction, Shown(digest="before", version=1))
    hand = layout(text("A hand."))

    drawing = asyncio.create_task(posts.draw(hand, Place(PostKind.HAND, 5, 1, 0), version=1))
    await asyncio.wait({drawing}, timeout=5)

    assert drawing.done()
    assert isinstance(drawing.exception(), TimeoutError)
    assert not posts.is_up_to_date

    # The next is no answer's: discord.py may not have let go of that token.
    message = client.get_partial_messageable.return_value.get_partial_message.return_value
    message.edit = AsyncMock(spec=discord.PartialMessage.edit)
    await posts.draw(hand, Place(PostKind.HAND, 5, 1, 0), version=1)
    assert message.edit.await_count == 1
    assert posts.is_up_to_date


@pytest.mark.sockets
async def test_a_lobby_is_posted_once_whatever_becomes_of_the_bot_meanwhile(tmp_path: Path) -> None:
    dead = asyncio.Event()

    @web.middleware
    async def deadly(request: web.Request, handler: Handler) -> web.StreamResponse:
        answer = await handler(request)
        if request.method == "POST" and not dead.is_set():
            if request.path.endswith("/callback") and request.transport is not None:
                request.transport.abort()  # the answer is lost as well
            if request.path.endswith("/messages"):
                dead.set()
                bot.send(signal.SIGKILL)
                await bot.ended()
        return answer

    async with (
        Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[deadly]) as sandbox,
        BotProcess(sandbox, tmp_path / "games.sqlite3") as bot,
    ):
        ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
        channel = sandbox.channels["cribbage"]
        lobby = await lobby_by(ada.command(channel, "crib new", length=61))
        async with asyncio.timeout(PATIENCE):
            await dead.wait()
        await bot.restart()
        table = Table.at(channel, people, lobby)
        await ben.press(lobby, "Join")
        await table.until(lambda: "Ben" in lobby.text)
        await ada.press(lobby, "Start")
        await table.cut_for_deal()

    lobbies = [each for each in channel.messages.values() if is_lobby(each)]
    assert lobbies == [lobby]


async def test_answers_that_are_late_when_the_bot_stops_are_given_up() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def press() -> None:
        async with answering.answering(create_autospec(discord.Interaction, instance=True), Voices()):
            begun.set()
            try:
                await asyncio.Event().wait()  # an answer that Discord never takes
            finally:
                ended.set()

    pressing = asyncio.create_task(press())
    await begun.wait()
    await answering.finish(0.01)

    assert ended.is_set()
    assert pressing.cancelled()
