"""The sandbox from outside: observers, inner middlewares, and the files it serves."""

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.sandbox.table_bot import running


async def test_observers_see_every_exchange_and_every_frame(sandbox: Sandbox) -> None:
    seen: list[Exchange | Frame] = []
    sandbox.observers.append(seen.append)
    async with running(sandbox):
        await sandbox.people["Ada"].command("cribbage", "crib table")
        await sandbox.people["Ada"].until(lambda: any(_is_callback(each) for each in seen))

    exchanges = [each for each in seen if isinstance(each, Exchange)]
    frames = [each for each in seen if isinstance(each, Frame)]
    callback = next(each for each in exchanges if _is_callback(each))
    assert [each.path for each in exchanges[:2]] == ["/users/@me", "/oauth2/applications/@me"]
    assert callback.query == {"with_response": "1"}
    assert callback.body["type"] == 4
    assert [(file.index, file.filename) for file in callback.files] == [(0, "table.png")]
    assert callback.answer["resource"]["type"] == 4
    assert "Authorization" not in callback.headers
    assert {frame.direction for frame in frames} == {Direction.TO_BOT, Direction.FROM_BOT}
    assert "READY" in [frame.payload.get("t") for frame in frames]


async def test_a_middleware_stands_between_limits_and_handlers() -> None:
    asked: list[str] = []

    @web.middleware
    async def unwilling(request: web.Request, handler: Handler) -> web.StreamResponse:
        asked.append(request.path)
        if request.path.endswith("/typing"):
            return web.Response(status=503)
        return await handler(request)

    async with Sandbox(middlewares=[unwilling], rate_limits=RateLimits.relaxed()) as sandbox:
        exchanges: list[Exchange | Frame] = []
        sandbox.observers.append(exchanges.append)
        async with running(sandbox):
            url = f"{sandbox.url}/api/v10/channels/{sandbox.channels['general'].id}/typing"
            headers = {"Authorization": f"Bot {sandbox.token}"}
            async with aiohttp.ClientSession(headers=headers) as session, session.post(url) as response:
                assert response.status == 503
                assert response.headers["X-RateLimit-Remaining"]

    assert asked[0] == "/api/v10/users/@me"
    assert [each.status for each in exchanges if isinstance(each, Exchange)][-1] == 503


async def test_the_sandbox_can_speak_for_itself(sandbox: Sandbox) -> None:
    sandbox.post(sandbox.channels["cribbage"], "Welcome!")
    [message] = sandbox.people["Cleo"].sees("cribbage")

    assert (message.text, message.author.global_name) == ("Welcome!", "Fifteen Two sandbox")


def _is_callback(seen: Exchange | Frame) -> bool:
    return isinstance(seen, Exchange) and seen.path.endswith("/callback")
