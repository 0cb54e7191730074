"""The rate limiter: requests wait for slots; answers do not."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from aiohttp import web

from bot.sync.rate_limit import RateLimiter
from tests.bot.leaping_loop import LeapingLoop, run_leaping
from tests.patience import PATIENCE


async def test_requests_pass_one_by_one_in_the_order_of_coming() -> None:
    turnstile = RateLimiter(requests_a_second=100)
    passed: list[int] = []

    async def pass_through(number: int) -> None:
        await turnstile.passed()
        passed.append(number)

    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*map(pass_through, range(10)))
    assert passed == list(range(10))
    assert loop.time() - began >= 0.089, "nine times a hundredth of a second, as clocks go"


async def test_an_answer_to_an_interaction_does_not_wait() -> None:
    async def take(request: web.Request) -> web.Response:
        return web.Response()

    application = web.Application()
    application.router.add_post("/{rest:.*}", take)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    turnstile = RateLimiter(requests_a_second=1)
    turnstile._rate = 0.001  # type: ignore[assignment]  # what waits, waits longer than any machine is slow
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


def test_several_processes_keep_the_limit_together() -> None:
    passed: list[float] = []
    run_leaping(shared_slots(4, 60, passed))

    assert len(passed) == 240
    assert max(sum(begin <= each < begin + 1 for each in passed) for begin in passed) <= 46
    assert max(passed) < 240 / 45 + 0.5, "and no slot is lost"


def test_a_process_that_was_held_up_does_not_send_all_at_once() -> None:
    """Its slots have expired, and the others send in theirs."""
    passed: list[float] = []

    async def send() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, LeapingLoop)
        loop.call_later(0.05, loop.leap, 0.15)
        await shared_slots(1, 10, passed)

    run_leaping(send())
    assert max(sum(begin <= each < begin + 0.02 for each in passed) for begin in passed) <= 4


def test_without_slots_each_process_keeps_to_its_share() -> None:
    passed: list[float] = []

    async def send() -> None:
        async def none(count: int, rate: int) -> None:
            await asyncio.sleep(0)

        limiter = RateLimiter(40, slots=none, share=lambda: 0.25)

        async def one() -> None:
            await limiter.passed()
            passed.append(asyncio.get_running_loop().time())

        await asyncio.gather(*(one() for _ in range(21)))

    run_leaping(send())
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


def test_who_comes_after_a_quiet_time_is_let_through_too() -> None:
    passed: list[float] = []

    async def send() -> None:
        async def slots(count: int, rate: int) -> float:
            await asyncio.sleep(0)
            return 0.0

        limiter = RateLimiter(45, slots=slots)
        for _ in range(2):
            async with asyncio.timeout(5):
                await limiter.passed()
            passed.append(asyncio.get_running_loop().time())
            await asyncio.sleep(60)

    run_leaping(send())
    assert passed == [0, 60]


def test_without_slots_a_process_that_has_no_shard_yet_sends_once_a_second() -> None:
    passed: list[float] = []

    async def send() -> None:
        async def none(count: int, rate: int) -> None:
            await asyncio.sleep(0)

        limiter = RateLimiter(40, slots=none, share=lambda: 0.0)
        for _ in range(3):
            async with asyncio.timeout(5):
                await limiter.passed()
            passed.append(asyncio.get_running_loop().time())

    run_leaping(send())
    assert passed == [0, 1, 2]
