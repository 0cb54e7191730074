"""Routes that create and join threads."""

from aiohttp import web

from sandbox.errors import Form, Refusal
from sandbox.model.channels import Channel, ChannelType
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.rest.context import archive_duration, body, channel_of, message_of, require, world
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()
_PUBLIC, _PRIVATE = ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD


@routes.post("/channels/{channel_id}/threads")
async def create_thread(request: web.Request) -> web.Response:
    """Create a thread without a starting message."""
    given = body(request)
    is_private = given.get("type") == _PRIVATE
    channel = channel_of(
        request, Permission.CREATE_PRIVATE_THREADS if is_private else Permission.CREATE_PUBLIC_THREADS
    )
    _check(given)
    if channel.type is not ChannelType.TEXT or given.get("type") not in (_PUBLIC, _PRIVATE):
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    here = world(request)
    minutes = given.get("auto_archive_duration")
    thread = here.add_thread(channel, given["name"], here.bot, minutes=minutes, is_private=is_private)
    return json_response(thread.payload(), status=201)


@routes.post("/channels/{channel_id}/messages/{message_id}/threads")
async def create_thread_from_message(request: web.Request) -> web.Response:
    """Create a public thread from a message; each message can have one."""
    channel, given = channel_of(request, Permission.CREATE_PUBLIC_THREADS), body(request)
    _check(given)
    message = message_of(request, channel)
    if channel.type not in (ChannelType.TEXT, ChannelType.ANNOUNCEMENT):
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    here = world(request)
    if message.id in here.guild_of(channel).channels:
        raise Refusal.THREAD_EXISTS.error()
    minutes = given.get("auto_archive_duration")
    thread = here.add_thread(channel, given["name"], here.bot, started_by=message, minutes=minutes)
    return json_response(thread.payload(), status=201)


@routes.put("/channels/{channel_id}/thread-members/@me")
async def join_thread(request: web.Request) -> web.Response:
    """Join a thread; writing to a public one needs no joining."""
    thread, here = _active_thread(request), world(request)
    here.add_to_thread(thread, here.bot)
    return no_content()


@routes.put("/channels/{channel_id}/thread-members/{user_id}")
async def add_to_thread(request: web.Request) -> web.Response:
    """Add a member to a thread, which needs the permission to write there."""
    thread, here = _active_thread(request), world(request)
    require(here.permissions(here.bot, thread), Permission.SEND_MESSAGES_IN_THREADS)
    if request.match_info["user_id"] not in here.guild_of(thread).members:
        raise Refusal.UNKNOWN_MEMBER.error()
    here.add_to_thread(thread, here.users[request.match_info["user_id"]])
    return no_content()


def _active_thread(request: web.Request) -> Channel:
    """The thread of the path; raises 50083 if it is archived."""
    thread = channel_of(request)
    if not thread.is_thread:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    if thread.archived:
        raise Refusal.THREAD_ARCHIVED.error()
    return thread


def _check(given: JSON) -> None:
    form = Form()
    form.text(("name",), given.get("name"), least=1, most=100, needed=True)
    archive_duration(form, given)
    form.check()
