"""All that we use of discord.py that is private to it, each with the reason why nothing public would do.

`tests/bot/sync/test_discord_internals.py` fails when a new version changes any of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import aiohttp
import discord

Parser: TypeAlias = Callable[[Any], None]

_BETWEEN_CLEARINGS = 30.0
"""Interval (s) between two clearings of expired rate limits."""


def parsers(client: discord.Client) -> dict[str, Parser]:
    """The parser of each gateway event, by the event's name; callers replace entries in place.

    Commands are run before anybody else hears of them, a message becomes an object that nobody here wants,
    and a shard's own list of its servers is in no event.
    """
    return client._connection.parsers  # noqa: SLF001 -- see the module


def set_shards(client: discord.AutoShardedClient, count: int) -> None:
    """Set the number of shards: `launch_shards` sets that, which our own `connect` replaces."""
    client._connection.shard_count, client._connection.shard_ids = count, range(count)  # noqa: SLF001


def forget_thread(thread: discord.Thread) -> None:
    """Forget a private thread that the bot was removed from: discord.py does so for archived ones alone."""
    thread.guild._remove_thread(thread)  # noqa: SLF001 -- see the module


def webhook_of(token: str, application: int, client: discord.Client) -> discord.Webhook:
    """The webhook of an interaction that another process has answered: discord.py makes none of a token."""
    data: Any = {"id": application, "type": 3, "token": token}
    return discord.Webhook.from_state(data=data, state=client._connection)  # noqa: SLF001 -- see the module


def limit_requests(client: discord.Client, limit: aiohttp.ClientTimeout) -> None:
    """Break each attempt at a request off after that time: discord.py waits for five minutes."""
    client.http.request = partial(client.http.request, timeout=limit)  # type: ignore[method-assign]


def clear_rate_limits_seldom(client: discord.Client) -> None:
    """Let the client look through its rate limits of channels twice a minute at most.

    It keeps each for five minutes, and looks through all of them with each request to a new channel. A bot
    with thousands of tables has thousands: that took two fifths of its time when 3,700 tables were opened
    within two minutes. There is no setting for it.
    """
    http = client.http
    clear, due = http._try_clear_expired_ratelimits, 0.0  # noqa: SLF001 -- see the module

    def clear_if_due() -> None:
        nonlocal due
        now = asyncio.get_running_loop().time()
        if now >= due:
            due = now + _BETWEEN_CLEARINGS
            clear()

    http._try_clear_expired_ratelimits = clear_if_due  # type: ignore[method-assign]  # noqa: SLF001


def leave_components_unread() -> None:
    """Let discord.py make nothing of the components of messages, in this whole process.

    Discord sends our own back with each press and each edit, and nobody here reads them: objects of them took
    3 % of an action's time. There is no setting for it.
    """

    def unread(message: discord.Message, _: object) -> None:
        message.components = []

    discord.Message._handle_components = unread  # type: ignore[method-assign, assignment]  # noqa: SLF001
