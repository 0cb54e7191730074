"""Gateway sessions, which outlive their connections, and the connections.

A session keeps the events it was sent, so that a RESUME replays the missed ones. Its intents, its shard and
the bot's permissions decide which changes it gets.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import aiohttp
import orjson
from aiohttp import web

from sandbox import assumptions
from sandbox.gateway.frames import KNOWN_INTENTS, NOT_RESUMABLE, PRIVILEGED, Close, Intent, Op, packer
from sandbox.gateway.shards import IdentifyLimit, Shards, Trouble, shard_of
from sandbox.model.guilds import Guild
from sandbox.model.interactions import USER_INSTALL
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import Change, World
from sandbox.traffic import Direction, Frame, Observer

_FRAMES = frozenset({aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY})
"""The types of WebSocket messages that carry a frame; hikari sends the latter."""

_ABOUT_SESSIONS = frozenset({"READY", "RESUMED"})
"""Events that a RESUME never brings again."""

_OF_CHANNELS = frozenset({"CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE"})
"""Events that a session gets of hidden channels, too."""

_JSON_ALONE = b"this gateway speaks encoding=json alone, not Discord's etf"
"""The reason of a close, for the log of a library."""

_SENDS, _SENDS_PERIOD = 120, 60.0


@dataclass(slots=True, eq=False)
class Session:
    """A session that began with IDENTIFY; it has a connection or can be resumed by one."""

    id: str
    intents: Intent
    shard: tuple[int, int] = (0, 1)
    sequence: int = 0
    sent: deque[JSON] = field(default_factory=lambda: deque(maxlen=assumptions.REPLAYED_EVENTS))
    connection: "Connection | None" = None
    left_at: float | None = None

    @property
    def is_live(self) -> bool:
        """True if it has a connection that got READY."""
        return self.connection is not None and self.sequence > 0

    def serves(self, guild_id: str | None) -> bool:
        """True if this shard gets a guild's events; events without a guild, as in DMs, go to shard 0."""
        number, count = self.shard
        return shard_of(guild_id, count) == number


class Gateway:
    """All sessions of the bot, and the endpoint for its connections."""

    def __init__(
        self,
        world: World,
        *,
        token: str,
        observers: list[Observer],
        heartbeat_interval: float,
        allowed: Intent,
        shards: Shards,
    ) -> None:
        self.world = world
        self.token = token
        self.heartbeat_interval = heartbeat_interval
        self.allowed = allowed
        """The privileged intents that are enabled for the application."""

        self.shards = shards
        self.identify_limit = IdentifyLimit(shards)
        self.trouble = Trouble()
        """The faults that a test plans."""

        self.sessions: dict[str, Session] = {}
        self.identifies = 0
        self.resumes = 0
        self.presence_listeners: list[Callable[[], None]] = []
        self._observers = observers
        self._connections: set[Connection] = set()
        world.listeners.append(self._hear)

    @property
    def bot_is_online(self) -> bool:
        """True if any session has a connection."""
        return any(session.connection is not None for session in self.sessions.values())

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        query = request.query
        connection = Connection(self, query.get("compress"), query.get("v"), query.get("encoding"))
        await connection.serve(request)
        return connection.socket

    def observe(self, direction: Direction, payload: JSON) -> None:
        """Pass a frame to the observers."""
        for observer in list(self._observers):
            observer(Frame(direction, payload))

    def is_live(self, shard: int) -> bool:
        """True if a session of that shard gets events now."""
        return any(session.shard[0] == shard and session.is_live for session in self.sessions.values())

    def is_online(self, shard: int) -> bool:
        """True if a session of that shard has a connection."""
        return any(
            session.shard[0] == shard and session.connection is not None for session in self.sessions.values()
        )

    async def cut(self, shard: int | None = None) -> None:
        """Drop connections without a close frame, as a network failure does; sessions can be resumed."""
        for connection in self._of(shard):
            await connection.abort()

    async def end(self, code: int, shard: int | None = None) -> None:
        """Close connections with a code after which their sessions cannot be resumed, e.g. 4004."""
        for connection in self._of(shard):
            if connection.session is not None:
                self.sessions.pop(connection.session.id, None)
            await connection.close(code)

    def release(self, shard: int) -> None:
        """Send READY to the connections of a shard that was held."""
        self.trouble.held.discard(shard)
        for connection in self._of(shard):
            if connection.session is not None and not connection.session.sequence:
                self.ready(connection.session)

    def _of(self, shard: int | None) -> "list[Connection]":
        """The connections of a shard, or all."""
        return [
            each
            for each in self._connections
            if shard is None or (each.session is not None and each.session.shard[0] == shard)
        ]

    async def reconnect(self) -> None:
        """Ask every client to reconnect and resume (op 7)."""
        for connection in list(self._connections):
            connection.send(Op.RECONNECT, None)

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid (op 9); it may identify on the same connection."""
        for connection in list(self._connections):
            if not resumable and connection.session is not None:
                self.sessions.pop(connection.session.id, None)
                connection.session = None
            connection.send(Op.INVALID_SESSION, resumable)
        self._tell_presence()

    async def close(self) -> None:
        """Close all connections with 1001 (going away)."""
        for connection in list(self._connections):
            await connection.close(1001)

    def attach(self, connection: "Connection", session: Session) -> None:
        """Bind a connection to a session."""
        session.connection, session.left_at = connection, None
        connection.session = session
        self._tell_presence()

    def enter(self, connection: "Connection") -> None:
        """Register a new connection."""
        self._connections.add(connection)

    def leave(self, connection: "Connection") -> None:
        """Remove a closed connection; its session stays resumable unless closed with 1000 or 1001."""
        self._connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection, session.left_at = None, self.world.clock.now()
            if connection.socket.close_code in (1000, 1001) and not connection.aborted:
                self.sessions.pop(session.id, None)
            self._tell_presence()

    def open_session(self, intents: Intent, shard: tuple[int, int]) -> Session:
        """Create a session after an IDENTIFY."""
        self._forget_lost_sessions()
        session = Session(f"{int(self.world.snowflakes.next()):032x}", intents, shard)
        self.sessions[session.id] = session
        self.identifies += 1
        return session

    def resumable(self, session_id: str) -> Session | None:
        """The session to resume, if it has not expired."""
        self._forget_lost_sessions()
        return self.sessions.get(session_id)

    def ready(self, session: Session) -> None:
        """Send READY, then GUILD_CREATE for each of the shard's guilds."""
        world = self.world
        here = [guild for guild in world.guilds_of_bot if session.serves(guild.id)]
        data: JSON = {
            "v": 10,
            "user": world.bot.payload() | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in here],
            "session_id": session.id,
            "shard": list(session.shard),
            "resume_gateway_url": gateway_url(world),
            "application": {"id": world.application_id, "flags": 0},
            "session_type": "normal",
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "user_settings": {},
            "_trace": [],
        }
        self.dispatch(session, "READY", data)
        if Intent.GUILDS in session.intents:
            for guild in here:
                # Without `unavailable`, discord.py would take it for a new guild (on_guild_join).
                self.dispatch(session, "GUILD_CREATE", world.guild_payload(guild) | {"unavailable": False})

    def dispatch(self, session: Session, name: str, data: JSON) -> None:
        """Send an event, twice if a test wants it, and keep it for a RESUME."""
        for _ in range(2 if name in self.trouble.doubled else 1):
            self._dispatch_once(session, name, data)

    def _dispatch_once(self, session: Session, name: str, data: JSON) -> None:
        session.sequence += 1
        # A deep copy, because objects in `data` may change before a replay.
        told = self.trouble.alter(name, data)
        frame = orjson.loads(orjson.dumps({"op": Op.DISPATCH, "t": name, "s": session.sequence, "d": told}))
        session.sent.append(frame)
        if session.connection is not None:
            session.connection.push(frame)

    def _hear(self, change: Change) -> None:
        for session in list(self.sessions.values()):
            data = self._seen_by_bot(session, change)
            if data is not None:
                self.dispatch(session, change.name, data)

    def _seen_by_bot(self, session: Session, change: Change) -> JSON | None:
        """The data of a change as dispatched to a session; None if it gets no event."""
        if change.name == "INTERACTION_CREATE":
            return change.data if self._is_asked(session, change) else None
        if self._is_elsewhere(change):
            return None
        if change.only_for is not None:
            is_heard = change.name in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and session.shard[0] == 0
            wanted = Intent.DIRECT_MESSAGES in session.intents and assumptions.EPHEMERALS_ARE_DIRECT_MESSAGES
            return change.data if is_heard and wanted else None
        guild_id = change.guild_id if change.channel is None else change.channel.guild_id
        if not session.serves(guild_id):
            return None
        guild = None if guild_id is None else self.world.guilds[guild_id]
        needed = self._intent_for(change)
        if needed is None or needed not in session.intents:
            return None
        if change.name == "GUILD_CREATE":
            return self.world.guild_payload(guild)
        channel = change.channel
        if channel is not None and change.name in _OF_CHANNELS:
            return self.world.channel_payload(channel)
        if channel is not None and not channel.deleted:
            if Permission.VIEW_CHANNEL not in self.world.permissions(self.world.bot, channel):
                return None
            if change.name in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and guild is not None:
                return self._guild_message(session, guild, change.data)
        return change.data

    def _is_asked(self, session: Session, change: Change) -> bool:
        """True if a session gets an interaction."""
        asked = change.data
        guild = self.world.guilds.get(asked.get("guild_id", ""))
        if guild is None or self.world.has_bot(guild):
            return session.serves(None if guild is None else guild.id)
        heard = USER_INSTALL in asked["authorizing_integration_owners"] or self.world.has_commands(guild)
        place = guild.id if assumptions.GUILDS_WITHOUT_THE_BOT_HAVE_A_SHARD else asked["id"]
        return (heard or assumptions.REMOVED_BOT_HEARS_OF_PRESSES) and session.serves(place)

    def _is_elsewhere(self, change: Change) -> bool:
        """True for a change in a place without the bot, of which only interactions reach it."""
        if change.channel is not None:
            return self.world.is_elsewhere(change.channel)
        guild = self.world.guilds.get(change.guild_id or "")
        return guild is not None and change.name != "GUILD_DELETE" and not self.world.has_bot(guild)

    def _intent_for(self, change: Change) -> Intent | None:
        private = change.channel is not None and change.channel.guild_id is None
        match change.name:
            case "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "MESSAGE_DELETE":
                return Intent.DIRECT_MESSAGES if private else Intent.GUILD_MESSAGES
            case "TYPING_START":
                return Intent.DIRECT_MESSAGE_TYPING if private else Intent.GUILD_MESSAGE_TYPING
            case "GUILD_MEMBER_ADD" | "GUILD_MEMBER_REMOVE" | "GUILD_MEMBER_UPDATE":
                return Intent.GUILD_MEMBERS
            case name if name.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
                # Opening a DM is not dispatched to bots.
                return None if private else Intent.GUILDS
            case _:
                return None

    def _guild_message(self, session: Session, guild: Guild, message: JSON) -> JSON:
        """A guild message as the bot receives it: without its content if the bot lacks MESSAGE_CONTENT.

        The bot's own messages and those that mention it come whole.
        """
        author, bot = message["author"]["id"], self.world.bot.id
        data = message | {"guild_id": guild.id}
        if (member := guild.members.get(author)) is not None:
            data["member"] = member.payload(with_user=False)
        addressed = author == bot or any(user["id"] == bot for user in message["mentions"])
        if Intent.MESSAGE_CONTENT in session.intents or addressed:
            return data
        return data | {"content": "", "embeds": [], "components": [], "attachments": []}

    def _forget_lost_sessions(self) -> None:
        oldest = self.world.clock.now() - assumptions.RESUME_WINDOW
        for session in list(self.sessions.values()):
            if session.left_at is not None and session.left_at < oldest:
                del self.sessions[session.id]

    def _tell_presence(self) -> None:
        for listener in list(self.presence_listeners):
            listener()


class Connection:
    """One WebSocket from the bot, from HELLO to its end."""

    def __init__(
        self, gateway: Gateway, compress: str | None, version: str | None, encoding: str | None
    ) -> None:
        self.socket = web.WebSocketResponse(max_msg_size=4096, heartbeat=None)
        self.session: Session | None = None
        self.aborted = False
        self._gateway = gateway
        self._pack = packer(compress)
        self._version = version
        self._encoding = encoding
        self._outgoing: asyncio.Queue[JSON] = asyncio.Queue()
        self._received: deque[float] = deque()
        self._request: web.Request | None = None

    async def serve(self, request: web.Request) -> None:
        """Send HELLO, then handle frames until the connection ends."""
        self._request = request
        await self.socket.prepare(request)
        self._gateway.enter(self)
        writer = asyncio.create_task(self._write())
        self.send(
            Op.HELLO, {"heartbeat_interval": int(self._gateway.heartbeat_interval * 1000), "_trace": []}
        )
        try:
            if self._version not in (None, "10"):
                await self.socket.close(code=Close.INVALID_API_VERSION)
            if self._encoding not in (None, "json"):
                await self.socket.close(code=Close.DECODE_ERROR, message=_JSON_ALONE)
            async for message in self.socket:
                if message.type in _FRAMES:
                    await self._receive(message.data)
        finally:
            writer.cancel()
            self._gateway.leave(self)

    def send(self, op: Op, data: object) -> None:
        """Queue a frame that is not an event."""
        self.push({"op": op, "d": data, "s": None, "t": None})

    def push(self, frame: JSON) -> None:
        """Queue a frame; frames leave in the order they were queued."""
        self._outgoing.put_nowait(frame)

    async def abort(self) -> None:
        """Drop the connection without a closing handshake."""
        self.aborted = True
        if self._request is not None and self._request.transport is not None:
            self._request.transport.abort()

    async def close(self, code: int) -> None:
        """End the connection with a code."""
        self.aborted = True
        await self.socket.close(code=code)

    async def _write(self) -> None:
        while True:
            frame = await self._outgoing.get()
            if self.socket.closed:
                return
            self._gateway.observe(Direction.TO_BOT, frame)
            packed = self._pack(orjson.dumps(frame).decode())
            try:
                if isinstance(packed, bytes):
                    await self.socket.send_bytes(packed)
                else:
                    await self.socket.send_str(packed)
            except ConnectionError:
                # The client has disconnected; the session keeps what it did not receive.
                return

    async def _receive(self, text: str | bytes) -> None:
        try:
            frame = json.loads(text)
            op, data = Op(frame["op"]), frame.get("d")
        except (ValueError, KeyError, TypeError) as error:
            is_opcode = type(error) is ValueError  # one of JSON or of its characters is a subclass
            await self.socket.close(code=Close.UNKNOWN_OPCODE if is_opcode else Close.DECODE_ERROR)
            return
        self._gateway.observe(Direction.FROM_BOT, frame)
        if self._sends_too_much():
            await self.socket.close(code=Close.RATE_LIMITED)
        elif op is Op.HEARTBEAT:
            # discord.py records when it sent a heartbeat only after sending it, so that an instant
            # acknowledgement would count for the heartbeat before. A real network is never that fast.
            await asyncio.sleep(assumptions.NETWORK_DELAY)
            self.send(Op.HEARTBEAT_ACK, None)
        elif op in {Op.IDENTIFY, Op.RESUME} and not isinstance(data, dict):
            await self.socket.close(code=Close.DECODE_ERROR)
        elif op is Op.IDENTIFY:
            await self._identify(data)
        elif op is Op.RESUME:
            await self._resume(data)
        elif self.session is None:
            await self.socket.close(code=Close.NOT_AUTHENTICATED)

    def _is_known(self, token: object) -> bool:
        """True for the bot's token, also with the prefix of the REST API's header, which Discord takes."""
        return isinstance(token, str) and token.removeprefix("Bot ") == self._gateway.token

    async def _identify(self, data: JSON) -> None:
        intents = data.get("intents")
        if self.session is not None:
            await self.socket.close(code=Close.ALREADY_AUTHENTICATED)
        elif not self._is_known(data.get("token")):
            await self.socket.close(code=Close.AUTHENTICATION_FAILED)
        elif not isinstance(intents, int) or not 0 <= intents <= KNOWN_INTENTS:
            await self.socket.close(code=Close.INVALID_INTENTS)
        elif Intent(intents) & PRIVILEGED & ~self._gateway.allowed:
            await self.socket.close(code=Close.DISALLOWED_INTENTS)
        elif (shard := _shard(data.get("shard"))) is None:
            await self.socket.close(code=Close.INVALID_SHARD)
        elif shard[1] < self._gateway.shards.count and assumptions.ALL_RECOMMENDED_SHARDS_ARE_REQUIRED:
            await self.socket.close(code=Close.SHARDING_REQUIRED)
        else:
            await self._begin(Intent(intents), shard)

    async def _begin(self, intents: Intent, shard: tuple[int, int]) -> None:
        """Open a session for an IDENTIFY without a fault, unless a test has planned otherwise."""
        gateway, number = self._gateway, shard[0]
        if (code := gateway.trouble.refusal(number)) is not None:
            await self.socket.close(code=code)
        elif number in gateway.trouble.barred:
            await self.abort()
        elif not gateway.identify_limit.take(number, asyncio.get_running_loop().time()):
            self.send(Op.INVALID_SESSION, NOT_RESUMABLE)
        else:
            session = gateway.open_session(intents, shard)
            gateway.attach(self, session)
            if number not in gateway.trouble.held:
                gateway.ready(session)

    async def _resume(self, data: JSON) -> None:
        if not self._is_known(data.get("token")):
            await self.socket.close(code=Close.AUTHENTICATION_FAILED)
            return
        session = self._gateway.resumable(str(data.get("session_id")))
        if session is not None and session.shard[0] in self._gateway.trouble.barred:
            await self.abort()
            return
        seen = data.get("seq")
        missed = [] if session is None else [frame for frame in session.sent if frame["s"] > (seen or 0)]
        if session is None or not isinstance(seen, int) or session.sequence - seen != len(missed):
            self.send(Op.INVALID_SESSION, NOT_RESUMABLE)
            return
        had = [frame for frame in session.sent if frame["s"] <= seen and frame["t"] not in _ABOUT_SESSIONS]
        again = had[-self._gateway.trouble.replayed :] if self._gateway.trouble.replayed else []
        for frame in [*again, *missed]:
            self.push(frame)
        self._gateway.resumes += 1
        self._gateway.attach(self, session)
        self._gateway.dispatch(session, "RESUMED", {"_trace": []})

    def _sends_too_much(self) -> bool:
        now = asyncio.get_running_loop().time()
        self._received.append(now)
        while self._received[0] < now - _SENDS_PERIOD:
            self._received.popleft()
        return len(self._received) > _SENDS


def gateway_url(world: World) -> str:
    """The WebSocket address for the bot."""
    return f"ws{world.url.removeprefix('http')}/gateway"


def _shard(given: object) -> tuple[int, int] | None:
    """The number of a shard and the count of shards; None if they are invalid."""
    match given:
        case None:
            return 0, 1
        case [int(number), int(count)] if 0 <= number < count:
            return number, count
        case _:
            return None
