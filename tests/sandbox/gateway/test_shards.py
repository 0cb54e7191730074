"""Shards: how many Discord recommends, which events each gets, and what a test lets happen to one of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from sandbox import assumptions
from sandbox.gateway.frames import Intent
from sandbox.gateway.shards import Shards, shard_of
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.patience import PATIENCE

HOME = 2
"""The guild's shard here."""


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    shards = Shards(count=4, max_concurrency=2, identify_period=5.0, home=HOME)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        yield sandbox


class Socket:
    """A bot's connection, of one shard."""

    def __init__(self, sandbox: Sandbox, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.sandbox = sandbox
        self.socket = socket

    async def identify(self, shard: int | None, count: int = 4, intents: int = 1) -> None:
        data: dict[str, Any] = {"token": self.sandbox.token, "intents": intents}
        await self.socket.send_json(
            {"op": 2, "d": data if shard is None else data | {"shard": [shard, count]}}
        )

    async def next(self) -> Any:
        """The next frame, as its event or opcode with its data; the close code at the end."""
        message = await self.socket.receive(timeout=PATIENCE)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return self.socket.close_code
        frame = message.json()
        return frame["t"] or frame["op"], frame["d"]


@asynccontextmanager
async def connected(sandbox: Sandbox, query: str = "") -> AsyncIterator[Socket]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{sandbox.url}/gateway{query}") as socket,
    ):
        await socket.receive()
        yield Socket(sandbox, socket)


async def test_the_recommended_shards_are_told(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{sandbox.url}/api/v10/gateway/bot") as response,
    ):
        answer = await response.json()

    assert (answer["shards"], answer["session_start_limit"]["max_concurrency"]) == (4, 2)


async def test_a_guild_is_told_to_its_own_shard_alone(sandbox: Sandbox) -> None:
    guild = sandbox.world.guild.id
    assert (int(guild) >> 22) % 4 == HOME
    async with connected(sandbox) as home, connected(sandbox) as other:
        await home.identify(HOME)
        await other.identify(HOME + 1)

        assert [each["id"] for each in (await home.next())[1]["guilds"]] == [guild]
        assert (await home.next())[0] == "GUILD_CREATE"
        assert (await other.next())[1]["guilds"] == []
        sandbox.people["Ada"].start_thread("cribbage", "a game")
        assert (await home.next())[0] == "THREAD_CREATE"
        assert sandbox.gateway.is_online(HOME)
        assert not sandbox.gateway.is_online(0)


async def test_an_identify_that_comes_too_fast_is_no_session(sandbox: Sandbox) -> None:
    async with connected(sandbox) as first, connected(sandbox) as same_key, connected(sandbox) as other_key:
        for socket, shard in ((first, 0), (same_key, 2), (other_key, 1)):
            await socket.identify(shard)

        assert (await first.next())[0] == "READY"
        assert await same_key.next() == (9, False)
        assert (await other_key.next())[0] == "READY"
    assert sandbox.gateway.identify_limit.refused == 1


@pytest.mark.parametrize(("shard", "count", "code"), [(None, 0, 4011), (0, 2, 4011), (4, 4, 4010)])
async def test_too_few_shards_are_refused(sandbox: Sandbox, shard: int | None, count: int, code: int) -> None:
    async with connected(sandbox) as socket:
        await socket.identify(shard, count)

        assert await socket.next() == code


async def test_another_version_of_the_api_is_refused(sandbox: Sandbox) -> None:
    async with connected(sandbox, "?v=9") as socket:
        assert await socket.next() == 4012


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
async def test_an_end_that_a_test_plans(sandbox: Sandbox, code: int) -> None:
    async with connected(sandbox) as first, connected(sandbox) as second:
        await first.identify(0)
        await first.next()
        await sandbox.gateway.end(code, 0)
        sandbox.gateway.trouble.refusals[1] = code
        await second.identify(1)

        assert [await first.next(), await second.next()] == [code, code]
    assert not sandbox.gateway.sessions


async def test_a_shard_that_is_barred_is_cut_off_and_one_that_is_held_is_told_later(sandbox: Sandbox) -> None:
    sandbox.gateway.trouble.barred.add(0)
    sandbox.gateway.trouble.held.add(1)
    async with connected(sandbox) as barred, connected(sandbox) as held:
        await barred.identify(0)
        await held.identify(1)
        assert await barred.next() == 1006

        sandbox.gateway.release(1)
        assert (await held.next())[0] == "READY"


STATUSES = (
    pytest.param(400, None, 50035, id="400"),
    pytest.param(403, None, 50001, id="403"),
    pytest.param(429, 3600.0, 0, id="429"),
)


@pytest.mark.parametrize(("status", "wait", "code"), STATUSES)
async def test_the_synchronisation_of_commands_fails_as_planned(
    sandbox: Sandbox, status: Any, wait: float | None, code: int
) -> None:
    sandbox.command_faults.fail(status, retry_after=wait)
    url = f"{sandbox.url}/api/v10/applications/{sandbox.world.application_id}/commands"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.put(url, json=[]) as response:
            answer = await response.json()
            assert (response.status, answer["code"], answer.get("retry_after")) == (status, code, wait)
        sandbox.command_faults.mend()
        async with session.put(url, json=[]) as response:
            assert response.status == 200
    assert sandbox.command_faults.failed == 1


@pytest.mark.parametrize("keeps", [True, False])
async def test_interactions_of_a_guild_without_the_bot_come_on_its_own_shard_or_on_any(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, keeps: bool
) -> None:
    monkeypatch.setattr(assumptions, "GUILDS_WITHOUT_THE_BOT_HAVE_A_SHARD", keeps)
    world, ada = sandbox.world, sandbox.people["Ada"]
    world.commands["1"] = {"id": "1", "type": 1, "name": "crib", "integration_types": [1], "contexts": [0, 2]}
    ada.install_app()
    guild = world.add_guild("Elsewhere", with_bot=False)
    channel, dm = next(iter(guild.channels.values())), ada.open_dm_with(sandbox.people["Ben"])
    sessions = [sandbox.gateway.open_session(Intent.GUILDS, (shard, 4)) for shard in range(4)]
    for place, own in ((channel, shard_of(guild.id, 4)), (dm, 0)):
        for _ in range(4):
            sandbox.clock.advance(0.001)
            key = ada.command(place, "crib").id
            [told] = [one.shard[0] for one in sessions if any(f["d"]["id"] == key for f in one.sent)]
            assert told == (own if keeps or place is dm else shard_of(key, 4))
