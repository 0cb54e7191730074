"""Keeps the bot going through gateway events that discord.py cannot parse, as after a change at Discord's.

discord.py's parsers raise on a field that they do not expect. That would end the connection, and one odd
channel in GUILD_CREATE would leave a server without the bot's own membership in the cache. Here an event that
does not parse is mended if it can be: a channel is read without its nulls, and of a server's lists each entry
that does not parse is left out. What cannot be mended is dropped with one line in the log, without content.

A dropped event must not leave the cache wrong: its channel or thread is evicted, which makes the bot's
permissions there unknown, and after one about a whole server the shard begins a new session, at most once an
hour.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import discord
from discord.gateway import ReconnectWebSocket

from bot.sync.discord_internals import Parser, can_parse, forget_channel, id_in, parsers

log = logging.getLogger(__name__)

Data: TypeAlias = dict[str, Any]

BETWEEN_NEW_SESSIONS: Final = 3600.0
"""Shortest time (s) between two sessions that a shard begins for an event that it has dropped."""

_NEEDED: Final[Mapping[str, object]] = {"name": "", "position": 0, "bitrate": 64_000, "user_limit": 0}
"""Fields of channels that discord.py cannot do without."""

_WHOLE: Final = frozenset({"roles", "members"})
"""Lists of a server that decide the bot's permissions, so no entry may be left out."""

_OF_SERVERS: Final = ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_ROLE_", "GUILD_MEMBER_UPDATE")
"""Beginnings of the names of events about a whole server."""

_OF_PLACES: Final = ("CHANNEL_", "THREAD_")
"""Beginnings of the names of events about a channel or a thread."""


def guard_events(client: discord.AutoShardedClient) -> None:
    """Guard all parsers of the client, before anything else replaces them."""
    guard = _Guard(client)
    for name, parse in list(parsers(client).items()):
        parsers(client)[name] = partial(guard.receive, name, parse)


def guarded(client: discord.AutoShardedClient, name: str, handle: Parser) -> Parser:
    """A guarded handler of the bot's own, to take the place of discord.py's parser of that event."""
    return partial(_Guard(client).receive, name, handle)


class _Guard:
    """Receives events in place of discord.py's parsers."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client
        self._create_channel = parsers(client)["CHANNEL_CREATE"]
        self._mends: Mapping[str, Callable[[Data], Data]] = {
            "GUILD_CREATE": self._without_unparsable,
            "CHANNEL_CREATE": _completed,
            "CHANNEL_UPDATE": _completed,
            "INTERACTION_CREATE": _with_completed_channel,
        }
        self._renewed_at: dict[int, float] = {}
        """By shard: the loop's time (s) when it was last asked for a new session."""

    def receive(self, name: str, parse: Parser, data: Data) -> None:
        """Parse an event, or drop it. Raises `ReconnectWebSocket` if the shard needs a new session."""
        try:
            self._parse(name, parse, data)
        except Exception as error:  # noqa: BLE001 -- whatever a parser stumbles over
            log.error("an event %s could not be parsed: %s", name, _described(error))  # noqa: TRY400 -- no content
            self._recover(name, data)

    def _parse(self, name: str, parse: Parser, data: Data) -> None:
        if name == "CHANNEL_UPDATE" and self._lacks(data):
            parse = self._create_channel
        try:
            parse(data)
        except Exception:
            if (mend := self._mends.get(name)) is None:
                raise
            parse(mend(data))

    def _lacks(self, channel: Data) -> bool:
        """True for a channel that was left out or evicted: discord.py would drop each update of it."""
        guild = self._client.get_guild(id_in(channel, "guild_id"))
        return guild is not None and guild.get_channel(id_in(channel, "id")) is None

    def _recover(self, name: str, data: Data) -> None:
        """Leave nothing wrong in the cache after a dropped event."""
        if name == "READY":  # without it there is no session
            raise ReconnectWebSocket(None, resume=False)
        if name.startswith(_OF_PLACES):
            forget_channel(self._client, data)
        elif name.startswith(_OF_SERVERS):
            self._renew(data)

    def _renew(self, data: Data) -> None:
        """Ask for a new session of the server's shard, unless that was done within the hour."""
        shard = (id_in(data, "guild_id", "id") >> 22) % (self._client.shard_count or 1)
        now = asyncio.get_running_loop().time()
        if now - self._renewed_at.get(shard, -BETWEEN_NEW_SESSIONS) >= BETWEEN_NEW_SESSIONS:
            self._renewed_at[shard] = now
            raise ReconnectWebSocket(shard, resume=False)

    def _without_unparsable(self, guild: Data) -> Data:
        """The server without the entries of its lists that do not parse."""
        mended = dict(guild)
        mended["channels"] = [_completed(each) for each in guild["channels"] if isinstance(each, dict)]
        for key, entries in guild.items():
            if not isinstance(entries, list) or key in _WHOLE:
                continue
            mended[key] = [each for each in mended[key] if can_parse(self._client, guild["id"], key, each)]
            if missing := len(entries) - len(mended[key]):
                log.error("%d of the %s of a server could not be parsed", missing, key)
        return mended


def _completed(channel: Data) -> Data:
    """The channel without nulls, and with all fields that discord.py cannot do without."""
    return {**_NEEDED, **{key: value for key, value in channel.items() if value is not None}}


def _with_completed_channel(interaction: Data) -> Data:
    return {**interaction, "channel": _completed(interaction.get("channel") or {})}


def _described(error: Exception) -> str:
    """The error's class and place: its text may have content."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" in {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}"
    return f"{type(error).__name__}{place}"
