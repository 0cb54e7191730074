"""What a handler works with: the sandbox's parts, the parsed request, and looking things up or refusing."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from sandbox.answers.callbacks import Answers
from sandbox.errors import DiscordError, Refusal
from sandbox.gateway.sessions import Gateway
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interactions
from sandbox.model.jsons import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import World
from sandbox.observing import Observer
from sandbox.rate_limits import Buckets, Limit, Window
from sandbox.validation.messages import Upload


@dataclass(slots=True, kw_only=True)
class Discord:
    """The parts that make up the server, as handlers need them."""

    world: World
    interactions: Interactions
    answers: Answers
    gateway: Gateway
    buckets: Buckets
    dm_openings: Window
    """Counts newly opened DM channels."""

    old_edits: Limit
    """How often messages older than an hour may be edited, in each channel."""

    observers: list[Observer]
    token: str
    old_edit_windows: dict[str, Window] = field(default_factory=dict)
    commands_created: int = 0
    """How many commands were new since the sandbox began."""


DISCORD = web.AppKey("discord", Discord)
_BODY = web.RequestKey("body", object)
_FILES = web.RequestKey("files", tuple)
_FILE_FIELD = re.compile(r"files\[(\d+)\]")


def parts(request: web.Request) -> Discord:
    """The server's parts."""
    return request.app[DISCORD]


def world(request: web.Request) -> World:
    """The world."""
    return parts(request).world


async def read(request: web.Request) -> None:
    """Parse the body once: JSON, or multipart with its `payload_json` and files."""
    request[_BODY], request[_FILES] = None, ()
    try:
        if request.content_type == "multipart/form-data":
            await _read_multipart(request)
        elif request.can_read_body and request.content_type == "application/json":
            request[_BODY] = json.loads(await request.text() or "null")
    except ValueError as error:
        raise Refusal.INVALID_JSON.error() from error


async def _read_multipart(request: web.Request) -> None:
    uploads = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            request[_BODY] = json.loads(await part.text())
        elif (field := _FILE_FIELD.fullmatch(part.name or "")) is not None:
            content = bytes(await part.read())
            uploads.append(Upload(int(field[1]), part.filename or "file", content))
    request[_FILES] = tuple(uploads)


def body(request: web.Request) -> JSON:
    """The request's JSON object; an empty one if there was none."""
    given = request.get(_BODY)
    return given if isinstance(given, dict) else {}


def raw_body(request: web.Request) -> Any:
    """The request's JSON, whatever it is."""
    return request.get(_BODY)


def files(request: web.Request) -> tuple[Upload, ...]:
    """The request's uploaded files."""
    uploads: tuple[Upload, ...] = request.get(_FILES, ())
    return uploads


def channel_of(request: web.Request, *needed: Permission) -> Channel:
    """The channel of the path, if the bot sees it and holds the `needed` permissions there."""
    here = world(request)
    channel = here.channel(request.match_info["channel_id"])
    if channel is None:
        raise Refusal.UNKNOWN_CHANNEL.error()
    held = here.permissions(here.bot, channel)
    if Permission.VIEW_CHANNEL not in held:
        raise Refusal.MISSING_ACCESS.error()
    require(held, *needed)
    return channel


def require(held: Permission, *needed: Permission) -> None:
    """Refuse unless every permission is held."""
    if any(permission not in held for permission in needed):
        raise Refusal.MISSING_PERMISSIONS.error()


def message_of(request: web.Request, channel: Channel) -> Message:
    """The message of the path; ephemeral ones cannot be found like this."""
    message = channel.messages.get(request.match_info["message_id"])
    if message is None or message.is_ephemeral:
        raise Refusal.UNKNOWN_MESSAGE.error()
    return message


def own_application(request: web.Request) -> None:
    """Refuse unless the path names the bot's own application."""
    if request.match_info["application_id"] != world(request).application_id:
        raise Refusal.UNKNOWN_APPLICATION.error()


def invalid(field: str, code: str, message: str) -> DiscordError:
    """A 50035 about one field."""
    errors = {field: {"_errors": [{"code": code, "message": message}]}}
    return DiscordError(status=400, code=50035, message="Invalid Form Body", errors=errors)
