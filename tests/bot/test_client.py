"""The client by itself, without a connection."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock, Mock, call, patch

import discord
import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.app import Bot
from bot.client import FifteenTwo
from bot.config.settings import Settings
from bot.gateway.shard_leases import Leases
from bot.gateway.sharing import OpenHands, SharedHints, Sharing
from bot.model.errors import StoreUnavailable
from bot.model.shards import Shards
from bot.model.table_record import Agreement, Status
from bot.model.venue import Venue
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.store import SqlStore
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import PACK, Chance
from engine.computer import Level
from tests.bot.built import built
from tests.bot.seating import ADA
from tests.bot.stand_in import stand_in
from tests.patience import PATIENCE


async def test_a_closed_client_dispatches_no_events(tmp_path: Path) -> None:
    heard = []

    async def on_ready() -> None:
        heard.append("ready")

    async with AsyncExitStack() as stack:
        database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
        stack.push_async_callback(database.close)
        store = SqlStore(database, lambda: 0.0)
        settings = Settings(discord_token=SecretStr("t"))
        client = built(database, store, settings).client
        client.event(on_ready)
        async with client:
            client.dispatch("ready")
            await database.read(lambda connection: connection.execute("SELECT 1"))
        client.dispatch("ready")  # as discord.py does when the list of servers comes to its end meanwhile
    assert heard == ["ready"]


async def test_requests_that_hang_take_a_bounded_number_of_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A system allows a process 1,024 open files, as a rule."""
    monkeypatch.setattr("bot.client._CONNECTIONS", 3)
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    answers, waiting, several = asyncio.Event(), 0, asyncio.Event()
    transports: set[object] = set()

    async def answer(request: web.Request) -> web.Response:
        nonlocal waiting
        transports.add(request.transport)
        if request.path.startswith("/channels/"):
            waiting += 1
            if waiting == 3:
                several.set()
            await answers.wait()
        user = {"id": "1", "username": "crib", "discriminator": "0", "avatar": None}
        application = {"name": "crib", "description": "", "icon": None, "verify_key": "", "owner": user}
        flags = {"bot_public": True, "bot_require_code_grant": False}
        body = json.dumps({**user, **application, **flags}).encode()
        return web.Response(body=body, content_type="application/json")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    discord.http.Route.BASE = f"http://127.0.0.1:{runner.addresses[0][1]}"
    client = FifteenTwo()
    client.bot = AsyncMock()
    async with client:
        await client.login("t")
        requests = [asyncio.create_task(client.http.get_channel(channel)) for channel in range(20)]
        async with asyncio.timeout(PATIENCE):
            await several.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        assert waiting == 3
        answers.set()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*requests)
    await runner.cleanup()
    assert (waiting, len(transports)) == (20, 3)


@dataclass
class Process:
    """One process of several, that is not connected."""

    bot: Bot
    store: SqlStore
    leases: Any
    did: Mock
    """Calls of the slow parts, in order."""
    sync: AsyncMock
    """Tells Discord of the commands."""

    async def does_all_of(self, *kinds: str) -> None:
        """Until work of those kinds is done."""
        async with asyncio.timeout(PATIENCE):
            while any(key[0] in kinds for key in self.bot._tasks):  # noqa: ASYNC110 -- it has no event
                await asyncio.sleep(0.01)


async def _nothing_is_heard(*_: object) -> None:
    await asyncio.Event().wait()


@asynccontextmanager
async def one_of_several(path: Path) -> AsyncIterator[Process]:
    """It has not been set up, and no shard is free."""
    did = Mock()
    leases = stand_in(Leases, member=7)
    leases.renew.side_effect = StoreUnavailable
    did.attach_mock(leases, "leases")
    hints = stand_in(SharedHints)
    hints.listen.side_effect = _nothing_is_heard
    hands = stand_in(OpenHands)
    hands.take.return_value = ()
    sharing = Sharing(
        own=Shards(0, 1, 2), leases=leases, hints=hints, hands=hands, turn=AsyncMock(return_value=(0.0, True))
    )
    async with AsyncExitStack() as stack:
        database = await SqliteDatabase.open(path / "games.sqlite3")
        stack.push_async_callback(database.close)
        store = SqlStore(database, lambda: 0.0)
        settings = Settings(discord_token=SecretStr("t"))
        bot = built(database, store, settings, sharing=sharing)
        client = bot.client
        bot._fetch_card_faces = did.fetch_card_faces = AsyncMock()  # type: ignore[method-assign]
        client.ask_for_shards = did.ask_for_shards = AsyncMock()  # type: ignore[method-assign]
        async with client:
            client._connection.application_id = 1
            bot._commands._digest = AsyncMock(return_value="new")  # type: ignore[method-assign]
            client.tree.sync = sync = AsyncMock(return_value=[])  # type: ignore[method-assign]
            yield Process(bot, store, leases, did, sync)


async def test_a_process_joins_the_others_when_it_can_go_on_to_say_that_it_lives(tmp_path: Path) -> None:
    """Discord may let it wait for longer than it would be a member."""
    async with one_of_several(tmp_path) as process:
        await process.bot.client.setup_hook()
        async with asyncio.timeout(PATIENCE):
            while not process.leases.renew.called:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)
        assert [each[0] for each in process.did.mock_calls[:3]] == [
            "ask_for_shards",
            "leases.join",
            "leases.renew",
        ]
        assert process.leases.join.call_args == call(2)


async def test_a_process_that_ends_lets_no_press_in_while_it_gives_its_last_answers(tmp_path: Path) -> None:
    """A successor that is connected keeps it, and has time to answer it."""
    async with one_of_several(tmp_path) as process:
        owned, did = process.bot._owned, process.did
        assert owned is not None
        owned._keeper._held.add(1)
        owned._deduplicator = Mock(close=Mock(return_value=frozenset({123})))
        did.attach_mock(owned._deduplicator, "gate")
        with patch("bot.app.finish", AsyncMock()) as finish:
            did.attach_mock(finish, "finish")
            await process.bot.client.close()
        assert [each[0] for each in did.mock_calls] == ["gate.close", "finish", "gate.close", "leases.leave"]
        assert process.leases.leave.call_args == call({1: {123}})


async def test_the_process_that_gains_the_first_shard_sends_commands_and_pictures(tmp_path: Path) -> None:
    async with one_of_several(tmp_path) as process:
        bot = process.bot
        await bot.client.setup_hook()
        await process.does_all_of("card voice")
        assert bot._owned is not None
        bot._owned.gained(1, frozenset())
        assert not {("card voice",), ("commands",)} & set(bot._tasks)

        bot._owned.gained(0, frozenset())
        await process.does_all_of("card voice", "commands")
        assert process.did.fetch_card_faces.await_count == 2
        process.sync.assert_awaited_once()


async def test_pictures_that_cannot_be_listed_again_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emojis = {str(each): f"<:card:{number}>" for number, each in enumerate(PACK, 1)} | {"back": "<:back:99>"}
    listed = AsyncMock(side_effect=[emojis, {}])
    monkeypatch.setattr("bot.app.card_emojis", listed)
    async with one_of_several(tmp_path) as process:
        bot = process.bot
        await Bot._fetch_card_faces(bot)
        bot._presence.own(0)
        await Bot._fetch_card_faces(bot)
        assert bot._core.voices.of("en").faces.text(PACK[0]) == emojis[str(PACK[0])]
    assert [each.kwargs["may_change"] for each in listed.call_args_list] == [False, True]


async def test_a_table_in_a_dm_that_a_killed_process_has_opened_begins_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app._ABANDONED_AFTER", 0.01)
    async with one_of_several(tmp_path) as process:
        bot = process.bot
        await bot.client.setup_hook()
        killed = Lobbies(process.store, Sessions(process.store, Chance(Random(1))), now=time.time)
        with (
            patch.object(Sessions, "begin", side_effect=StoreUnavailable),
            pytest.raises(StoreUnavailable),
        ):
            await killed.open(
                guild=None,
                venue=Venue.BOT_DM,
                channel=30,
                place="",
                host=ADA,
                agreement=Agreement(),
                computers=Level.STEADY,
            )
        assert bot._owned is not None
        bot._owned.gained(0, frozenset())
        await process.does_all_of("broken off")
        record = await process.store.table_in(30)
        assert record is not None
        assert record.status is Status.PLAYING
