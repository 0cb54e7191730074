"""How often a client with thousands of tables looks through the rate limits of their channels."""

from __future__ import annotations

import asyncio

import discord

from bot.delivery.rate_limit_buckets import clear_seldom
from tests.bot.leaping_loop import run_leaping

_SOME = 300
"""From 256 on discord.py looks for those that it need not remember."""


def test_rate_limits_of_many_channels_are_forgotten_in_time_and_seldom_looked_through() -> None:
    looked_at, kept = 0, []

    async def use() -> None:
        nonlocal looked_at
        client = discord.Client(intents=discord.Intents.none())
        clear_seldom(client)
        http = client.http
        is_inactive = discord.http.Ratelimit.is_inactive

        class Counted(discord.http.Ratelimit):
            def is_inactive(self) -> bool:
                nonlocal looked_at
                looked_at += 1
                return is_inactive(self)

        for number in range(_SOME):
            http._buckets[f"old {number}"] = Counted(None)
        for number in range(_SOME):
            http.get_ratelimit(f"new {number}")
            await asyncio.sleep(0.1)
        kept.append(len(http._buckets))
        await asyncio.sleep(300)
        http.get_ratelimit("one more")
        kept.append(len(http._buckets))

    run_leaping(use())
    assert looked_at <= 3 * _SOME
    assert kept == [2 * _SOME, 1]
