"""Requests wait for their turn; answers do not."""

from __future__ import annotations

import asyncio

import aiohttp
from aiohttp import web

from bot.delivery.rate_limit import RateLimiter


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
    async with aiohttp.ClientSession(trace_configs=[turnstile.trace()]) as session:
        for path in ("channels/1/messages", "interactions/2/token/callback", "webhooks/3/token"):
            async with asyncio.timeout(0.9), session.post(f"http://{host}:{port}/api/v10/{path}"):
                pass
        waiting = asyncio.create_task(turnstile.passed())
        await asyncio.sleep(0)
        assert not waiting.done(), "the next request that counts has its second to wait"
        waiting.cancel()
    await runner.cleanup()
