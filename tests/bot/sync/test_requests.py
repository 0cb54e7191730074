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


@leaping
async def test_requests_pass_one_by_one_in_the_order_of_coming() -> None:
    turnstile = RateLimiter(requests_a_second=100)
    passed: list[tuple[int, float]] = []

    async def pass_through(number: int) -> None:
        await turnstile.passed()
        passed.append((number, round(asyncio.get_running_loop().time(), 6)))

    await asyncio.gather(*map(pass_through, range(10)))
    assert passed == [(number, number / 100) for number in range(10)]


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


async def shared_slots(limiters: int, requests: int, passed: list[float]) -> None:
    """Send that many requests in each of several processes, and return their times."""
    loop, free_at = asyncio.get_running_loop(), 0.0

    async def slots(count: int, rate: int) -> float:
        nonlocal free_at
        now = loop.time()
        first = max(free_at, now)
        free_at = first + count / rate
        await asyncio.sleep(0)
        return first - now

    async def one(limiter: RateLimiter) -> None:
        await limiter.passed()
        passed.append(loop.time())

    processes = [RateLimiter(45, slots=slots) for _ in range(limiters)]
    await asyncio.gather(*(one(process) for process in processes for _ in range(requests)))


@leaping
async def test_several_processes_keep_the_limit_together() -> None:
    passed: list[float] = []
    await shared_slots(4, 60, passed)

    assert len(passed) == 240
    assert max(sum(begin <= each < begin + 1 for each in passed) for begin in passed) <= 46
    assert max(passed) < 240 / 45 + 0.5, "and no slot is lost"


@leaping
async def test_a_process_that_was_held_up_does_not_send_all_at_once() -> None:
    """Its slots have expired, and the others send in theirs."""
    passed: list[float] = []
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    loop.call_later(0.05, loop.leap, 0.15)
    await shared_slots(1, 10, passed)
    assert max(sum(begin <= each < begin + 0.02 for each in passed) for begin in passed) <= 4


@leaping
async def test_without_slots_each_process_keeps_to_its_share() -> None:
    passed: list[float] = []

    async def none(count: int, rate: int) -> None:
        await asyncio.sleep(0)

    limiter = RateLimiter(40, slots=none, share=lambda: 0.25)

    async def one() -> None:
        await limiter.passed()
        passed.append(asyncio.get_running_loop().time())

    await asyncio.gather(*(one() for _ in range(21)))
    assert max(passed) == pytest.approx(2.0), "ten a second"


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
    passed: list[float] = []

    async def slots(count: int, rate: int) -> float:
        await asyncio.sleep(0)
        return 0.0

    limiter = RateLimiter(45, slots=slots)
    for _ in range(2):
        async with asyncio.timeout(5):
            await limiter.passed()
        passed.append(asyncio.get_running_loop().time())
        await asyncio.sleep(60)
    assert passed == [0, 60]


@leaping
async def test_without_slots_a_process_that_has_no_shard_yet_sends_once_a_second() -> None:
    passed: list[float] = []

    async def none(count: int, rate: int) -> None:
        await asyncio.sleep(0)

    limiter = RateLimiter(40, slots=none, share=lambda: 0.0)
    for _ in range(3):
        async with asyncio.timeout(5):
            await limiter.passed()
        passed.append(asyncio.get_running_loop().time())
    assert passed == [0, 1, 2]


# -- the gate that is closed while Discord's proxy bans the bot's address --------------------------------

CALLBACK = "https://discord.com/api/v10/interactions/1/x/callback"
BAN = {"Retry-After": "30", "Server": "cloudflare"}
LIMIT = {"Retry-After": "30", "Via": "1.1 google", "X-RateLimit-Scope": "shared"}


class Requests:
    """Requests through a gate."""

    def __init__(self) -> None:
        self.gate = BanGate()
        self.trace = self.gate.listen(aiohttp.TraceConfig())
        self.trace.freeze()
        self.sent = 0

    async def send(
        self, status: int = 200, headers: dict[str, str] | None = None, url: str = CALLBACK
    ) -> None:
        session: Any = None
        context: Any = None
        at = yarl.URL(url)
        begun = aiohttp.TraceRequestStartParams("POST", at, headers=None)  # type: ignore[arg-type]
        await self.trace.on_request_start.send(session, context, begun)
        self.sent += 1
        response: Any = SimpleNamespace(status=status, headers=headers or {})
        ended = aiohttp.TraceRequestEndParams("POST", at, None, response)  # type: ignore[arg-type]
        await self.trace.on_request_end.send(session, context, ended)


@leaping
async def test_during_a_ban_no_request_is_sent_and_afterwards_all_are(
    caplog: pytest.LogCaptureFixture,
) -> None:
    requests = Requests()
    await requests.send(429, BAN)
    for _ in range(20):
        with pytest.raises(Banned) as banned:
            await requests.send()
        assert is_transient(banned.value)
        await asyncio.sleep(1.4)
    assert requests.sent == 1
    await requests.send(url="https://gateway.discord.gg/?v=10")
    await asyncio.sleep(1.0)
    await requests.send()  # it waits for the last second
    assert requests.gate.seconds == 0
    await requests.send()
    assert requests.sent == 4
    assert [each.levelno for each in caplog.records] == [logging.WARNING]


@leaping
async def test_rate_limits_of_discord_itself_close_nothing() -> None:
    requests = Requests()
    await requests.send(429, LIMIT)
    await requests.send(502, {"Server": "cloudflare"})
    await requests.send()
    assert requests.sent == 3


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


class Host:
    """A host with a clock that can be set, and a monotonic one."""

    def __init__(self, ahead: float = 0.0) -> None:
        self.wall = NOON.timestamp() + ahead
        self.uptime = 100.0

    def passes(self, seconds: float, jump: float = 0.0) -> None:
        self.wall += seconds + jump
        self.uptime += seconds

    def time(self) -> DiscordTime:
        return DiscordTime(lambda: self.wall, lambda: self.uptime)


@pytest.mark.parametrize("ahead", [-9 * DAY, 0.0, 9 * DAY])
def test_a_host_that_is_days_off_is_believed_only_until_discord_is_heard(ahead: float) -> None:
    host = Host(ahead)
    now = host.time()
    assert now() == NOON.timestamp() + ahead
    now.observe(NOON.timestamp())
    assert now() == NOON.timestamp()
    assert now.utcnow() == NOON


@pytest.mark.parametrize("jump", [-9 * DAY, 9 * DAY])
def test_a_jump_of_the_host_s_clock_is_no_jump_of_the_time(jump: float) -> None:
    host = Host()
    now = host.time()
    now.observe(NOON.timestamp())
    host.passes(60, jump)
    assert now() == NOON.timestamp() + 60


def test_it_goes_forward_with_discord_where_the_host_has_slept_and_never_back() -> None:
    host = Host()
    now = host.time()
    now.observe(NOON.timestamp())
    now.observe(NOON.timestamp() - DAY)
    assert now() == NOON.timestamp()
    now.observe_id(time_snowflake(NOON + timedelta(hours=3)))
    assert now() == pytest.approx(NOON.timestamp() + 3 * 3_600, abs=0.01)
    host.passes(10)
    now.observe(NOON.timestamp() + 3 * 3_600 + 9)  # a header tells whole seconds, and has travelled
    assert now() == pytest.approx(NOON.timestamp() + 3 * 3_600 + 10, abs=0.01)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Sun, 22 Nov 2026 12:00:00 GMT", NOON.timestamp()),
        ("yesterday", NOON.timestamp() + DAY),
        (None, NOON.timestamp() + DAY),
    ],
)
async def test_the_date_of_an_answer_is_heard(header: str | None, seconds: float) -> None:
    now = Host(DAY).time()
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
