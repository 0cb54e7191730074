"""Routes of channels: get, modify, delete, and the typing indicator."""

from aiohttp import web

from sandbox.errors import Form, Refusal
from sandbox.model.channels import Channel
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import Change
from sandbox.rest.context import archive_duration, body, channel_of, require, world
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()


@routes.get("/channels/{channel_id}")
async def get_channel(request: web.Request) -> web.Response:
    """A channel, a thread or a DM."""
    return json_response(channel_of(request).payload())


@routes.patch("/channels/{channel_id}")
async def update_channel(request: web.Request) -> web.Response:
    """Rename a channel, change its topic, or archive, unarchive or lock a thread."""
    channel, given, here = channel_of(request), body(request), world(request)
    if channel.is_dm:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    held = here.permissions(here.bot, channel)
    reopens = channel.is_thread and not channel.locked and given == {"archived": False}
    owns = channel.is_thread and channel.owner_id == here.bot.id and "locked" not in given
    if reopens:
        require(held, Permission.SEND_MESSAGES_IN_THREADS)
    elif not owns:
        require(held, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    form = Form()
    form.text(("name",), given.get("name"), least=1, most=100)
    form.text(("topic",), given.get("topic"), most=1024)
    archive_duration(form, given)
    form.check()
    if channel.is_thread:
        _update_thread(channel, given, here.clock.now())
    channel.name = given.get("name") or channel.name
    channel.topic = given.get("topic", channel.topic)
    here.update_channel(channel)
    return json_response(channel.payload())


@routes.delete("/channels/{channel_id}")
async def delete_channel(request: web.Request) -> web.Response:
    """Delete a channel or thread; a DM is only closed, and can be opened again."""
    channel, here = channel_of(request), world(request)
    if channel.is_dm:
        return json_response(channel.payload())
    require(
        here.permissions(here.bot, channel),
        Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS,
    )
    here.delete_channel(channel)
    return json_response(channel.payload())


@routes.post("/channels/{channel_id}/typing")
async def trigger_typing(request: web.Request) -> web.Response:
    """Show the typing indicator; Discord's client hides it after ten seconds."""
    channel, here = channel_of(request), world(request)
    if not channel.is_dm:
        require(here.permissions(here.bot, channel), Permission.SEND_MESSAGES)
    data = {"channel_id": channel.id, "user_id": here.bot.id, "timestamp": int(here.clock.now())}
    here.announce(Change("TYPING_START", data, channel))
    return no_content()


def _update_thread(thread: Channel, given: JSON, now: float) -> None:
    """Apply an edit of a thread; raises 50083 if it is archived and stays so."""
    archived, locked = given.get("archived"), given.get("locked")
    if thread.archived and archived is not False:
        raise Refusal.THREAD_ARCHIVED.error()
    if (minutes := given.get("auto_archive_duration")) is not None:
        thread.auto_archive_duration, thread.active_at = minutes, now
    if thread.archived:
        thread.active_at = now
    if isinstance(archived, bool):
        thread.archived = archived
    if isinstance(locked, bool):
        thread.locked = locked
