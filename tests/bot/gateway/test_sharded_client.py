"""Shards that connect, identify in turn, are lost and come back each for itself."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from typing import Any

import discord
import pytest

from bot.gateway import sharded_client
from bot.gateway.identify_turns import AHEAD, PERIOD, IdentifyTurns, SharedIdentifyTurns
from bot.gateway.press_gate import PressGate
from bot.gateway.sharded_client import ShardedClient, pause_after
from bot.model.errors import StoreUnavailable
from bot.model.shards import Shards as OwnShards
from sandbox.gateway.shards import Shards
from sandbox.model.interactions import InteractionType
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.bot.leaping_loop import leaping
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
async def sandbox(hurried: None) -> AsyncIterator[Sandbox]:
    shards = Shards(count=4, max_concurrency=4, home=HOME)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        yield sandbox


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses of next to nothing."""
    monkeypatch.setattr(sharded_client, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(sharded_client, "NEW_SESSION", (0.01, 0.02))
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


async def test_one_whose_address_for_resuming_is_gone_is_resumed_by_the_address_of_all(
    sandbox: Sandbox, unused_tcp_port: int
) -> None:
    nowhere = {"resume_gateway_url": f"ws://127.0.0.1:{unused_tcp_port}"}
    sandbox.gateway.trouble.alter = lambda name, data: data | nowhere if name == "READY" else data
    async with connecting(sandbox) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        await sandbox.gateway.cut(OTHER)
        await until(lambda: ("resumed", OTHER) in heard.said)
        assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (4, 1)


async def test_what_is_missed_is_told_as_replayed_and_what_comes_next_is_not(sandbox: Sandbox) -> None:
    replayed: list[bool] = []

    class Told(PressGate):
        def admit(self, interaction: int, arrived: float, *, is_replayed: bool) -> float | None:
            replayed.append(is_replayed)
            return None

    def press() -> None:
        ada, channel = sandbox.people["Ada"].user, sandbox.world.add_channel("table")
        sandbox.interactions.begin(InteractionType.COMPONENT, ada, channel, {"custom_id": "x"})

    client = Client(intents=discord.Intents(guilds=True), max_messages=None)
    client.gate_interactions(Told())
    async with connecting(sandbox, client) as (heard, _):
        await until(lambda: len(listed(heard)) == 4)
        press()
        await until(lambda: len(replayed) == 1)
        await sandbox.gateway.cut(HOME)
        press()
        await until(lambda: ("resumed", HOME) in heard.said)
        press()
        await until(lambda: len(replayed) == 3)
    assert replayed == [False, True, False]


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


@pytest.mark.usefixtures("hurried")
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


def test_pauses_grow_and_are_longer_after_an_identify() -> None:
    reached = [pause_after(failures, has_identified=False) for failures in (0, 1, 4, 100)]
    identified = pause_after(100, has_identified=True)

    assert reached == [0.0, *(pytest.approx(each, rel=0.2) for each in (1.0, 8.0, 30.0))]
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

    async def recommended() -> Any:
        return 16, "ws://gateway", {"remaining": 2, "reset_after": 86_400_000, "max_concurrency": 1}

    client.http.get_bot_gateway = recommended  # type: ignore[method-assign]
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


# -- turns to identify ---------------------------------------------------------------------------------------


@leaping
async def test_shards_of_one_key_identify_one_after_the_other_in_the_order_in_which_they_come() -> None:
    identified: list[tuple[int, float]] = []
    turns, loop = IdentifyTurns(2), asyncio.get_running_loop()

    async def one(shard: int) -> None:
        async with turns.place(shard):
            await turns.take(shard)
            identified.append((shard, loop.time()))

    await asyncio.gather(*map(one, range(5)))
    await asyncio.sleep(60)
    await one(0)
    assert identified == [
        (0, 0),
        (1, 0),
        (2, PERIOD),
        (3, PERIOD),
        (4, 2 * PERIOD),
        (0, 60 + 2 * PERIOD),
    ]


@leaping
async def test_one_that_hangs_takes_nobodys_turn() -> None:
    waited: list[float] = []
    turns, loop = IdentifyTurns(1), asyncio.get_running_loop()

    async def hanging() -> None:
        async with turns.place(0):
            await asyncio.Event().wait()

    task = asyncio.create_task(hanging())
    for shard in (1, 2):
        async with turns.place(shard):
            await turns.take(shard)
            waited.append(loop.time())
    task.cancel()
    assert waited == [0, PERIOD]


class Shared:
    """Turns of several processes, as the database grants them."""

    def __init__(self) -> None:
        self.free_at: dict[int, float] = {}
        self.is_out_of_reach = False
        self.asked_at_once = 0
        """The most who have asked for a turn of one key at the same time."""
        self._asking: list[int] = []

    async def turn(self, key: int, period: float, ahead: float) -> tuple[float, bool]:
        self._asking.append(key)
        self.asked_at_once = max(self.asked_at_once, self._asking.count(key))
        await asyncio.sleep(0)
        self._asking.remove(key)
        if self.is_out_of_reach:
            raise StoreUnavailable
        now = asyncio.get_running_loop().time()
        at = max(now, self.free_at.get(key, 0.0))
        is_taken = at - now <= ahead
        if is_taken:
            self.free_at[key] = at + period
        return at - now, is_taken


@leaping
async def test_two_processes_take_their_turns_from_one_place() -> None:
    identified: list[tuple[int, float]] = []
    shared, loop = Shared(), asyncio.get_running_loop()
    first, second = (SharedIdentifyTurns(2, shared.turn) for _ in range(2))

    async def one(turns: SharedIdentifyTurns, shard: int) -> None:
        async with turns.place(shard):
            await turns.take(shard)
            identified.append((shard, loop.time()))

    await asyncio.gather(one(first, 0), one(first, 1), one(first, 4), one(second, 2), one(second, 3))
    assert shared.asked_at_once == 2, "of one process, one waits for its turn at a time"
    assert sorted(identified, key=lambda each: each[0]) == [
        (0, 0),
        (1, 0),
        (2, PERIOD),
        (3, PERIOD),
        (4, 2 * PERIOD),
    ]


@leaping
async def test_nobody_identifies_while_the_database_does_not_answer() -> None:
    waited: list[float] = []
    shared, loop = Shared(), asyncio.get_running_loop()
    shared.is_out_of_reach = True
    turns = SharedIdentifyTurns(1, shared.turn)
    taking = asyncio.create_task(turns.take(0))
    await asyncio.sleep(30.5)
    assert not taking.done()
    shared.is_out_of_reach = False
    await taking
    waited.append(loop.time())
    assert waited == [31]


@leaping
async def test_a_connection_that_is_given_up_while_its_turn_is_far_off_takes_it_from_nobody() -> None:
    identified: list[float] = []
    shared, loop = Shared(), asyncio.get_running_loop()
    shared.free_at[0] = 100.0
    others = [SharedIdentifyTurns(1, shared.turn) for _ in range(10)]
    for _ in range(2):
        with suppress(TimeoutError):
            async with asyncio.timeout(45):
                await asyncio.gather(*(each.take(0) for each in others))
    assert shared.free_at[0] == 100.0
    await others[0].take(0)
    identified.append(loop.time())
    assert identified == [100.0]


@leaping
async def test_a_process_does_not_ask_again_and_again_at_once() -> None:
    asked: list[float] = []

    async def turn(*_: float) -> tuple[float, bool]:
        asked.append(asyncio.get_running_loop().time())
        return (AHEAD, False) if len(asked) < 5 else (0.0, True)

    await SharedIdentifyTurns(1, turn).take(0)
    assert all(later - before > 0.1 for before, later in pairwise(asked))
