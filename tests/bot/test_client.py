"""The client by itself, without a connection, alone and as that of one process of several."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, patch

import discord
import pytest
from aiohttp import web
from pydantic import SecretStr

from bot import app
from bot.client import FifteenTwo, connections
from bot.config.settings import Settings
from bot.gateway.shard_leases import Leases
from bot.gateway.sharing import OpenHands, SharedHints, Sharing
from bot.interactions.registry import Feature
from bot.model.errors import StoreUnavailable
from bot.model.shards import Shards
from bot.model.table_record import Status
from bot.sync.discord_internals import parsers
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import PACK, Chance
from tests.bot.built import built
from tests.bot.leaping_loop import leaping
from tests.bot.seating import opened_in_dm
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE

SETTINGS = Settings(discord_token=SecretStr("t"))


async def test_a_closed_client_dispatches_no_events() -> None:
    heard = []

    async def on_ready() -> None:
        heard.append("ready")

    store = MemoryStore()
    client = built(store.database, store, SETTINGS).client
    client.event(on_ready)
    async with client:
        client.dispatch("ready")
        await asyncio.sleep(0)
    client.dispatch("ready")  # as discord.py does when the list of servers comes to its end meanwhile
    await asyncio.sleep(0)
    assert heard == ["ready"]


async def test_requests_that_hang_take_a_bounded_number_of_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A system allows a process 1,024 open files, as a rule."""
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
    client = FifteenTwo(connector=partial(connections, 3))
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


EMOJIS = {str(each): f"<:card:{number}>" for number, each in enumerate(PACK, 1)} | {"back": "<:back:99>"}


@dataclass
class Process:
    """One process of several, that is not connected and has no shard."""

    bot: app.Bot
    store: MemoryStore
    leases: Any
    did: list[str] = field(default_factory=list)
    """What was asked of Discord and of the other processes, in order."""
    handled: list[int] = field(default_factory=list)
    """Ids of the presses that it has handled."""

    def is_pressed(self, press: int) -> None:
        """Discord sends a press in a direct message."""
        user = {"id": "1", "username": "Ada", "discriminator": "0", "avatar": None}
        parsers(self.bot.client)["INTERACTION_CREATE"](
            {
                "id": str(press),
                "type": 3,
                "token": "t",
                "version": 1,
                "application_id": "1",
                "channel_id": "20",
                "user": user,
                "app_permissions": "0",
                "attachment_size_limit": 1,
                "authorizing_integration_owners": {},
                "data": {"custom_id": "crib:k3f9a:1:go", "component_type": 2},
            }
        )

    async def does_all_of(self, *kinds: str) -> None:
        """Until work of those kinds is done."""
        while any(key[0] in kinds for key in self.bot.core.tasks):  # noqa: ASYNC110 -- it has no event
            await asyncio.sleep(0.1)


async def _nothing_is_heard(*_: object) -> None:
    await asyncio.Event().wait()


@asynccontextmanager
async def one_of_several(*features: Feature) -> AsyncIterator[Process]:
    """It has been set up, and no shard is free."""
    store = MemoryStore()
    leases = stand_in(Leases, member=7, lasts=10.0)
    leases.renew.side_effect = StoreUnavailable
    hints = stand_in(SharedHints)
    hints.listen.side_effect = _nothing_is_heard
    hands = stand_in(OpenHands)
    hands.take.return_value = ()
    sharing = Sharing(
        own=Shards(0, 1, 2), leases=leases, hints=hints, hands=hands, turn=AsyncMock(return_value=(0.0, True))
    )
    added = [lambda _, each=each: each for each in features]
    bot = built(store.database, store, SETTINGS, sharing=sharing, features=added or app.FEATURES)
    process = Process(bot, store, leases)

    async def shards(*_: object) -> None:
        process.did.append("asks for shards")

    async def commands() -> list[Any]:
        process.did.append("sends commands")
        return []

    async def emojis(*_: object, may_change: bool, **__: object) -> dict[str, str]:
        process.did.append("sends pictures" if may_change else "lists pictures")
        return {} if may_change else EMOJIS

    async def heard(interaction: discord.Interaction) -> None:
        process.handled.append(interaction.id)

    leases.join.side_effect = lambda count: process.did.append(f"joins {count} shards")
    client = bot.client
    with (
        patch.object(FifteenTwo, "application_id", 1),
        patch.object(client, "ask_for_shards", shards),
        patch.object(client, "on_interaction", heard),
        patch.object(client.tree, "sync", commands),
        patch.object(app, "card_emojis", emojis),
    ):
        async with client:
            await client.setup_hook()
            await process.does_all_of("card voice")
            yield process


@leaping
async def test_a_process_joins_the_others_when_it_can_go_on_to_say_that_it_lives() -> None:
    """Discord may let it wait for longer than it would be a member."""
    async with one_of_several() as process:
        assert process.did[:2] == ["asks for shards", "joins 2 shards"]
        assert ("leases",) in process.bot.core.tasks


@leaping
async def test_a_process_that_ends_lets_no_press_in_while_it_gives_its_last_answers() -> None:
    """A successor that is connected keeps it, and has time to answer it."""
    left: list[dict[int, set[int]]] = []
    async with one_of_several() as process:
        lease = SimpleNamespace(shard=0, member=7, claimed_by=None, handled=frozenset())
        standing = SimpleNamespace(leases=[lease], members={7: datetime.now(UTC)})
        process.leases.renew.side_effect = lambda: standing
        process.leases.leave.side_effect = left.append
        await asyncio.sleep(5)
        process.is_pressed(123)

        async def finish(_: float) -> None:
            process.is_pressed(124)
            await asyncio.sleep(1)

        with patch.object(app, "finish", finish):
            await process.bot.client.close()
        assert left == [{0: {123}}]
        assert process.handled == [123]


@leaping
async def test_the_process_that_gains_the_first_shard_sends_commands_and_pictures() -> None:
    """Pictures that cannot be listed then stay in use."""
    async with one_of_several() as process:
        bot, did = process.bot, process.did
        assert bot.owned is not None
        assert did.pop() == "lists pictures"
        did.clear()
        bot.owned.gained(1, frozenset())
        await asyncio.sleep(60)
        assert did == []

        bot.owned.gained(0, frozenset())
        await process.does_all_of("card voice", "commands")
        assert sorted(did) == ["sends commands", "sends pictures"]
        assert bot.core.voices.of("en").faces.text(PACK[0]) == EMOJIS[str(PACK[0])]


@leaping
async def test_features_hear_of_shards_that_come() -> None:
    heard: list[str] = []
    async with one_of_several(Feature(name="one", shards_gained=lambda: heard.append("gained"))) as process:
        assert process.bot.owned is not None
        process.bot.owned.gained(1, frozenset())
        process.bot.core.presence.listed(1, [])
        await asyncio.sleep(1)
        assert heard == []
        process.bot.owned.gained(1, frozenset())
        await asyncio.sleep(1)
        assert heard == ["gained"]


@leaping
async def test_a_table_in_a_dm_that_a_killed_process_has_opened_begins_in_the_next() -> None:
    async with one_of_several() as process:
        killed_sessions = Sessions(process.store, Chance(Random(1)))
        killed = Lobbies(process.store, killed_sessions, now=lambda: process.store.now)
        with (
            patch.object(killed_sessions, "begin", side_effect=StoreUnavailable),
            pytest.raises(StoreUnavailable),
        ):
            await opened_in_dm(killed)
        assert process.bot.owned is not None
        process.bot.owned.gained(0, frozenset())
        await process.does_all_of("broken off")
        record = await process.store.table_in(30)
        assert record is not None
        assert record.status is Status.PLAYING
