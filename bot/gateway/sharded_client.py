"""A client whose shards live each for itself, in one process.

`discord.AutoShardedClient` launches its shards one after another, hears none before all are launched, and
reconnects them one at a time, pauses included: one that cannot connect holds up all others. Here each shard
has a task that connects, listens, and connects again. Events are handled by discord.py all the same.

A session that was lost is resumed; while that fails, or Discord wants a new session, the pauses grow. A close
that cannot be mended (`UNMENDABLE`) ends the client.

Private parts of discord.py are used where a comment says why; `pyproject.toml` pins the version.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from random import uniform
from typing import Any, NamedTuple, Protocol

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.gateway.identify_turns import IdentifyTurns
from bot.model.shards import Shards
from bot.sync.discord_internals import parsers, set_shards

log = logging.getLogger(__name__)

UNMENDABLE = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""The close codes after which Discord's documentation asks not to connect again."""

_CONNECTING = 45.0
"""Seconds for a connection until IDENTIFY or RESUME is sent, with the wait for its turn."""

_CLOSING = 0.5
"""Seconds for a goodbye."""

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Seconds between two attempts to reach Discord: the first, and the most."""
_LONGEST_PAUSE_AFTER_AN_IDENTIFY = 300.0
"""The most after a session that Discord began and never made ready: it allows 1,000 in a day."""

_NEW_SESSION = (1.0, 5.0)
"""Seconds, at random, before a session that was declared invalid is replaced, as Discord asks."""

_PASSING = (OSError, aiohttp.ClientError, discord.DiscordException, ReconnectWebSocket)
"""Lost connections, timeouts and refusals; anything else is a fault."""


class Turns(Protocol):
    """The schedule of IDENTIFYs; see `IdentifyTurns`."""

    def place(self, shard: int) -> AbstractAsyncContextManager[None]:
        """A place in which to connect and identify."""

    async def take(self, shard: int) -> None:
        """Wait until that shard may identify, which it is to do at once."""


class Listener(Protocol):
    """Hears of shards and servers at once, in the order in which Discord tells."""

    def expect(self, shards: int) -> None:
        """So many shards are about to connect."""

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """A shard has a new session: these are all of its servers."""

    def resumed(self, shard: int) -> None:
        """A shard is connected again, and has missed nothing."""

    def lost(self, shard: int) -> None:
        """A shard has no connection any more."""

    def closed(self, shard: int) -> None:
        """A shard has no connection any more, and is not to have one."""

    def available(self, guild: int) -> None:
        """Discord tells of a server, for the first time or again."""

    def left(self, guild: int) -> None:
        """The bot was removed from a server."""


class _Session(NamedTuple):
    """The data with which a lost session is resumed."""

    gateway: yarl.URL
    id: str
    sequence: int | None


class ShardedClient(discord.AutoShardedClient):
    """Connects as many shards as Discord recommends, or those of them that it is told."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._shard_listeners: list[Listener] = []
        self._gateway: yarl.URL | None = None
        self._turns: Turns = IdentifyTurns(1)
        self._sockets: dict[int, DiscordWebSocket] = {}
        self.wanted: set[int] = set()
        """Shards that are to be connected."""
        self._keeping: dict[int, asyncio.Task[None]] = {}
        self._ended: asyncio.Future[None] | None = None
        """While the client is connected: ends with an error that cannot be mended."""
        self._standing: set[int] = set()
        """Shards with a session that hears events."""
        self._identified: set[int] = set()
        """Shards that have sent IDENTIFY since they last stood."""
        # Discord's own list of a shard's servers is in no event of discord.py's. Its cache keeps those that
        # the bot was removed from during an outage, and its events of servers can be lost where a shard
        # begins a new session just as all have become ready.
        for name in ("READY", "RESUMED", "GUILD_CREATE", "GUILD_DELETE"):
            parsers(self)[name] = self._overheard(name, parsers(self)[name])

    def add_shard_listener(self, listener: Listener) -> None:
        """Let the listener hear of shards and servers from now on."""
        self._shard_listeners.append(listener)

    def add_interaction_listener(self, hear: Callable[[Mapping[str, Any]], None]) -> None:
        """Let each interaction be heard as Discord tells it, before anything is done about it."""
        parse = parsers(self)["INTERACTION_CREATE"]

        def overheard(data: dict[str, Any]) -> None:
            hear(data)
            parse(data)

        parsers(self)["INTERACTION_CREATE"] = overheard

    async def ask_for_shards(
        self, own: Shards | None = None, turns: Callable[[int], Turns] = IdentifyTurns
    ) -> None:
        """Ask Discord how many shards it recommends; to be awaited between login and connection.

        A process that has but its `own` does not ask how many, and connects to each when it is opened
        (`open_shard`). `turns` are made of `max_concurrency`. Where that many sessions cannot be started
        today, wait until they can: Discord answers one too many by resetting the token. Raises
        `discord.GatewayNotFound` and network errors.
        """
        count, gateway, limits = await self.http.get_bot_gateway()
        self.wanted = set(range(count)) if own is None else set()
        needed = count if own is None else len(own.own)
        count = count if own is None else own.count
        if limits["remaining"] < needed:
            seconds = limits["reset_after"] / 1000
            log.warning("no more sessions can be started today: the bot connects in %.0f s", seconds)
            await asyncio.sleep(seconds)
        self.shard_count = count
        set_shards(self, count)
        self._gateway = yarl.URL(gateway)
        self._turns = turns(limits["max_concurrency"])
        for listener in self._shard_listeners:
            listener.expect(count)

    async def connect(self, *, reconnect: bool = True) -> None:  # noqa: ARG002 -- the base's argument
        """Keep all shards connected until the client is closed.

        Raises `discord.ConnectionClosed` with one of the codes in `UNMENDABLE`.
        """
        self._ended = asyncio.get_running_loop().create_future()
        for shard in sorted(self.wanted):
            self.open_shard(shard)
        try:
            await self._ended
        finally:
            self._ended = None
            keeping = tuple(self._keeping.values())
            for task in keeping:
                task.cancel()
            if keeping:
                await asyncio.wait(keeping)

    def open_shard(self, shard: int) -> None:
        """Let that shard be connected, from now on. Before the client is, it is noted only."""
        self.wanted.add(shard)
        if self._ended is not None and shard not in self._keeping:
            task = asyncio.create_task(self._keep_connected(shard), name=f"shard {shard}")
            self._keeping[shard] = task
            task.add_done_callback(self._shard_ended)

    async def close_shard(self, shard: int) -> None:
        """Let that shard be connected no more."""
        self.wanted.discard(shard)
        self._standing.discard(shard)
        if (task := self._keeping.pop(shard, None)) is not None:
            task.cancel()
            await asyncio.wait([task])
        if (socket := self._sockets.pop(shard, None)) is not None and socket.open:
            await _leave(socket, 1000)
        for listener in self._shard_listeners:
            listener.closed(shard)

    def _shard_ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or self._ended is None or self._ended.done():
            return
        if (error := task.exception()) is not None:
            self._ended.set_exception(error)

    async def close(self) -> None:
        """End all sessions, and close the client."""
        for task in self._keeping.values():
            task.cancel()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        sockets, self._sockets = self._sockets, {}
        closing = [socket.close(code=1000) for socket in sockets.values() if socket.open]
        await asyncio.gather(*closing, return_exceptions=True)
        await super().close()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        """Wait for the shard's turn."""
        shard = shard_id or 0
        await self._turns.take(shard)
        self._identified.add(shard)

    async def _keep_connected(self, shard: int) -> None:
        """Connect and listen, again and again. Ends with an error that cannot be mended."""
        session: _Session | None = None
        failures = 0
        while True:
            error = await self._listen(shard, session)
            if isinstance(error, discord.ConnectionClosed) and error.code in UNMENDABLE:
                raise error
            session = self._resumable(shard, session, error)
            if shard in self._standing:
                self._standing.discard(shard)
                failures = 0
                for listener in self._shard_listeners:
                    listener.lost(shard)
            else:
                failures += 1
            pause = self._pause(shard, failures)
            if isinstance(error, ReconnectWebSocket) and not error.resume:
                pause = max(pause, uniform(*_NEW_SESSION))
            if not isinstance(error, _PASSING):
                log.error("unexpected error in shard %d", shard, exc_info=error)
            elif failures > isinstance(error, ReconnectWebSocket):  # a quick restart may be asked to wait
                kind = type(error).__name__
                log.warning("shard %d is not connected (%s), tried again in %.0f s", shard, kind, pause)
            await asyncio.sleep(pause)

    async def _listen(self, shard: int, session: _Session | None) -> Exception:
        """Connect, and listen until the connection ends; why it did."""
        try:
            socket = self._sockets[shard] = await self._open(shard, session)
        except Exception as error:  # noqa: BLE001 -- the caller tells faults from what passes
            return error
        try:
            while True:
                await socket.poll_event()
        except Exception as error:  # noqa: BLE001 -- as above
            if socket.open:  # after a fault of ours: Discord would go on telling it everything
                await _leave(socket, 4000)  # which keeps the session, to be resumed
            return error

    async def _open(self, shard: int, session: _Session | None) -> DiscordWebSocket:
        """A connection that has sent RESUME or IDENTIFY."""
        if session is not None:
            async with asyncio.timeout(_CONNECTING):
                return await self._begin(
                    gateway=session.gateway,
                    shard_id=shard,
                    session=session.id,
                    sequence=session.sequence,
                    resume=True,
                )
        async with self._turns.place(shard), asyncio.timeout(_CONNECTING):
            return await self._begin(gateway=self._gateway, shard_id=shard)

    async def _begin(self, **session: Any) -> DiscordWebSocket:
        """A connection that has sent RESUME or IDENTIFY; one that comes to nothing is closed."""
        begun: list[DiscordWebSocket] = []

        class Socket(DiscordWebSocket):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                begun.append(self)

        try:
            # Private: this is all of discord.py's protocol, and `AutoShardedClient` has no public way to it
            # that does not wait for other shards.
            return await Socket.from_client(self, **session)
        except BaseException:
            # From Discord's first word on a thread sends heartbeats, and discord.py would let it go on.
            for socket in begun:
                await _leave(socket, 1000)
            raise

    def _resumable(self, shard: int, before: _Session | None, error: Exception) -> _Session | None:
        """The session to resume after that error; `None` where a new one has to begin."""
        socket = self._sockets.pop(shard, None)
        if isinstance(error, ReconnectWebSocket) and not error.resume:
            return None
        if socket is None:  # there was no connection: what could be resumed before it still can
            return before
        return _Session(socket.gateway, socket.session_id, socket.sequence) if socket.session_id else None

    def _pause(self, shard: int, failures: int) -> float:
        """Seconds before the next attempt, after so many failures in a row."""
        if not failures:
            return 0.0
        longest = _LONGEST_PAUSE_AFTER_AN_IDENTIFY if shard in self._identified else _LONGEST_PAUSE
        return min(_FIRST_PAUSE * 2.0 ** min(failures - 1, 32), longest) * uniform(0.8, 1.0)

    def _overheard(self, name: str, parse: Any) -> Any:
        """The handler of an event: discord.py's own parser, and then our listeners."""
        notes = {
            "READY": self._note_ready,
            "RESUMED": self._note_resumed,
            "GUILD_CREATE": self._note_guild,
            "GUILD_DELETE": self._note_no_guild,
        }
        note = notes[name]

        def overheard(data: dict[str, Any]) -> None:
            parse(data)
            note(data)

        return overheard

    def _note_ready(self, data: dict[str, Any]) -> None:
        shard, count = data["shard"]
        self._stands(shard)
        guilds = frozenset(int(each["id"]) for each in data["guilds"])
        if count > 1:
            log.info("shard %d of %d is connected, in %d servers", shard, count, len(guilds))
        for listener in self._shard_listeners:
            listener.listed(shard, guilds)

    def _note_resumed(self, data: dict[str, Any]) -> None:
        shard = data["__shard_id__"]  # discord.py's own addition
        self._stands(shard)
        for listener in self._shard_listeners:
            listener.resumed(shard)

    def _note_guild(self, data: dict[str, Any]) -> None:
        if data.get("unavailable") is not True:
            for listener in self._shard_listeners:
                listener.available(int(data["id"]))

    def _note_no_guild(self, data: dict[str, Any]) -> None:
        if not data.get("unavailable"):
            for listener in self._shard_listeners:
                listener.left(int(data["id"]))

    def _stands(self, shard: int) -> None:
        self._standing.add(shard)
        self._identified.discard(shard)


async def _leave(socket: DiscordWebSocket, code: int) -> None:
    """Say goodbye, without waiting long for an answer; no more heartbeats are sent."""
    with suppress(*_PASSING, TimeoutError):
        async with asyncio.timeout(_CLOSING):
            await socket.close(code=code)
