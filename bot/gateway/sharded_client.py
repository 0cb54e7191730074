"""A client whose shards connect independently of each other, in one process.

`discord.AutoShardedClient` launches its shards one after another, reads from none before all are launched,
and reconnects them one at a time, delays included: a shard that cannot connect blocks all others. Here each
shard has a task that connects, listens, and reconnects. discord.py still parses and dispatches the events.

A lost session is resumed; failures, and new sessions that Discord requests, back off exponentially. A fatal
close code (`FATAL_CODES`) ends the client.

Private parts of discord.py are used where a comment says why; `pyproject.toml` pins the version.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from contextvars import ContextVar
from random import uniform
from typing import Any, NamedTuple, Protocol

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.concurrency.loop_time import loop_time, suspended_time
from bot.concurrency.waited import waited
from bot.gateway.guarded_events import guard_events
from bot.gateway.identify_turns import IdentifyTurns
from bot.gateway.press_gate import PressGate
from bot.model.shards import Shards
from bot.sync.discord_internals import id_in, parsers, set_shards

log = logging.getLogger(__name__)

FATAL_CODES = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""Close codes after which a client must not reconnect (Discord's documentation of the gateway)."""

_CONNECTING = 45.0
"""Time limit (s) of connecting until IDENTIFY or RESUME is sent, including the wait for the turn."""

_CLOSING = 0.5
"""Time limit (s) of the closing handshake."""

FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Delay (s) between two attempts to connect: the first, and the maximum."""
_LONGEST_PAUSE_AFTER_AN_IDENTIFY = 300.0
"""Maximum (s) after an IDENTIFY without READY, since Discord allows 1,000 sessions in a day."""

NEW_SESSION = (1.0, 5.0)
"""Range (s) of the random delay before an invalid session is replaced, as Discord requires."""

_TRANSIENT = (OSError, aiohttp.ClientError, discord.DiscordException, ReconnectWebSocket)
"""Lost connections, timeouts and refusals; anything else is a bug."""


_IS_REPLAYED: ContextVar[bool] = ContextVar("_IS_REPLAYED", default=False)
"""In a shard's task: true from RESUME to RESUMED, while Discord replays missed events."""


class Turns(Protocol):
    """The schedule of IDENTIFYs; see `IdentifyTurns`."""

    def place(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Hold a place in which the shard connects and identifies."""

    async def take(self, shard: int) -> None:
        """Wait until the shard may identify, which must follow immediately."""


class Listener(Protocol):
    """Handles events of shards and servers synchronously, in the order in which they arrive."""

    def expect(self, shards: int) -> None:
        """Expect that many shards to connect."""

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """Handle READY: the shard has a new session, and `guilds` are all of its servers."""

    def resumed(self, shard: int) -> None:
        """Handle RESUMED: the shard has its session again, and missed no event."""

    def lost(self, shard: int) -> None:
        """Handle the loss of the shard's connection; it reconnects."""

    def closed(self, shard: int) -> None:
        """Handle the end of the shard's connection; it does not reconnect."""

    def available(self, guild: int) -> None:
        """Handle GUILD_CREATE: the server is new, or its outage has ended."""

    def left(self, guild: int) -> None:
        """Handle GUILD_DELETE: the bot was removed from the server."""


class _Session(NamedTuple):
    """The data with which a lost session is resumed."""

    gateway: yarl.URL
    id: str
    sequence: int | None


class ShardedClient(discord.AutoShardedClient):
    """Connects all shards that Discord recommends, or only those that are opened."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._shard_listeners: list[Listener] = []
        self._channel_listeners: list[Callable[[int, frozenset[int]], None]] = []
        self._gateway: yarl.URL | None = None
        self._turns: Turns = IdentifyTurns(1)
        self._sockets: dict[int, DiscordWebSocket] = {}
        self.wanted: set[int] = set()
        """Shards that should be connected."""
        self._shard_tasks: dict[int, asyncio.Task[None]] = {}
        self._ended: asyncio.Future[None] | None = None
        """Result of `connect` while it runs; a fatal error is its exception."""
        self._with_session: set[int] = set()
        """Shards with a session that receives events (READY or RESUMED)."""
        self._identified: set[int] = set()
        """Shards that have sent IDENTIFY, and have had no session since."""
        guard_events(self)
        # No event of discord.py has Discord's list of a shard's servers. Its cache keeps servers that the bot
        # was removed from during an outage, and it can lose events of servers if a shard begins a new session
        # just when all have become ready.
        for name in ("READY", "RESUMED", "GUILD_CREATE", "GUILD_DELETE"):
            parsers(self)[name] = self._with_listeners(name, parsers(self)[name])

    def add_shard_listener(self, listener: Listener) -> None:
        """Register a listener for the events of shards and servers."""
        self._shard_listeners.append(listener)

    def add_channel_listener(self, listener: Callable[[int, frozenset[int]], None]) -> None:
        """Register a listener for a server's id and the ids of its channels and active threads.

        Discord sends them with each new session, when a server's outage has ended, and for a new server.
        """
        self._channel_listeners.append(listener)

    def add_interaction_listener(self, listener: Callable[[Mapping[str, Any]], None]) -> None:
        """Register a listener for the raw payload of each interaction, called before it is dispatched."""
        parse = parsers(self)["INTERACTION_CREATE"]

        def parse_and_notify(data: dict[str, Any]) -> None:
            listener(data)
            parse(data)

        parsers(self)["INTERACTION_CREATE"] = parse_and_notify

    def gate_interactions(self, gate: PressGate) -> None:
        """Let the gate drop interactions before anything handles them."""
        parse = parsers(self)["INTERACTION_CREATE"]

        def parse_if_admitted(data: dict[str, Any]) -> None:
            arrived = loop_time() + suspended_time()
            age = gate.admit(id_in(data, "id"), arrived, is_replayed=_IS_REPLAYED.get())
            if age is not None:
                with waited(age):
                    parse(data)

        parsers(self)["INTERACTION_CREATE"] = parse_if_admitted

    async def ask_for_shards(
        self, own: Shards | None = None, turns: Callable[[int], Turns] = IdentifyTurns
    ) -> None:
        """Fetch the recommended number of shards and the session limits; await it between login and connect.

        With `own`, the number of shards is given, and each is connected when it is opened (`open_shard`).
        `turns` makes the schedule of IDENTIFYs from `max_concurrency`. Waits while the session limit of the
        day does not suffice, since Discord resets the token of a bot that exceeds it. Raises
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

        Raises `discord.ConnectionClosed` with one of the codes in `FATAL_CODES`.
        """
        self._ended = asyncio.get_running_loop().create_future()
        for shard in sorted(self.wanted):
            self.open_shard(shard)
        try:
            await self._ended
        finally:
            self._ended = None
            tasks = tuple(self._shard_tasks.values())
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def open_shard(self, shard: int) -> None:
        """Keep the shard connected from now on, or from `connect` on. Idempotent and non-blocking."""
        self.wanted.add(shard)
        if self._ended is not None and shard not in self._shard_tasks:
            task = asyncio.create_task(self._keep_connected(shard), name=f"shard {shard}")
            self._shard_tasks[shard] = task
            task.add_done_callback(self._shard_ended)

    async def close_shard(self, shard: int) -> None:
        """Disconnect the shard for good. Idempotent."""
        self.wanted.discard(shard)
        self._with_session.discard(shard)
        if (task := self._shard_tasks.pop(shard, None)) is not None:
            task.cancel()
            await asyncio.wait([task])
        if (socket := self._sockets.pop(shard, None)) is not None and socket.open:
            await _close(socket, 1000)
        for listener in self._shard_listeners:
            listener.closed(shard)

    def _shard_ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or self._ended is None or self._ended.done():
            return
        if (error := task.exception()) is not None:
            self._ended.set_exception(error)

    async def close(self) -> None:
        """End all sessions, and close the client."""
        for task in self._shard_tasks.values():
            task.cancel()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        sockets, self._sockets = self._sockets, {}
        closing = [socket.close(code=1000) for socket in sockets.values() if socket.open]
        await asyncio.gather(*closing, return_exceptions=True)
        await super().close()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        """Wait until the shard may identify."""
        shard = shard_id or 0
        await self._turns.take(shard)
        self._identified.add(shard)

    async def _keep_connected(self, shard: int) -> None:
        """Connect, listen and reconnect until cancelled. Raises `discord.ConnectionClosed` if it is fatal."""
        session: _Session | None = None
        failures = 0
        while True:
            error = await self._listen(shard, session)
            if isinstance(error, discord.ConnectionClosed) and error.code in FATAL_CODES:
                raise error
            session = self._resumable(shard, session, error)
            if shard in self._with_session:
                self._with_session.discard(shard)
                failures = 0
                for listener in self._shard_listeners:
                    listener.lost(shard)
            else:
                failures += 1
            pause = pause_after(failures, has_identified=shard in self._identified)
            if isinstance(error, ReconnectWebSocket) and not error.resume:
                pause = max(pause, uniform(*NEW_SESSION))
            if not isinstance(error, _TRANSIENT):
                log.error("unexpected error in shard %d", shard, exc_info=error)
            elif failures > isinstance(error, ReconnectWebSocket):  # an invalid session is no failure yet
                kind = type(error).__name__
                log.warning("shard %d is not connected (%s), tried again in %.0f s", shard, kind, pause)
            await asyncio.sleep(pause)

    async def _listen(self, shard: int, session: _Session | None) -> Exception:
        """Connect, and listen until the connection ends. Returns the error that ended it."""
        try:
            socket = self._sockets[shard] = await self._open(shard, session)
        except Exception as error:  # noqa: BLE001 -- the caller tells bugs from transient errors
            return error
        try:
            while True:
                await socket.poll_event()
        except Exception as error:  # noqa: BLE001 -- as above
            if socket.open:  # after a bug here, or for a new session: Discord would continue to send events
                is_over = isinstance(error, ReconnectWebSocket) and not error.resume
                await _close(socket, 1000 if is_over else 4000)  # the latter keeps the session, to be resumed
            return error

    async def _open(self, shard: int, session: _Session | None) -> DiscordWebSocket:
        """Connect, and send RESUME or, without a session, IDENTIFY when it is the shard's turn."""
        _IS_REPLAYED.set(session is not None)
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
        """Connect, and send RESUME or IDENTIFY; closes the socket on failure."""
        begun: list[DiscordWebSocket] = []

        class Socket(DiscordWebSocket):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                begun.append(self)

        try:
            # Private: this runs discord.py's whole handshake. The public way, `AutoShardedClient`, waits for
            # other shards.
            return await Socket.from_client(self, **session)
        except BaseException:
            # discord.py would not stop the thread that sends heartbeats, which starts with HELLO.
            for socket in begun:
                await _close(socket, 1000)
            raise

    def _resumable(self, shard: int, before: _Session | None, error: Exception) -> _Session | None:
        """The session to resume after the error; `None` if a new one is necessary."""
        socket = self._sockets.pop(shard, None)
        if isinstance(error, ReconnectWebSocket) and not error.resume:
            return None
        session = before  # without a connection it is still resumable
        if socket is not None:
            own = socket.session_id
            session = None if own is None else _Session(socket.gateway, own, socket.sequence)
        if session is None or self._gateway is None or shard in self._with_session:
            return session
        # The address for resuming it has failed, perhaps for good. That of new sessions takes a RESUME, too.
        return session._replace(gateway=self._gateway)

    def _with_listeners(self, name: str, parse: Any) -> Any:
        """Handler of an event that calls discord.py's parser, then the listeners."""
        notes = {
            "READY": self._note_ready,
            "RESUMED": self._note_resumed,
            "GUILD_CREATE": self._note_guild,
            "GUILD_DELETE": self._note_left,
        }
        note = notes[name]

        def parse_and_notify(data: dict[str, Any]) -> None:
            parse(data)
            note(data)

        return parse_and_notify

    def _note_ready(self, data: dict[str, Any]) -> None:
        shard, count = data["shard"]
        self._note_session(shard)
        guilds = frozenset(int(each["id"]) for each in data["guilds"])
        if count > 1:
            servers = "1 server" if len(guilds) == 1 else f"{len(guilds)} servers"
            log.info("shard %d of %d is connected, in %s", shard, count, servers)
        for listener in self._shard_listeners:
            listener.listed(shard, guilds)

    def _note_resumed(self, data: dict[str, Any]) -> None:
        shard = data["__shard_id__"]  # discord.py's own addition
        self._note_session(shard)
        for listener in self._shard_listeners:
            listener.resumed(shard)

    def _note_guild(self, data: dict[str, Any]) -> None:
        if data.get("unavailable") is True:
            return
        for listener in self._shard_listeners:
            listener.available(int(data["id"]))
        listed = (*(data.get("channels") or ()), *(data.get("threads") or ()))
        channels = frozenset(id_in(each, "id") for each in listed if isinstance(each, dict))
        for listen in self._channel_listeners:
            listen(int(data["id"]), channels)

    def _note_left(self, data: dict[str, Any]) -> None:
        if not data.get("unavailable"):
            for listener in self._shard_listeners:
                listener.left(int(data["id"]))

    def _note_session(self, shard: int) -> None:
        _IS_REPLAYED.set(False)
        self._with_session.add(shard)
        self._identified.discard(shard)


def pause_after(failures: int, *, has_identified: bool) -> float:
    """Delay (s) before the next attempt, after that many failures in a row."""
    if not failures:
        return 0.0
    longest = _LONGEST_PAUSE_AFTER_AN_IDENTIFY if has_identified else _LONGEST_PAUSE
    return min(FIRST_PAUSE * 2.0 ** min(failures - 1, 32), longest) * uniform(0.8, 1.0)


async def _close(socket: DiscordWebSocket, code: int) -> None:
    """Close the connection, and stop its heartbeats; waits at most `_CLOSING` for Discord's answer."""
    with suppress(*_TRANSIENT, TimeoutError):
        async with asyncio.timeout(_CLOSING):
            await socket.close(code=code)
