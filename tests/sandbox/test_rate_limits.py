"""Discord's rate limits, and how discord.py keeps to them."""

import time
from collections.abc import AsyncIterator

import discord
import pytest

from sandbox.rate_limits import Limit, Peak, RateLimits
from sandbox.server import Sandbox
from tests.sandbox.conftest import Rest
from tests.sandbox.table_bot import running

MESSAGES = "POST /channels/{channel_id}/messages"


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """With the default limits instead of relaxed ones."""
    async with Sandbox() as sandbox:
        yield sandbox


async def test_the_sixth_message_in_five_seconds_is_one_too_many(sandbox: Sandbox, rest: Rest) -> None:
    path = f"/channels/{sandbox.channels['cribbage'].id}/messages"
    answers = [await rest("POST", path, {"content": "x"}) for _ in range(6)]

    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert 4 < answers[5][1]["retry_after"] <= 5
    assert not answers[5][1]["global"]
    other = f"/channels/{sandbox.channels['general'].id}/messages"
    assert (await rest("POST", other, {"content": "x"}))[0] == 200


async def test_more_than_fifty_requests_a_second_are_too_many(sandbox: Sandbox, rest: Rest) -> None:
    answers = [await rest("GET", path) for path in ["/users/@me", "/gateway"] * 30]

    refused = [answer for status, answer in answers if status == 429]
    assert len(refused) >= 1
    assert refused[0]["global"]


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
