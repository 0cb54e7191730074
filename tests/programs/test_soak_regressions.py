"""Regression tests for what the long soak found."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import discord
import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.interactions import answering
from bot.interactions.answering import Answer
from bot.render.text.voice import Voice, Voices
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, is_lobby, lobby_by
from tests.patience import PATIENCE


@pytest.mark.deep
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
    monkeypatch.setattr(answering, "SEND_TIMEOUT", 0.01)
    interaction = create_autospec(discord.Interaction, instance=True)

    async def never(**_: Any) -> None:
        await asyncio.sleep(60)

    interaction.response.send_message = never
    with pytest.raises(TimeoutError):
        await Answer(interaction, Voice()).reply("Well?")


@pytest.mark.deep
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
