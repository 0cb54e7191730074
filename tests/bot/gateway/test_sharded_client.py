"""Shards that connect, are lost and come back each for itself, against the sandbox's gateway."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from unittest.mock import AsyncMock

import discord
import pytest

from bot.gateway import sharded_client
from bot.gateway.sharded_client import ShardedClient
from bot.model.shards import Shards as OwnShards
from sandbox.gateway.shards import Shards
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.patience import PATIENCE
from tests.sandbox.table_bot import pointed_at

pytestmark = pytest.mark.sockets

HOME, OTHER = 2, 3


class Heard:
    """Writes down what the client tells."""

    def __init__(self) -> None:
        self.said: list[tuple[object, ...]] = []

    def expect(self, shards: int) -> None:
        self.said.append(("expect", shards))

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        self.said.append(("listed", shard, len(tuple(guilds))))

    def resumed(self, shard: int) -> None:
        self.said.append(("resumed", shard))

    def lost(self, shard: int) -> None:
        self.said.append(("lost", shard))

    def closed(self, shard: int) -> None:
        self.said.append(("closed", shard))

    def available(self, guild: int) -> None:
        self.said.append(("available", guild))

    def left(self, guild: int) -> None:
        self.said.append(("left", guild))


class Client(ShardedClient):
    """Asks for its shards, and does nothing more."""

    async def setup_hook(self) -> None:
        await self.ask_for_shards()


class Sharing(Client):
    """One of several processes: it connects to no shard before that is opened, as one is at once."""

    async def setup_hook(self) -> None:
        await self.ask_for_shards(OwnShards(HOME, OTHER, 4))
        self.open_shard(OTHER)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    shards = Shards(count=4, max_concurrency=4, home=HOME)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        yield sandbox


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses of next to nothing."""
    monkeypatch.setattr(sharded_client, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(sharded_client, "_NEW_SESSION", (0.01, 0.02))
    monkeypatch.setattr("bot.gateway.identify_turns.PERIOD", 0.0)


def heartbeats() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name.startswith("keep-alive")]


@asynccontextmanager
async def connecting(
    sandbox: Sandbox, client: Client | None = None
) -> AsyncIterator[tuple[Heard, asyncio.Task[None]]]:
    heard = Heard()
    client = client or Client(intents=discord.Intents(guilds=True), max_messages=None)
    client.add_shard_listener(heard)
    with pointed_at(sandbox.url):
        async with client:
            task = asyncio.create_task(client.start(sandbox.token))
            yield heard, task
        await asyncio.wait([task], timeout=PATIENCE if heard.said else 1)
        assert task.done() or heard.said == [], "it ends with the client, unless it waits to begin"
        task.cancel()
        await until(lambda: not heartbeats())


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 -- a condition that no event tells of
            await asyncio.sleep(0.005)


def listed(heard: Heard) -> dict[object, object]:
    """Number of servers that each shard has listed."""
    return {each[1]: each[2] for each in heard.said if each[0] == "listed"}


async def test_all_connect_and_each_lists_its_own_servers(sandbox: Sandbox) -> None:
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)

        assert heard.said[0] == ("expect", 4)
        assert listed(heard) == {0: 0, 1: 0, HOME: 1, OTHER: 0}
        guild = int(sandbox.world.guild.id)
        await until(lambda: ("available", guild) in heard.said)
        sandbox.people["Ada"].kick_bot()
        await until(lambda: ("left", guild) in heard.said)
        sandbox.people["Ada"].invite_bot()
        await until(lambda: heard.said[-1] == ("available", guild))
    assert not sandbox.gateway.sessions, "each was ended, and none left to be resumed"


async def test_one_that_cannot_connect_holds_up_nobody(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.gateway.trouble.barred.add(0)
    sandbox.gateway.trouble.held.add(1)
    async with connecting(sandbox) as (heard, _):
        await until(lambda: listed(heard) == {HOME: 1, OTHER: 0})
        await until(lambda: sum("shard 0 is not connected" in each for each in caplog.messages) > 1)

        sandbox.gateway.trouble.barred.clear()
        sandbox.gateway.release(1)
        await until(lambda: listed(heard) == {0: 0, 1: 0, HOME: 1, OTHER: 0})
    assert {record.levelno for record in caplog.records if record.name.startswith("bot")} <= {
        logging.INFO,
        logging.WARNING,
    }


async def test_a_lost_one_is_told_and_resumed_by_itself(sandbox: Sandbox) -> None:
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        before = len(heard.said)
        await sandbox.gateway.cut(OTHER)
        await until(lambda: ("resumed", OTHER) in heard.said)

        assert [each for each in heard.said[before:] if each[0] != "available"] == [
            ("lost", OTHER),
            ("resumed", OTHER),
        ]
        assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (4, 1)


async def test_while_one_is_out_of_reach_another_is_resumed(sandbox: Sandbox) -> None:
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        sandbox.gateway.trouble.barred.add(0)
        await sandbox.gateway.cut(0)
        await until(lambda: ("lost", 0) in heard.said)
        await sandbox.gateway.cut(OTHER)
        await until(lambda: ("resumed", OTHER) in heard.said)
        assert ("resumed", 0) not in heard.said

        sandbox.gateway.trouble.barred.clear()
        await until(lambda: ("resumed", 0) in heard.said)
        assert heard.said.count(("lost", 0)) == 1


async def test_they_identify_no_faster_than_discord_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.gateway.identify_turns.PERIOD", 2.0)
    shards = Shards(count=4, max_concurrency=2, identify_period=0.1)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        async with connecting(sandbox) as (heard, _):
            await until(lambda: len(listed(heard)) == 4)
        assert sandbox.gateway.identify_limit.refused == 0


async def test_a_start_too_many_in_a_day_waits_for_the_next(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.gateway.identifies = 997
    async with connecting(sandbox) as (heard, _):
        await until(lambda: caplog.messages)
        await asyncio.sleep(0.1)
        assert heard.said == []
    assert [each for each in caplog.messages if "sessions" in each] == [
        "no more sessions can be started today: the bot connects in 86400 s"
    ]


async def test_an_invalid_session_begins_a_new_one(sandbox: Sandbox) -> None:
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        await sandbox.gateway.invalidate()
        await until(lambda: sum(each[0] == "listed" for each in heard.said) == 8)
        assert sandbox.gateway.resumes == 0


@pytest.mark.parametrize(
    ("when", "code"),
    [("at the start", 4014), *(("later", code) for code in (4004, 4010, 4011, 4012, 4013, 4014))],
)
async def test_a_close_that_cannot_be_mended_ends_all_of_them(sandbox: Sandbox, code: int, when: str) -> None:
    if when == "at the start":
        sandbox.gateway.trouble.refusals[OTHER] = code
    async with connecting(sandbox) as (heard, task):
        if when == "later":
            await until(lambda: len(listed(heard)) == 4)
            await sandbox.gateway.end(code, OTHER)
        with pytest.raises(discord.ConnectionClosed) as ended:
            async with asyncio.timeout(PATIENCE):
                await task
    assert ended.value.code == code


async def test_a_fault_of_ours_ends_no_shard(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        heard.available = None  # type: ignore[method-assign, assignment]
        sandbox.people["Ada"].kick_bot()
        sandbox.people["Ada"].invite_bot()
        await until(lambda: ("resumed", HOME) in heard.said)
    assert any("unexpected error in shard 2" in each for each in caplog.messages)


async def test_pauses_grow_and_are_longer_after_an_identify() -> None:
    client = Client(intents=discord.Intents(guilds=True))
    client._identified.add(1)

    reached = [client._pause(0, failures) for failures in (0, 1, 4, 100)]
    identified = client._pause(1, 100)

    assert reached == [0.0, *(pytest.approx(each, rel=0.2) for each in (0.01, 0.08, 30.0))]
    assert identified == pytest.approx(300.0, rel=0.2)


async def test_a_connection_given_up_before_its_identify_sends_no_more_heartbeats(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waits_for_ever(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Client, "before_identify_hook", waits_for_ever)
    async with connecting(sandbox) as (_, task):
        await until(lambda: len(heartbeats()) == 4)
        task.cancel()


async def test_a_process_with_shards_of_its_own_connects_to_those_that_are_opened_and_closes_them(
    sandbox: Sandbox,
) -> None:
    client = Sharing(intents=discord.Intents(guilds=True), max_messages=None)
    async with connecting(sandbox, client) as (heard, _):
        await until(lambda: listed(heard) == {OTHER: 0})
        client.open_shard(OTHER)
        client.open_shard(HOME)
        await until(lambda: listed(heard) == {OTHER: 0, HOME: 1})
        assert (heard.said[0], client.shard_count) == (("expect", 4), 4)
        assert sandbox.gateway.identifies == 2, "one that is open already is not opened again"

        await client.close_shard(HOME)
        assert heard.said[-1] == ("closed", HOME)
        await until(lambda: [each.shard[0] for each in sandbox.gateway.sessions.values()] == [OTHER])
        await until(lambda: len(heartbeats()) == 1)

        await client.close_shard(0)
        assert heard.said[-1] == ("closed", 0), "one that was never open"
        client.open_shard(HOME)
        await until(lambda: heard.said[-1] == ("available", int(sandbox.world.guild.id)))
        assert sandbox.gateway.identifies == 3


async def test_a_process_with_shards_of_its_own_takes_their_number_from_its_owner() -> None:
    """Discord may recommend more by now, and all processes have to agree."""
    client = Sharing(intents=discord.Intents(guilds=True))
    limits = {"remaining": 2, "reset_after": 86_400_000, "max_concurrency": 1}
    client.http.get_bot_gateway = AsyncMock(return_value=(16, "ws://gateway", limits))  # type: ignore[method-assign]
    async with asyncio.timeout(PATIENCE):
        await client.ask_for_shards(OwnShards(HOME, OTHER, 4))
    assert client.shard_count == 4


async def test_a_shard_that_was_closed_begins_from_the_beginning_and_ends_with_the_next_close(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    """Another process has it meanwhile, and hears what would be resumed here."""
    client = Sharing(intents=discord.Intents(guilds=True), max_messages=None)
    async with connecting(sandbox, client) as (heard, _):
        await until(lambda: listed(heard) == {OTHER: 0})
        client.open_shard(HOME)
        await until(lambda: listed(heard) == {OTHER: 0, HOME: 1})
        await client.close_shard(HOME)
        sandbox.gateway.trouble.barred.add(HOME)
        client.open_shard(HOME)
        await until(lambda: any("shard 2 is not connected" in each for each in caplog.messages))
        assert ("lost", HOME) not in heard.said, "it has not stood since"

        await client.close_shard(HOME)
        sandbox.gateway.trouble.barred.clear()
        await asyncio.sleep(0.1)
        assert heard.said.count(("listed", HOME, 1)) == 1
        assert not sandbox.gateway.is_online(HOME)
        assert sandbox.gateway.resumes == 0
