"""The gate that is closed while Discord's proxy bans the bot's address."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import yarl

from bot.sync.ban_gate import BanGate, Banned, banned_for
from bot.sync.discord_errors import is_transient
from tests.bot.leaping_loop import run_leaping

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


def test_during_a_ban_no_request_is_sent_and_afterwards_all_are(caplog: pytest.LogCaptureFixture) -> None:
    requests = Requests()

    async def play() -> None:
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

    run_leaping(play())
    assert requests.sent == 4
    assert [each.levelno for each in caplog.records] == [logging.WARNING]


def test_rate_limits_of_discord_itself_close_nothing() -> None:
    requests = Requests()

    async def play() -> None:
        await requests.send(429, LIMIT)
        await requests.send(502, {"Server": "cloudflare"})
        await requests.send()

    run_leaping(play())
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
