"""Fault injection: drawn from a seed, seen by the sender, and with or without effect in the channel."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import aiohttp
import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox import faults as module
from sandbox.faults import MIXED, SINGLY, Fault, Faults, Way, drawn
from sandbox.model.media import plain_png
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests.sandbox.conftest import Rest

_AFTER = {Fault.FAILED_AFTER, Fault.DROPPED_AFTER, Fault.SILENT_AFTER}
_STATUS = {
    Fault.LIMITED: 429,
    Fault.LIMITED_GLOBALLY: 429,
    Fault.FAILED: 500,
    Fault.FAILED_AFTER: 500,
    Fault.BAD_GATEWAY: 502,
    Fault.SLOW: 200,
}
"""The status that the sender sees; with the other faults it sees only a lost connection."""


@asynccontextmanager
async def sandbox_with(faults: Faults) -> AsyncIterator[Sandbox]:
    async with Sandbox(middlewares=[faults.middleware]) as sandbox:
        faults.is_on = True
        yield sandbox


async def post(sandbox: Sandbox) -> int | None:
    """The status of posting a message; None if there was no response."""
    url = f"{sandbox.url}/api/v10/channels/{sandbox.channels['cribbage'].id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        try:
            async with session.post(url, json={"content": "x"}) as response:
                await response.read()
                return response.status
        except aiohttp.ClientConnectionError:
            return None


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE", 0.05)
    monkeypatch.setattr(module, "SLOWNESS", (0.01, 0.05))


@pytest.mark.parametrize("fault", list(Fault))
async def test_each_fault_is_seen_as_what_it_is_and_does_what_it_says(fault: Fault) -> None:
    faults = Faults(1, {fault: 1.0})
    async with sandbox_with(faults) as sandbox:
        before = len(sandbox.channels["cribbage"].messages)
        assert await post(sandbox) == _STATUS.get(fault)
        posted = len(sandbox.channels["cribbage"].messages) - before

    assert posted == (fault in _AFTER or fault is Fault.SLOW)
    assert faults.inflicted == {fault.value: 1}


async def test_nothing_goes_wrong_before_it_is_switched_on_nor_at_the_log_in() -> None:
    faults = Faults(1, {Fault.FAILED: 1.0})
    async with Sandbox(middlewares=[faults.middleware]) as sandbox:
        assert await post(sandbox) == 200
        faults.is_on = True
        headers = {"Authorization": f"Bot {sandbox.token}"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.get(f"{sandbox.url}/api/v10/users/@me") as response,
        ):
            assert response.status == 200
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


def test_rates_are_shares_of_one_whole() -> None:
    with pytest.raises(ValueError, match="shares"):
        Faults(1, {Fault.SLOW: 0.6, Fault.FAILED: 0.5})


async def test_a_ban_answers_with_a_page_of_which_observers_hear_and_discord_does_not(
    sandbox: Sandbox,
) -> None:
    seen: list[Exchange] = []
    sandbox.observers.append(lambda each: seen.append(each) if isinstance(each, Exchange) else None)
    sandbox.ban.begin(600.0)
    assert await post(sandbox) == 429
    sandbox.ban.end()
    assert await post(sandbox) == 200

    banned, taken = seen
    assert (banned.status, banned.answer, taken.status) == (429, None, 200)
    assert "Via" not in banned.answer_headers
    assert banned.answer_headers["Retry-After"] == "600"
    assert sandbox.ban.requests == [f"POST /channels/{sandbox.channels['cribbage'].id}/messages"]
    assert len([each for each in sandbox.channels["cribbage"].messages.values() if each.content == "x"]) == 1


async def test_a_tests_own_middleware_may_answer_with_anything() -> None:
    seen: list[Exchange] = []

    @web.middleware
    async def odd(request: web.Request, handler: Handler) -> web.StreamResponse:
        return web.Response(status=503, text="<h1>Not now</h1>", content_type="text/html")

    async with Sandbox(middlewares=[odd]) as sandbox:
        sandbox.observers.append(lambda each: seen.append(each) if isinstance(each, Exchange) else None)
        assert await post(sandbox) == 503
    assert [(each.status, each.answer) for each in seen] == [(503, None)]


V2 = 1 << 15
FILE = {"a.png": plain_png("#112233", 8)}
SHOWN = [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]


@pytest.mark.parametrize("way", list(Way))
async def test_each_way_to_carry_a_picture_can_be_refused_alone(
    sandbox: Sandbox, rest: Rest, way: Way
) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    _, sent = await rest("POST", path, {"flags": V2, "components": SHOWN}, files=FILE)
    kept = sent["components"][0]["items"][0]["media"]["attachment_id"]
    sandbox.pictures.refuse(way)

    async def tried() -> dict[Way, int]:
        """The status of each way; nothing changes the file that the message shows."""
        edit, shown = f"{path}/{sent['id']}", {"components": SHOWN}
        left_out, _ = await rest("PATCH", edit, shown)
        listed, _ = await rest("PATCH", edit, shown | {"attachments": [{"id": kept}]})
        posted, other = await rest("POST", path, shown | {"flags": V2}, files=FILE)
        over = f"{path}/{other['id'] if posted == 200 else sent['id']}"
        brought, _ = await rest("PATCH", over, shown | {"attachments": [{"id": 0}]}, files=FILE)
        return {Way.LEFT_OUT: left_out, Way.LISTED: listed, Way.POSTED: posted, Way.BROUGHT: brought}

    assert await tried() == {each: 400 if each is way else 200 for each in Way}
    assert sandbox.pictures.refused == {way: 1}
    sandbox.pictures.mend()
    assert (await rest("POST", path, {"flags": V2, "components": SHOWN}, files=FILE))[0] == 200
