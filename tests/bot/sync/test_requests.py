"""Requests to Discord: they wait for slots, stop during a ban, and tell its time."""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from aiohttp import web
from discord.utils import time_snowflake

from bot.sync.ban_gate import BanGate, Banned, banned_for
from bot.sync.discord_errors import is_transient
from bot.sync.discord_time import DiscordTime
from bot.sync.rate_limit import RateLimiter
from tests.bot.leaping_loop import LeapingLoop, leaping
from tests.patience import PATIENCE

# -- the rate limiter: requests wait for slots, answers do not -------------------------------------------


async def pass_through(limiter: RateLimiter, times: int = 1) -> list[float]:
    """That many requests at once; when each of them passes."""
    passed: list[float] = []

    async def one() -> None:
        await limiter.passed()
        passed.append(round(asyncio.get_running_loop().time(), 6))

    async with asyncio.timeout(10):
        await asyncio.gather(*(one() for _ in range(times)))
    return passed


async def no_slots(_: int, __: int) -> None:
    """Slots while the store is unavailable."""
    await asyncio.sleep(0)


@leaping
async def test_requests_pass_one_by_one() -> None:
    limiter = RateLimiter(requests_a_second=100)
    assert await pass_through(limiter, 10) == [number / 100 for number in range(10)]


async def test_an_answer_to_an_interaction_does_not_wait() -> None:
    async def take(request: web.Request) -> web.Response:
        return web.Response()

    application = web.Application()
    application.router.add_post("/{rest:.*}", take)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]

    granted: list[int] = []

    async def only_one_is_free(count: int, rate: int) -> float:
        if granted:
            await asyncio.Event().wait()
        granted.append(count)
        return 0.0

    turnstile = RateLimiter(requests_a_second=1, slots=only_one_is_free)
    async with aiohttp.ClientSession(trace_configs=[turnstile.trace()]) as session:
        for path in ("channels/1/messages", "interactions/2/token/callback", "webhooks/3/token"):
            async with asyncio.timeout(PATIENCE), session.post(f"http://{host}:{port}/api/v10/{path}"):
                pass
        waiting = asyncio.create_task(turnstile.passed())
        await asyncio.sleep(0)
        assert not waiting.done(), "the next request that counts has its time to wait"
        waiting.cancel()
    await runner.cleanup()


async def shared_slots(limiters: int, requests: int) -> list[float]:
    """Send that many requests in each of several processes; when each of them passes."""
    loop, free_at = asyncio.get_running_loop(), 0.0

    async def slots(count: int, rate: int) -> float:
        nonlocal free_at
        now = loop.time()
        first = max(free_at, now)
        free_at = first + count / rate
        await asyncio.sleep(0)
        return first - now

    processes = [pass_through(RateLimiter(45, slots=slots), requests) for _ in range(limiters)]
    return [each for passed in await asyncio.gather(*processes) for each in passed]


@leaping
async def test_several_processes_keep_the_limit_together() -> None:
    passed = await shared_slots(4, 60)
    assert len(passed) == 240
    assert max(sum(begin <= each < begin + 1 for each in passed) for begin in passed) <= 46
    assert max(passed) < 240 / 45 + 0.5, "and no slot is lost"


@leaping
async def test_a_process_that_was_held_up_does_not_send_all_at_once() -> None:
    """Its slots have expired, and the others send in theirs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    loop.call_later(0.05, loop.leap, 0.15)
    passed = await shared_slots(1, 10)
    assert max(sum(begin <= each < begin + 0.02 for each in passed) for begin in passed) <= 4


@pytest.mark.parametrize(
    ("share", "passed"),
    [(0.25, [0, 0.1, 0.2, 0.3]), (0.0, [0, 1, 2, 3])],
    ids=["ten a second", "no shard yet: once a second"],
)
@leaping
async def test_without_slots_each_process_keeps_to_its_share(share: float, passed: list[float]) -> None:
    assert await pass_through(RateLimiter(40, slots=no_slots, share=lambda: share), 4) == passed


async def test_who_gives_up_waiting_takes_nobodys_slot() -> None:
    asked = asyncio.Event()

    async def slots(count: int, rate: int) -> float:
        await asked.wait()
        return 0.0

    limiter = RateLimiter(1000, slots=slots)
    first, second = asyncio.create_task(limiter.passed()), asyncio.create_task(limiter.passed())
    await asyncio.sleep(0)
    first.cancel()
    asked.set()
    async with asyncio.timeout(PATIENCE):
        await second
    assert first.cancelled()


@leaping
async def test_who_comes_after_a_quiet_time_is_let_through_too() -> None:
    async def slots(_: int, __: int) -> float:
        await asyncio.sleep(0)
        return 0.0

    limiter = RateLimiter(45, slots=slots)
    assert await pass_through(limiter) == [0]
    await asyncio.sleep(60)
    assert await pass_through(limiter) == [60]


# -- the gate that is closed while Discord's proxy bans the bot's address --------------------------------

CALLBACK = "https://discord.com/api/v10/interactions/1/x/callback"
BAN = {"Retry-After": "30", "Server": "cloudflare"}
LIMIT = {"Retry-After": "30", "Via": "1.1 google", "X-RateLimit-Scope": "shared"}


async def send(
    gate: BanGate, status: int = 200, headers: dict[str, str] | None = None, url: str = CALLBACK
) -> None:
    """Send a request through the gate, which is answered so."""
    trace = gate.listen(aiohttp.TraceConfig())
    trace.freeze()
    none: Any = None
    begun = aiohttp.TraceRequestStartParams("POST", yarl.URL(url), headers=none)
    await trace.on_request_start.send(none, none, begun)
    response: Any = SimpleNamespace(status=status, headers=headers or {})
    ended = aiohttp.TraceRequestEndParams("POST", yarl.URL(url), none, response)
    await trace.on_request_end.send(none, none, ended)


@leaping
async def test_during_a_ban_no_request_is_sent_and_afterwards_all_are(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gate = BanGate()
    await send(gate, 429, BAN)
    for _ in range(20):
        with pytest.raises(Banned) as banned:
            await send(gate)
        assert is_transient(banned.value)
        await asyncio.sleep(1.4)
    await send(gate, url="https://gateway.discord.gg/?v=10")
    await asyncio.sleep(1.0)
    await send(gate)  # it waits for the last second
    assert asyncio.get_running_loop().time() == pytest.approx(30.0)
    assert gate.seconds == 0
    await send(gate)
    assert [each.levelno for each in caplog.records] == [logging.WARNING]


@leaping
async def test_rate_limits_of_discord_itself_close_nothing() -> None:
    gate = BanGate()
    await send(gate, 429, LIMIT)
    await send(gate, 502, {"Server": "cloudflare"})
    await send(gate)
    assert asyncio.get_running_loop().time() == 0


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, BAN, 30.0),
        (429, {}, 60.0),
        (429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 60.0),
        (429, {"Retry-After": "0"}, 1.0),
        (429, LIMIT, None),
        (403, {}, None),
    ],
)
def test_how_long_a_ban_takes(status: int, headers: dict[str, str], seconds: float | None) -> None:
    response: Any = SimpleNamespace(status=status, reason="", headers=headers)
    assert banned_for(discord.HTTPException(response, "<html>")) == seconds
    assert banned_for(Banned(5.0)) == 5.0
    assert banned_for(TimeoutError()) is None


# -- the clock follows Discord's time, also when the host's clock jumps ----------------------------------

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = 86_400.0


def host(ahead: float = 0.0) -> tuple[Any, DiscordTime]:
    """A host's clocks, one that can be set and a monotonic one, and the time by them."""
    clocks = SimpleNamespace(wall=NOON.timestamp() + ahead, uptime=100.0)
    return clocks, DiscordTime(lambda: clocks.wall, lambda: clocks.uptime)


@pytest.mark.parametrize("ahead", [-9 * DAY, 0.0, 9 * DAY])
def test_a_host_that_is_days_off_is_believed_only_until_discord_is_heard(ahead: float) -> None:
    _, now = host(ahead)
    assert now() == NOON.timestamp() + ahead
    now.observe_date(NOON.timestamp())
    assert now() == NOON.timestamp()
    assert now.utcnow() == NOON


@pytest.mark.parametrize("jump", [-9 * DAY, 9 * DAY])
def test_a_jump_of_the_host_s_clock_is_no_jump_of_the_time(jump: float) -> None:
    clocks, now = host()
    now.observe_date(NOON.timestamp())
    clocks.wall, clocks.uptime = clocks.wall + 60 + jump, clocks.uptime + 60
    assert now() == NOON.timestamp() + 60


def test_it_goes_forward_with_discord_where_the_host_has_slept() -> None:
    clocks, now = host()
    now.observe_date(NOON.timestamp())
    for seconds in range(2):
        assert now() == NOON.timestamp()
        now.observe_date(NOON.timestamp() + 3 * 3_600 + seconds)
    assert now() == NOON.timestamp() + 3 * 3_600 + 1
    now.observe_id(time_snowflake(NOON + timedelta(hours=6)))
    assert now() == pytest.approx(NOON.timestamp() + 6 * 3_600, abs=0.01)
    clocks.wall, clocks.uptime = clocks.wall + 10, clocks.uptime + 10
    for seconds in (9, 9, 8):  # a header tells whole seconds, and has travelled
        now.observe_date(NOON.timestamp() + 6 * 3_600 + seconds)
    assert now() == pytest.approx(NOON.timestamp() + 6 * 3_600 + 10, abs=0.01)


@pytest.mark.parametrize("ahead", [-3_600.0, 3_600.0])
def test_one_wrong_date_moves_nothing_and_a_press_sets_right_what_two_have_moved(ahead: float) -> None:
    _, now = host()
    for wrong in (0.0, ahead, 0.0, ahead):
        now.observe_date(NOON.timestamp() + wrong)
        assert now() == NOON.timestamp()
    now.observe_date(NOON.timestamp() + ahead)
    now.observe_id(time_snowflake(NOON))
    assert now() == pytest.approx(NOON.timestamp(), abs=0.01)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Sun, 22 Nov 2026 12:00:00 GMT", NOON.timestamp()),
        ("yesterday", NOON.timestamp() + DAY),
        (None, NOON.timestamp() + DAY),
    ],
)
async def test_the_date_of_an_answer_is_heard(header: str | None, seconds: float) -> None:
    _, now = host(DAY)
    trace = now.listen(aiohttp.TraceConfig())
    answer: Any = SimpleNamespace(response=SimpleNamespace(headers={"Date": header} if header else {}))
    for heard in trace.on_request_end:
        await heard(None, None, answer)  # type: ignore[arg-type]
    assert now() == seconds


def test_nothing_that_plays_asks_the_host_s_clock() -> None:
    """Code that takes a clock may default to the host's, for programs other than the bot."""
    own_time = re.compile(r"\btime\.time\b|\butcnow\b(?!\(self)|datetime\.now\b")
    found = [
        str(path)
        for path in Path("bot").rglob("*.py")
        if path.parts[1] != "store" and path.name != "discord_time.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if own_time.search(line) and "DISCORD_TIME" not in line
    ]
    assert found == []
