"""The server side of the page: its files, the list of people, and one WebSocket for each open page.

A `Person` does everything that the page requests, so it can do no more than Discord's client. The scripts in
`sandbox/page` draw it.
"""

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from sandbox import assumptions
from sandbox.client.interaction_data import NotOfferedError
from sandbox.client.people import Person
from sandbox.gateway.sessions import Gateway
from sandbox.model.channels import Channel, Message
from sandbox.model.components import ComponentType
from sandbox.model.interactions import Interaction, State
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.users import User
from sandbox.model.world import Change, World

_STATES = {
    State.SENT: "sent",
    State.DEFERRED: "thinking",
    State.ACKNOWLEDGED: "done",
    State.FAILED: "failed",
}
_LARGEST_FRAME = 64 * 2**20
"""Bytes of a frame from the page, in which files of a form are in base64."""

_FORWARDED = {
    "MESSAGE_CREATE": "MESSAGE_CREATE",
    "MESSAGE_UPDATE": "MESSAGE_UPDATE",
    "MESSAGE_DELETE": "MESSAGE_DELETE",
    "CHANNEL_CREATE": "CHANNEL_CREATE",
    "CHANNEL_DELETE": "CHANNEL_DELETE",
    "THREAD_CREATE": "CHANNEL_CREATE",
    "THREAD_DELETE": "CHANNEL_DELETE",
    "TYPING_START": "TYPING",
}
_RESYNC = frozenset(
    {
        "CHANNEL_UPDATE",
        "THREAD_UPDATE",
        "GUILD_CREATE",
        "GUILD_UPDATE",
        "GUILD_DELETE",
        "GUILD_MEMBER_ADD",
        "GUILD_MEMBER_REMOVE",
        "GUILD_ROLE_UPDATE",
        "INSTALLS",
    }
)
"""Changes that affect everything a person can see, so that READY is sent again."""


class PageServer:
    """Serves the page's files, and keeps its sockets."""

    def __init__(self, world: World, gateway: Gateway, people: list[Person], files: Path) -> None:
        self._world = world
        self._gateway = gateway
        self._people = {person.id: person for person in people}
        self._files = files
        self._sockets: set[PageSocket] = set()
        gateway.presence_listeners.append(self._presence)

    def routes(self) -> list[web.RouteDef]:
        """The routes of the page."""
        return [
            web.get("/", self._index),
            web.get("/static/{path:.+}", self._static),
            web.get("/page/people", self._list_people),
            web.get("/page/socket", self._socket),
        ]

    async def close(self) -> None:
        """Close all sockets."""
        for socket in list(self._sockets):
            await socket.close()

    def overview(self) -> JSON:
        """The people, the bot and the guild, and how the page draws what no document says."""
        guild = self._world.guild
        return {
            "people": [_with_color(person.user) for person in self._people.values()],
            "bot": _with_color(self._world.bot),
            "guild": {"id": guild.id, "name": guild.name},
            "emoji_in_headings": "large" if assumptions.EMOJI_GROW_WITH_HEADINGS else "plain",
        }

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        return self._file("index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return self._file(request.match_info["path"])

    def _file(self, path: str) -> web.StreamResponse:
        file = (self._files / path).resolve()
        if not file.is_relative_to(self._files.resolve()) or not file.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(file, headers={"Cache-Control": "no-cache"})

    async def _list_people(self, _request: web.Request) -> web.Response:
        # The page sends this id whenever it connects: ephemeral messages from before its load are gone.
        return web.json_response(self.overview() | {"loaded_at": self._world.snowflakes.next()})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        person = self._people.get(request.query.get("user", ""))
        if person is None:
            raise web.HTTPNotFound
        loaded_at = request.query.get("loaded_at", "")
        socket = PageSocket(
            self._world,
            self._gateway,
            person,
            self._people,
            self.overview,
            loaded_at=loaded_at if loaded_at.isdecimal() else "0",
        )
        self._sockets.add(socket)
        try:
            await socket.serve(request)
        finally:
            self._sockets.discard(socket)
        return socket.socket

    def _presence(self) -> None:
        for socket in self._sockets:
            socket.send("PRESENCE", {"bot_online": self._gateway.bot_is_online})


class PageSocket:
    """The connection of one open page, which shows Discord as one person sees it."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        person: Person,
        people: Mapping[str, Person],
        overview: Callable[[], JSON],
        *,
        loaded_at: str,
    ) -> None:
        """`loaded_at` is the snowflake of the page's load: ephemeral messages from before are gone."""
        self.socket = web.WebSocketResponse(heartbeat=30.0, max_msg_size=_LARGEST_FRAME)
        self._world = world
        self._gateway = gateway
        self._person = person
        self._people = people
        self._overview = overview
        self._loaded_at = loaded_at
        self._outgoing: asyncio.Queue[JSON] = asyncio.Queue()
        self._pending: dict[str, tuple[str, Interaction]] = {}
        """The interactions of this page by id, each with the nonce that the page gave it."""

    async def serve(self, request: web.Request) -> None:
        """Send READY with the whole state, then changes; carry out requests until the page disconnects."""
        await self.socket.prepare(request)
        writer = asyncio.create_task(self._write())
        self._world.listeners.append(self._hear)
        self.send("READY", self._ready())
        try:
            async for message in self.socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._receive(json.loads(message.data))
        finally:
            self._world.listeners.remove(self._hear)
            writer.cancel()

    def send(self, name: str, data: JSON | list[JSON]) -> None:
        """Queue a frame for the page."""
        # A deep copy, because messages may change while the frame is queued.
        self._outgoing.put_nowait(json.loads(json.dumps({"t": name, "d": data})))

    async def close(self) -> None:
        """Close the socket."""
        await self.socket.close(code=1001)

    async def _write(self) -> None:
        while True:
            frame = await self._outgoing.get()
            if self.socket.closed:
                return
            try:
                await self.socket.send_json(frame)
            except ConnectionError:
                # The page has disconnected, which the reader notices.
                return

    def _ready(self) -> JSON:
        person = self._person
        dms = [*([] if person.dm is None else [person.dm]), *person.between_people]
        seen = [*person.channels, *dms]
        return self._overview() | {
            "me": _with_color(person.user),
            "bot_online": self._gateway.bot_is_online,
            "channels": [channel.payload() for channel in person.channels],
            "dms": [channel.payload() for channel in dms],
            "messages": {
                channel.id: [message.payload() for message in person.seen_since(self._loaded_at, channel)]
                for channel in seen
            },
            "commands": self._commands(),
            "dms_open": person.user.dms_open,
            "app": {
                "in_server": self._world.has_commands(self._world.guild),
                "is_mine": person.has_app,
                "is_for_people": self._world.has_user_install,
            },
            "permissions": {channel.id: str(int(person.permissions(channel))) for channel in seen},
        }

    def _commands(self) -> list[JSON]:
        return [*self._world.commands.values(), *self._world.guild.commands.values()]

    def _hear(self, change: Change) -> None:
        if change.only_for not in (None, self._person.id):
            return
        if change.name in _RESYNC:
            self.send("READY", self._ready())
        elif change.name == "COMMANDS":
            self.send("COMMANDS", self._commands())
        elif change.name == "NOTIFICATION":
            if change.channel is None or self._is_shown(change.channel):
                self.send("NOTIFICATION", change.data)
        elif change.name in ("INTERACTION", "CHOICES", "MODAL"):
            self._hear_answer(change)
        elif change.name in _FORWARDED and (change.channel is None or self._is_in_sight(change.channel)):
            self.send(_FORWARDED[change.name], change.data)

    def _is_in_sight(self, channel: Channel) -> bool:
        return self._is_shown(channel) and (
            channel.deleted or Permission.VIEW_CHANNEL in self._person.permissions(channel)
        )

    def _is_shown(self, channel: Channel) -> bool:
        """True if the page shows the channel: it has direct messages and one guild."""
        return channel.guild_id in (None, self._world.guild.id)

    def _hear_answer(self, change: Change) -> None:
        if (pending := self._pending.get(change.data["id"])) is None:
            return
        nonce, interaction = pending
        if change.name == "CHOICES":
            self.send("CHOICES", {"nonce": nonce, "choices": interaction.choices or []})
        elif change.name == "MODAL" and (modal := interaction.modal) is not None:
            shown = {"custom_id": modal.custom_id, "title": modal.title, "components": modal.components}
            self.send("MODAL", {"nonce": nonce, "id": interaction.id} | shown)
        elif change.name == "INTERACTION":
            self._tell_state(nonce, interaction)

    def _tell_state(self, nonce: str, interaction: Interaction) -> None:
        data: JSON = {"nonce": nonce, "id": interaction.id, "state": _STATES[interaction.state]}
        if interaction.message is not None:
            data["message_id"] = interaction.message.id
        if "custom_id" in interaction.data:
            data["custom_id"] = interaction.data["custom_id"]
        self.send("INTERACTION", data)

    def _receive(self, frame: JSON) -> None:
        handlers: dict[str, Callable[[JSON], Interaction | None]] = {
            "send": self._say,
            "command": self._command,
            "user_command": self._user_command,
            "autocomplete": self._autocomplete,
            "component": self._component,
            "modal": self._modal,
            "dismiss": self._dismiss,
            "open_dm": self._open_dm,
            "open_group": self._open_group,
            "app": self._app,
            "dms": self._dms,
            "language": self._language,
            "sync": self._sync,
        }
        nonce = str(frame.get("nonce", ""))
        try:
            if (handler := handlers.get(str(frame.get("op")))) is None:
                raise NotOfferedError(f"there is no {frame.get('op')!r} to do")  # noqa: TRY301 - answered below like any other
            interaction = handler(frame)
        except NotOfferedError as refusal:
            self.send("REFUSED", {"nonce": nonce, "message": str(refusal)})
            return
        if interaction is not None:
            self._pending[interaction.id] = (nonce, interaction)
            self._tell_state(nonce, interaction)

    def _say(self, frame: JSON) -> None:
        self._person.say(self._channel(frame), str(frame.get("content", "")))

    def _command(self, frame: JSON) -> Interaction:
        name, options = self._spelled(frame)
        given = {option["name"]: option["value"] for option in options}
        return self._person.command(self._channel(frame), name, **given)

    def _user_command(self, frame: JSON) -> Interaction:
        name, _ = self._spelled(frame)
        target = self._world.users.get(str(frame.get("user_id")))
        if target is None:
            raise NotOfferedError("that person is not there")
        return self._person.command_on_user(name, target, self._channel(frame))

    def _autocomplete(self, frame: JSON) -> Interaction:
        name, options = self._spelled(frame)
        others = {option["name"]: option["value"] for option in options if not option.get("focused")}
        focused = next((option for option in options if option.get("focused")), None)
        if focused is None:
            raise NotOfferedError("no option is being typed")
        typed = str(focused.get("value") or "")
        channel = self._channel(frame)
        return self._person.complete_with(channel, name, option=focused["name"], typed=typed, others=others)

    def _component(self, frame: JSON) -> Interaction:
        message, custom_id = self._message(frame), str(frame.get("custom_id"))
        if frame.get("component_type") == 2:
            return self._person.press(message, custom_id)
        return self._person.choose(message, custom_id, frame.get("values") or [])

    def _modal(self, frame: JSON) -> Interaction:
        pending = self._pending.get(str(frame.get("id")))
        if pending is None or (modal := pending[1].modal) is None:
            raise NotOfferedError("this modal is not open")
        return self._person.submit(modal, dict(_filled_in(frame.get("components") or [])))

    def _dismiss(self, frame: JSON) -> None:
        self._person.dismiss(self._message(frame))

    def _open_dm(self, frame: JSON) -> None:
        known = {each.id for each in (self._person.dm, *self._person.between_people) if each is not None}
        if frame.get("user_id") == self._world.bot.id:
            channel = self._person.open_dm()
        else:
            channel = self._person.open_dm_with(self._somebody(frame.get("user_id")))
        if channel.id in known:
            self.send("CHANNEL_CREATE", channel.payload())

    def _open_group(self, frame: JSON) -> None:
        self._person.open_group(*(self._somebody(each) for each in frame.get("user_ids") or ()))

    def _app(self, frame: JSON) -> None:
        if frame.get("is_mine"):
            self._person.install_app()
        else:
            self._person.uninstall_app()

    def _somebody(self, user_id: object) -> Person:
        if (person := self._people.get(str(user_id))) is None:
            raise NotOfferedError("that person is not there")
        return person

    def _dms(self, frame: JSON) -> None:
        if frame.get("open"):
            self._person.open_dms()
        else:
            self._person.close_dms()

    def _language(self, frame: JSON) -> None:
        self._person.choose_language(str(frame.get("locale")))
        self.send("READY", self._ready())

    def _sync(self, _frame: JSON) -> None:
        self.send("READY", self._ready())

    def _channel(self, frame: JSON) -> Channel:
        channel = self._world.channel(str(frame.get("channel_id")))
        if channel is None or not self._is_in_sight(channel):
            raise NotOfferedError("that channel is not there")
        return channel

    def _message(self, frame: JSON) -> Message:
        message = self._channel(frame).messages.get(str(frame.get("message_id")))
        if message is None or not self._person.can_see(message):
            raise NotOfferedError("that message is not there any more")
        return message

    def _spelled(self, frame: JSON) -> tuple[str, list[JSON]]:
        """A command's full name, and the options of its sub-command."""
        command = next(
            (each for each in self._commands() if each["id"] == str(frame.get("command_id"))), None
        )
        if command is None:
            raise NotOfferedError("that command is not there any more")
        names, options = [command["name"]], list(frame.get("options") or [])
        while options and options[0]["type"] in (1, 2):
            names.append(options[0]["name"])
            options = list(options[0].get("options") or [])
        return " ".join(names), options


def _with_color(user: User) -> JSON:
    return user.payload() | {"color": user.color, "locale": user.locale}


def _filled_in(components: list[JSON]) -> list[tuple[str, Any]]:
    """The values of a submitted modal's fields by custom_id, at any depth."""
    found: list[tuple[str, Any]] = []
    for component in components:
        if "custom_id" in component:
            value = component.get("values", component.get("value"))
            if component.get("type") == ComponentType.FILE_UPLOAD:
                value = {str(each["name"]): b64decode(each["content"]) for each in component["files"]}
            found.append((component["custom_id"], value))
        found += _filled_in(component.get("components") or [])
        if isinstance(inner := component.get("component"), dict):
            found += _filled_in([inner])
    return found
