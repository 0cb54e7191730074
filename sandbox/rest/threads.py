"""Routes that create and join threads."""

from aiohttp import web

from sandbox.errors import Form, Refusal
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.rest.context import body, channel_of, message_of, world
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()
_PUBLIC = 11
_DURATIONS = (60, 1440, 4320, 10080)


@routes.post("/channels/{channel_id}/threads")
async def create_thread(request: web.Request) -> web.Response:
    """Create a public thread without a starting message."""
    channel, given = channel_of(request, Permission.CREATE_PUBLIC_THREADS), body(request)
    _check(given)
    if channel.parent is not None or channel.is_dm or given.get("type") != _PUBLIC:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    here = world(request)
    thread = here.add_thread(channel, given["name"], here.bot)
    thread.auto_archive_duration = given.get("auto_archive_duration") or thread.auto_archive_duration
    return json_response(thread.payload(), status=201)


@routes.post("/channels/{channel_id}/messages/{message_id}/threads")
async def create_thread_from_message(request: web.Request) -> web.Response:
    """Create a public thread from a message; each message can have one."""
    channel, given = channel_of(request, Permission.CREATE_PUBLIC_THREADS), body(request)
    _check(given)
    message = message_of(request, channel)
    if channel.parent is not None or channel.is_dm:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    here = world(request)
    if message.id in here.guild.channels:
        raise Refusal.THREAD_EXISTS.error()
    thread = here.add_thread(channel, given["name"], here.bot, started_by=message)
    thread.auto_archive_duration = given.get("auto_archive_duration") or thread.auto_archive_duration
    return json_response(thread.payload(), status=201)


@routes.put("/channels/{channel_id}/thread-members/@me")
async def join_thread(request: web.Request) -> web.Response:
    """Join a thread. It changes nothing, because a public thread can be written to without joining."""
    if not channel_of(request).is_thread:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    return no_content()


def _check(given: JSON) -> None:
    form = Form()
    form.text(("name",), given.get("name"), least=1, most=100, needed=True)
    if given.get("auto_archive_duration") not in (None, *_DURATIONS):
        form.fault(("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of {_DURATIONS}.")
    form.check()
