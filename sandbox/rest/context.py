"""Helpers of all handlers: the sandbox's parts, the parsed request, lookups that raise Discord's errors."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from sandbox.answers.responses import Answers
from sandbox.errors import DiscordError, Form, Refusal
from sandbox.gateway.sessions import Gateway
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interactions
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import World
from sandbox.rate_limits import Buckets, Limit, Window
from sandbox.traffic import Observer
from sandbox.validation.messages import Upload


@dataclass(slots=True, kw_only=True)
class Discord:
    """The parts of the server that handlers use."""

    world: World
    interactions: Interactions
    answers: Answers
    gateway: Gateway
    buckets: Buckets
    dm_openings: Window
    """The rate limit of new DM channels."""

    old_edits: Limit
    """The rate limit of edits of messages older than an hour, for each channel."""

    observers: list[Observer]
    token: str
    refused_elsewhere: list[str]
    """Requests with the bot's token for places without the bot, all refused: method and path of each."""

    old_edit_windows: dict[str, Window] = field(default_factory=dict)
    commands_created: int = 0
    """The number of commands created since the sandbox started."""


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
    """Parse the body once and keep it: JSON, or a form with `payload_json`, of which multipart has files."""
    request[_BODY], request[_FILES] = None, ()
    try:
        if request.content_type == "multipart/form-data":
            await _read_multipart(request)
        elif request.content_type == "application/x-www-form-urlencoded":
            request[_BODY] = json.loads(str((await request.post()).get("payload_json", "null")))
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
    """The request's JSON object; an empty one if the body is not an object."""
    given = request.get(_BODY)
    return given if isinstance(given, dict) else {}


def raw_body(request: web.Request) -> Any:
    """The request's JSON of any type; None without a body."""
    return request.get(_BODY)


def files(request: web.Request) -> tuple[Upload, ...]:
    """The request's uploaded files."""
    uploads: tuple[Upload, ...] = request.get(_FILES, ())
    return uploads


def channel_of(request: web.Request, *needed: Permission) -> Channel:
    """The channel of the path; raises unless the bot can see it and has the `needed` permissions there."""
    here = world(request)
    channel = here.channel(request.match_info["channel_id"])
    if channel is None:
        raise Refusal.UNKNOWN_CHANNEL.error()
    if here.is_elsewhere(channel):
        raise elsewhere(request)
    held = here.permissions(here.bot, channel)
    if Permission.VIEW_CHANNEL not in held:
        raise Refusal.MISSING_ACCESS.error()
    require(held, *needed)
    return channel


def elsewhere(request: web.Request) -> DiscordError:
    """The refusal (50001) of a request for a place without the bot, which is counted."""
    path = request.path.removeprefix("/api/v10")
    parts(request).refused_elsewhere.append(f"{request.method} {path}")
    return Refusal.MISSING_ACCESS.error()


def require(held: Permission, *needed: Permission) -> None:
    """Raise 50013 unless every permission is held."""
    if any(permission not in held for permission in needed):
        raise Refusal.MISSING_PERMISSIONS.error()


def message_of(request: web.Request, channel: Channel) -> Message:
    """The message of the path; ephemeral ones cannot be reached by id."""
    message = channel.messages.get(request.match_info["message_id"])
    if message is None or message.is_ephemeral:
        raise Refusal.UNKNOWN_MESSAGE.error()
    return message


def own_application(request: web.Request) -> None:
    """Raise 10002 unless the path has the bot's own application."""
    if request.match_info["application_id"] != world(request).application_id:
        raise Refusal.UNKNOWN_APPLICATION.error()


ARCHIVE_DURATIONS = (60, 1440, 4320, 10080)
"""Valid auto-archive durations (minutes) of a thread."""


def archive_duration(form: Form, given: JSON) -> None:
    """Check the `auto_archive_duration` of a request."""
    if given.get("auto_archive_duration") not in (None, *ARCHIVE_DURATIONS):
        form.fault(
            ("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of {ARCHIVE_DURATIONS}."
        )


def invalid(field: str, code: str, message: str) -> DiscordError:
    """A 50035 with an error of one field."""
    errors = {field: {"_errors": [{"code": code, "message": message}]}}
    return DiscordError(status=400, code=50035, message="Invalid Form Body", errors=errors)
