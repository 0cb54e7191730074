"""Every use of discord.py's private attributes, each with the reason why no public one will do.

`tests/bot/sync/test_discord_internals.py` fails when a new version of discord.py changes one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from copy import copy
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

import aiohttp
import discord

Parser: TypeAlias = Callable[[Any], None]

_NOTHING_ELSE = {"filename": "", "size": 0, "url": "", "proxy_url": ""}
"""The facts about a file that discord.py asks for, and the bot does not."""

_BETWEEN_CLEARINGS = 30.0
"""Interval (s) between two clearings of expired rate limits."""


def parsers(client: discord.Client) -> dict[str, Parser]:
    """The parser of each gateway event, by the event's name; callers replace entries in place.

    The public events do not suffice: discord.py runs commands before it dispatches their interaction, builds
    a `Message` for each message event, and dispatches no event with a shard's list of servers.
    """
    return client._connection.parsers  # noqa: SLF001 -- see the module


def set_shards(client: discord.AutoShardedClient, count: int) -> None:
    """Set the number of shards, as `launch_shards` does, which our own `connect` replaces."""
    client._connection.shard_count, client._connection.shard_ids = count, range(count)  # noqa: SLF001


def forget_thread(thread: discord.Thread) -> None:
    """Evict a private thread that the bot was removed from: discord.py evicts archived threads only."""
    thread.guild._remove_thread(thread)  # noqa: SLF001 -- see the module


def forget_channel(client: discord.Client, data: Mapping[str, Any]) -> None:
    """Evict the channel or thread of an event that could not be parsed; discord.py keeps it unchanged."""
    guild = client.get_guild(id_in(data, "guild_id"))
    place = None if guild is None else guild.get_channel_or_thread(id_in(data, "id"))
    if guild is None or place is None:
        return
    if isinstance(place, discord.Thread):
        guild._remove_thread(place)  # noqa: SLF001 -- see the module
    else:
        guild._remove_channel(place)  # noqa: SLF001 -- see the module


def id_in(data: Mapping[str, Any], *keys: str) -> int:
    """The id under the first of these keys that has one; 0 without any."""
    found = (str(data[key]) for key in keys if key in data)
    return next((int(each) for each in found if each.isdecimal()), 0)


def can_parse(client: discord.Client, guild: str, key: str, entry: object) -> bool:
    """True if discord.py can parse a server whose list `key` has only that entry."""
    data: Any = {"id": guild, key: [entry]}
    try:
        discord.Guild(data=data, state=client._connection)  # noqa: SLF001 -- see the module
    except Exception:  # noqa: BLE001 -- whatever the parser stumbles over
        return False
    return True


def webhook_of(token: str, application: int, client: discord.Client) -> discord.Webhook:
    """The webhook of another process's interaction: discord.py has no constructor from a bare token."""
    data: Any = {"id": application, "type": 3, "token": token}
    return discord.Webhook.from_state(data=data, state=client._connection)  # noqa: SLF001 -- see the module


class _Once:
    """A session whose failed requests discord.py does not repeat.

    It repeats them after a status of 500 or more, and after some lost connections (`OSError`).
    """

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    @asynccontextmanager
    async def request(self, *where: Any, **options: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request. Raises `discord.DiscordServerError` and `aiohttp.ClientError`."""
        try:
            async with self._session.request(*where, **options) as response:
                if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                    raise discord.DiscordServerError(response, None)
                yield response
        except aiohttp.ClientConnectorError:
            raise
        except OSError as error:
            raise aiohttp.ServerDisconnectedError from error


async def post_once(webhook: discord.Webhook, **new: Any) -> discord.WebhookMessage:
    """Post a message with a webhook, which has no idempotency key: a failed request is not repeated.

    There is no setting for it.
    """
    once, session = copy(webhook), _Once(webhook.session)
    once.session = session  # type: ignore[assignment]  # discord.py asks it for requests alone
    return await once.send(**new, wait=True)


def limit_requests(client: discord.Client, limit: aiohttp.ClientTimeout) -> None:
    """Set the timeout of each attempt at a request, which is five minutes in discord.py."""
    client.http.request = partial(client.http.request, timeout=limit)  # type: ignore[method-assign]


def clear_rate_limits_seldom(client: discord.Client) -> None:
    """Let the client clear expired rate limits at most twice a minute.

    discord.py keeps each channel's rate limit for five minutes, and scans all of them at each request to a
    new channel. When 3,700 tables were opened within two minutes, that took 40 % of the processor time. There
    is no setting for it.
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


def leave_components_unread() -> Callable[[], None]:
    """Stop discord.py, in the whole process, from parsing the components of messages; returns what undoes it.

    Discord returns the bot's own components with each press and edit. The bot reads no more of them than the
    ids of the files that they show, which stand nowhere else (discord-api-docs #8277): see `files_of`.
    Parsing them took 3 % of an action's time. There is no setting for it.
    """

    def unread(message: discord.Message, components: list[dict[str, Any]]) -> None:
        message.components = []
        for media in _media_in(components):
            if "attachment_id" in media:
                file: Any = {"id": media["attachment_id"], **_NOTHING_ELSE}
                message.attachments.append(discord.Attachment(data=file, state=message._state))  # noqa: SLF001

    read = discord.Message._handle_components  # noqa: SLF001 -- see the module
    discord.Message._handle_components = unread  # type: ignore[method-assign, assignment]  # noqa: SLF001

    def undo() -> None:
        discord.Message._handle_components = read  # type: ignore[method-assign]  # noqa: SLF001

    return undo


def _media_in(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The media of all galleries, which stand in a container or by themselves."""
    for component in components:
        if component["type"] == discord.ComponentType.container.value:
            yield from _media_in(component["components"])
        for item in component.get("items", ()):
            yield item["media"]


def files_of(message: object) -> tuple[int, ...]:
    """The ids of the files of a message in Discord's response; empty if it is none, or has none."""
    return tuple(each.id for each in message.attachments) if isinstance(message, discord.Message) else ()
