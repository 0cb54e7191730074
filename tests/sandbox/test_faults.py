"""Faults, drawn from a seed or planned, and rate limits: what the sender sees, and what was posted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox import faults as module
from sandbox.faults import MIXED, SINGLY, Fault, Faults, Way, drawn
from sandbox.model.media import plain_png
from sandbox.rate_limits import ROUTES, WHOLE, Limit, Peak, RateLimits, Window
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.sandbox.asking import Rest, asking, outcome
from tests.sandbox.table_bot import running

AFTER = {Fault.FAILED_AFTER, Fault.DROPPED_AFTER, Fault.SILENT_AFTER}
STATUS = {
    Fault.LIMITED: 429,
    Fault.LIMITED_GLOBALLY: 429,
    Fault.FAILED: 500,
    Fault.FAILED_AFTER: 500,
    Fault.BAD_GATEWAY: 502,
    Fault.SLOW: 200,
}
"""The status that the sender sees; with the other faults it sees only a lost connection."""
MESSAGES = "POST /channels/{channel_id}/messages"


@asynccontextmanager
async def sandbox_with(faults: Faults) -> AsyncIterator[Sandbox]:
    async with Sandbox(middlewares=[faults.middleware]) as sandbox:
        faults.is_on = True
        yield sandbox


async def post(sandbox: Sandbox, channel: str = "cribbage") -> int | None:
    """The status of posting a message; None if there was no response."""
    url = f"{sandbox.url}/api/v10/channels/{sandbox.channels[channel].id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        try:
            async with session.post(url, json={"content": "x"}) as response:
                await response.read()
                return response.status
        except aiohttp.ClientConnectionError:
            return None


def exchanges_of(sandbox: Sandbox) -> list[Exchange]:
    """The exchanges from now on, as they come."""
    seen: list[Exchange] = []

    def note(each: Exchange | Frame) -> None:
        if isinstance(each, Exchange):
            seen.append(each)

    sandbox.observers.append(note)
    return seen


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE", 0.05)
    monkeypatch.setattr(module, "SLOWNESS", (0.01, 0.05))


@pytest.mark.parametrize("fault", list(Fault))
async def test_each_fault_is_seen_as_what_it_is_and_does_what_it_says(fault: Fault) -> None:
    faults = Faults(1, {fault: 1.0})
    async with sandbox_with(faults) as sandbox:
        before = len(sandbox.channels["cribbage"].messages)
        assert await post(sandbox) == STATUS.get(fault)
        posted = len(sandbox.channels["cribbage"].messages) - before
    assert posted == (fault in AFTER or fault is Fault.SLOW)
    assert faults.inflicted == {fault.value: 1}


async def test_nothing_goes_wrong_before_it_is_switched_on_nor_at_the_log_in() -> None:
    faults = Faults(1, {Fault.FAILED: 1.0})
    async with Sandbox(middlewares=[faults.middleware]) as sandbox, asking(sandbox) as rest:
        assert await post(sandbox) == 200
        faults.is_on = True
        assert (await rest("GET", "/users/@me"))[0] == 200
    assert not faults.inflicted


async def test_the_same_seed_brings_the_same_faults() -> None:
    async def answers(seed: int) -> list[int | None]:
        async with sandbox_with(Faults(seed, {Fault.FAILED: 0.5})) as sandbox:
            return [await post(sandbox) for _ in range(4)]

    assert await answers(3) == await answers(3)
    assert len({tuple(await answers(seed)) for seed in range(6)}) > 1


def test_faults_are_as_frequent_as_their_rates_say() -> None:
    random = Random(1)
    found = Counter(drawn(random, MIXED) for _ in range(100_000))
    assert set(found) == {None, *Fault}
    for fault, rate in MIXED.items():
        assert found[fault] == pytest.approx(100_000 * rate, rel=0.3), fault
    assert {fault: list(rates) for fault, rates in SINGLY.items()} == {fault: [fault] for fault in Fault}
    with pytest.raises(ValueError, match="shares"):
        Faults(1, {Fault.SLOW: 0.6, Fault.FAILED: 0.5})


async def test_a_ban_answers_with_a_page_of_which_observers_hear_and_discord_does_not(
    sandbox: Sandbox, messages: str
) -> None:
    seen = exchanges_of(sandbox)
    sandbox.ban.begin(600.0)
    assert await post(sandbox) == 429
    sandbox.ban.end()
    assert await post(sandbox) == 200

    banned, taken = seen
    assert (banned.status, banned.answer, taken.status) == (429, None, 200)
    assert "Via" not in banned.answer_headers
    assert banned.answer_headers["Retry-After"] == "600"
    assert sandbox.ban.requests == [f"POST {messages}"]
    assert len([each for each in sandbox.channels["cribbage"].messages.values() if each.content == "x"]) == 1


async def test_a_tests_own_middleware_stands_behind_the_limits_and_may_answer_with_anything() -> None:
    @web.middleware
    async def odd(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/@me"):
            return await handler(request)
        return web.Response(status=503, text="<h1>Not now</h1>", content_type="text/html")

    async with Sandbox(middlewares=[odd]) as sandbox, asking(sandbox) as rest:
        seen = exchanges_of(sandbox)
        assert (await rest("GET", "/users/@me"))[0] == 200
        assert await post(sandbox) == 503
    assert [each.status for each in seen] == [200, 503]
    assert seen[1].answer is None
    assert seen[1].answer_headers["X-RateLimit-Remaining"]


V2 = 1 << 15
FILE = {"a.png": plain_png("#112233", 8)}
SHOWN = {"components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]}


@pytest.mark.parametrize("way", list(Way))
async def test_each_way_to_carry_a_picture_can_be_refused_alone(
    sandbox: Sandbox, rest: Rest, messages: str, way: Way
) -> None:
    _, sent = await rest("POST", messages, SHOWN | {"flags": V2}, files=FILE)
    kept = sent["components"][0]["items"][0]["media"]["attachment_id"]
    sandbox.pictures.refuse(way)

    async def tried() -> dict[Way, int]:
        """The status of each way; nothing changes the file that the message shows."""
        edit = f"{messages}/{sent['id']}"
        left_out, _ = await rest("PATCH", edit, SHOWN)
        listed, _ = await rest("PATCH", edit, SHOWN | {"attachments": [{"id": kept}]})
        posted, other = await rest("POST", messages, SHOWN | {"flags": V2}, files=FILE)
        over = f"{messages}/{other['id'] if posted == 200 else sent['id']}"
        brought, _ = await rest("PATCH", over, SHOWN | {"attachments": [{"id": 0}]}, files=FILE)
        return {Way.LEFT_OUT: left_out, Way.LISTED: listed, Way.POSTED: posted, Way.BROUGHT: brought}

    assert await tried() == {each: 400 if each is way else 200 for each in Way}
    assert sandbox.pictures.refused == {way: 1}
    sandbox.pictures.mend()
    assert (await rest("POST", messages, SHOWN | {"flags": V2}, files=FILE))[0] == 200


async def test_requests_are_refused_by_code_until_it_is_mended(
    sandbox: Sandbox, rest: Rest, messages: str
) -> None:
    _, sent = await rest("POST", messages, {"content": "x"})
    edit = f"{messages}/{sent['id']}"
    sandbox.refusals.refuse("PATCH", "/channels/{}/messages/{}", code=20022)
    sandbox.refusals.refuse("POST", messages, code=50001, times=1)
    sandbox.refusals.refuse("PUT", "/applications/{}/commands", code=0, retry_after=3600.0)
    sandbox.refusals.refuse("GET", "/gateway", code=7, status=400)

    async def answered(method: str, path: str) -> tuple[int, int | None, float | None]:
        body: Any = {"GET": None, "PUT": []}.get(method, {"content": "y"})
        answer = await rest(method, path, body)
        return *outcome(answer), answer[1].get("retry_after")

    commands = f"/applications/{sandbox.world.application_id}/commands"
    for _ in range(2):
        assert await answered("PATCH", edit) == (403, 20022, None)
        assert await answered("PUT", commands) == (429, 0, 3600.0)
    assert await answered("GET", "/gateway") == (400, 7, None)
    assert await answered("POST", messages) == (403, 50001, None)
    assert (await rest("POST", messages, {"content": "y"}))[0] == 200
    assert [each.content for each in sandbox.channels["cribbage"].messages.values()] == ["x", "y"]
    assert sandbox.refusals.refused == [f"PATCH {edit}", f"PUT {commands}"] * 2 + [
        "GET /gateway",
        f"POST {messages}",
    ]
    sandbox.refusals.mend()
    assert (await rest("PATCH", edit, {"content": "z"}))[0] == 200


async def test_what_is_over_the_limit_of_its_channel_or_of_all_is_refused() -> None:
    limits = RateLimits(routes={MESSAGES: Limit(5, 60.0)}, whole=Limit(8, 60.0))
    async with Sandbox(rate_limits=limits) as sandbox, asking(sandbox) as rest:
        path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
        answers = [await rest("POST", path, {"content": "x"}) for _ in range(6)]
        assert [status for status, _ in answers] == [200] * 5 + [429]
        assert 0 < answers[5][1]["retry_after"] <= 60
        assert not answers[5][1]["global"]
        assert await post(sandbox, "general") == 200
        others = [await rest("GET", "/gateway") for _ in range(2)]
        assert [(status, answer.get("global")) for status, answer in others] == [(200, None), (429, True)]


def test_a_window_counts_from_its_first_request_to_its_end() -> None:
    window = Window(ROUTES[MESSAGES])
    assert [window.take(number / 10) for number in range(5)] == [None] * 5
    assert window.take(1.0) == 4.0, "the sixth message in five seconds is one too many"
    assert window.take(5.0) is None
    assert Limit(50, 1.0) == WHOLE


async def test_discord_py_waits_by_itself_and_is_never_refused() -> None:
    limits = RateLimits(routes={MESSAGES: Limit(2, 0.3)})
    async with Sandbox(rate_limits=limits) as sandbox, running(sandbox) as bot:
        channel = bot.get_channel(int(sandbox.channels["cribbage"].id))
        assert isinstance(channel, discord.TextChannel)
        began = time.monotonic()
        for number in range(5):
            await channel.send(str(number))
        assert time.monotonic() - began > 0.5
        assert [message.text for message in sandbox.people["Ada"].sees("cribbage")] == list("01234")
        assert sandbox.buckets.refused == 0


async def test_discord_py_understands_a_429_and_tries_again() -> None:
    limits = RateLimits(whole=Limit(4, 0.4))
    async with Sandbox(rate_limits=limits) as sandbox, running(sandbox) as bot:
        for _ in range(8):
            await bot.fetch_user(int(sandbox.people["Ada"].id))
        assert sandbox.buckets.refused > 0


async def test_interaction_responses_do_not_count_toward_the_global_limit() -> None:
    limits = RateLimits(whole=Limit(4, 60.0), usual=Limit(100, 1.0), routes={})
    async with Sandbox(rate_limits=limits) as sandbox, running(sandbox):
        for _ in range(10):
            answer = await sandbox.people["Ada"].command("cribbage", "crib play", card="5H")
            assert answer.reply.text == "you play 5H"
        assert sandbox.buckets.peak.most <= 4


def test_the_most_requests_of_any_second_are_counted() -> None:
    peak = Peak()
    for now in (0.0, 0.9, 0.95, 1.0, 1.5, 3.0):
        peak.count(now)
    assert peak.most == 4, "from 0.9 to 1.5, when the first is out of it"
