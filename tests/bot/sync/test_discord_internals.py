"""The private parts of discord.py that the bot uses, pinned to the version that it was written for."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
from operator import attrgetter
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
import pytest

from bot.sync.discord_internals import (
    clear_rate_limits_seldom,
    files_of,
    leave_components_unread,
    parsers,
)
from tests.bot.leaping_loop import leaping

KNOWN = {
    "discord.Guild._from_data": "9f3ebd711f12",
    "discord.Guild._remove_channel": "14733eb7928b",
    "discord.Guild._remove_thread": "11861cf1c7a1",
    "discord.Member._from_client_user": "2991844ac6fd",
    "discord.Message._handle_components": "f5785ebd851c",
    "discord.Message.__init__": "eaf604ace5b2",
    "discord.Webhook.from_state": "e5ac4d9f9a4d",
    "discord.http.HTTPClient.request": "02f1209000b1",
    "discord.http.HTTPClient._try_clear_expired_ratelimits": "7fefe71c1f8f",
    "discord.http.HTTPClient.get_ratelimit": "122ea56c598a",
    "discord.AutoShardedClient.launch_shards": "a65898ed1353",
    "discord.state.ConnectionState.__init__": "b1227e859a2e",
    "discord.gateway.DiscordWebSocket.received_message": "62c9f5ec6596",
}
"""Digests of the sources that `bot.sync.discord_internals` relies on, by name within discord.py."""


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_private_is_as_we_know_it(name: str) -> None:
    """If this fails, read the library's change, then write the new digest."""
    source = inspect.getsource(attrgetter(name.removeprefix("discord."))(discord))

    assert hashlib.sha256(source.encode()).hexdigest()[:12] == KNOWN[name]


def test_every_event_that_we_parse_ourselves_is_parsed_by_the_library() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents.none())

    assert parsers(client).keys() >= {
        "READY",
        "RESUMED",
        "GUILD_CREATE",
        "GUILD_DELETE",
        "INTERACTION_CREATE",
        "MESSAGE_CREATE",
        "MESSAGE_UPDATE",
        "MESSAGE_DELETE",
    }


def test_the_ids_of_files_that_components_show_are_read_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discord.Message, "_handle_components", discord.Message._handle_components)
    leave_components_unread()
    media = {"url": "x", "proxy_url": "x", "width": 1, "height": 1, "attachment_id": "71"}
    gallery = {"type": 12, "items": [{"media": media}, {"media": {"url": "elsewhere"}}]}
    components = [{"type": 17, "components": [{"type": 10, "content": "5♥"}, gallery]}]
    author = {"id": "1", "username": "x", "discriminator": "0", "avatar": None}
    data: Any = {"id": "7", "attachments": [], "embeds": [], "edited_timestamp": None, "type": 0}
    data |= {"pinned": False, "mention_everyone": False, "tts": False, "content": "", "author": author}
    channel: Any = SimpleNamespace(id=5, guild=None)
    client = discord.Client(intents=discord.Intents.none())
    message = discord.Message(
        state=client._connection, channel=channel, data=data | {"components": components}
    )
    assert (files_of(message), message.components) == ((71,), [])
    assert files_of(discord.Message(state=client._connection, channel=channel, data=data)) == ()
    assert files_of(None) == ()


_SOME = 300
"""Number of channels with a rate limit: from 256 on discord.py clears expired ones."""


@leaping
async def test_rate_limits_of_many_channels_are_forgotten_in_time_and_seldom_looked_through() -> None:
    kept = []
    client = discord.Client(intents=discord.Intents.none())
    clear_rate_limits_seldom(client)
    http = client.http
    ratelimit = discord.http.Ratelimit
    watched = patch.object(ratelimit, "is_inactive", autospec=True, side_effect=ratelimit.is_inactive)
    with watched as is_inactive:
        for number in range(_SOME):
            http._buckets[f"old {number}"] = ratelimit(None)
        for number in range(_SOME):
            http.get_ratelimit(f"new {number}")
            await asyncio.sleep(0.1)
        kept.append(len(http._buckets))
        await asyncio.sleep(300)
        http.get_ratelimit("one more")
        kept.append(len(http._buckets))
    assert is_inactive.call_count <= 4 * _SOME
    assert kept == [2 * _SOME, 1]
