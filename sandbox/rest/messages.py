"""Routes of messages in channels: get, create, edit, delete."""

from collections.abc import Sequence

from aiohttp import web

from sandbox import assumptions
from sandbox.answers.messages import compose, revise
from sandbox.errors import Form, Refusal
from sandbox.model.channels import Channel, ChannelType, Message
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.snowflakes import made_at
from sandbox.model.world import World
from sandbox.rate_limits import Window
from sandbox.rest.context import body, channel_of, files, message_of, parts, require, world
from sandbox.rest.responses import json_response, no_content
from sandbox.validation.messages import Upload

routes = web.RouteTableDef()


@routes.get("/channels/{channel_id}/messages")
async def list_messages(request: web.Request) -> web.Response:
    """Messages of a channel, newest first."""
    channel = channel_of(request, Permission.READ_MESSAGE_HISTORY)
    form = Form()
    wanted = request.query.get("limit", "50")
    limit = int(wanted) if wanted.isdecimal() else 0
    form.number(("limit",), limit, least=1, most=100)
    form.check()
    messages = [message for message in channel.messages.values() if not message.is_ephemeral]
    return json_response([message.payload() for message in _page(messages, dict(request.query), limit)])


@routes.get("/channels/{channel_id}/messages/pins")
async def list_pins(request: web.Request) -> web.Response:
    """The pinned messages; nobody pins any here."""
    channel_of(request)
    return json_response({"items": [], "has_more": False})


@routes.get("/channels/{channel_id}/messages/{message_id}")
async def get_message(request: web.Request) -> web.Response:
    """One message."""
    return json_response(message_of(request, channel_of(request, Permission.READ_MESSAGE_HISTORY)).payload())


@routes.post("/channels/{channel_id}/messages")
async def create_message(request: web.Request) -> web.Response:
    """Create a message; with `enforce_nonce`, a repeated nonce returns the first one."""
    channel, given, here = channel_of(request), body(request), world(request)
    _may_send(here, channel, given, files(request))
    if given.get("enforce_nonce") and (first := _with_nonce(here, channel, given.get("nonce"))) is not None:
        return json_response(first.payload())
    message = compose(here, channel, here.bot, given, files(request))
    if (replied := given.get("message_reference")) is not None:
        _refer(message, channel, replied)
    here.add_message(message)
    return json_response(message.payload())


@routes.patch("/channels/{channel_id}/messages/{message_id}")
async def update_message(request: web.Request) -> web.Response:
    """Edit a message of the bot."""
    channel, here = channel_of(request), world(request)
    message = message_of(request, channel)
    if message.author is not here.bot:
        raise Refusal.NOT_THE_AUTHOR.error()
    if channel.archived:
        raise Refusal.THREAD_ARCHIVED.error()
    if channel.locked:
        require(here.permissions(here.bot, channel), Permission.MANAGE_THREADS)
    if files(request) and not channel.is_dm:
        require(here.permissions(here.bot, channel), Permission.ATTACH_FILES)
    _not_too_old(request, message)
    revise(here, message, body(request), files(request))
    here.update_message(message)
    return json_response(message.payload())


@routes.delete("/channels/{channel_id}/messages/{message_id}")
async def delete_message(request: web.Request) -> web.Response:
    """Delete a message: the bot's own, or anybody's with Manage Messages."""
    channel, here = channel_of(request), world(request)
    message = message_of(request, channel)
    if message.author is not here.bot:
        require(here.permissions(here.bot, channel), Permission.MANAGE_MESSAGES)
    here.delete_message(message)
    return no_content()


@routes.post("/channels/{channel_id}/messages/bulk-delete")
async def bulk_delete_messages(request: web.Request) -> web.Response:
    """Delete two to a hundred messages at once."""
    channel, here = channel_of(request, Permission.MANAGE_MESSAGES), world(request)
    form = Form()
    ids = form.items(("messages",), body(request).get("messages"), least=2, most=100)
    form.check()
    for message_id in ids:
        message = channel.messages.get(str(message_id))
        if message is not None and not message.is_ephemeral:
            here.delete_message(message)
    return no_content()


def _page(messages: list[Message], query: dict[str, str], limit: int) -> list[Message]:
    """A page of messages before, after or around an id, newest first."""
    newest_first = messages[::-1]
    if (before := query.get("before")) is not None:
        return [message for message in newest_first if int(message.id) < int(before)][:limit]
    if (after := query.get("after")) is not None:
        return [message for message in messages if int(message.id) > int(after)][:limit][::-1]
    if (around := query.get("around")) is not None:
        newer = [message for message in newest_first if int(message.id) > int(around)][-(limit // 2) :]
        older = [message for message in newest_first if int(message.id) <= int(around)]
        return [*newer, *older][:limit]
    return newest_first[:limit]


def _may_send(here: World, channel: Channel, given: JSON, uploads: Sequence[Upload]) -> None:
    if channel.recipient is not None:
        if not here.meets_bot(channel.recipient):
            raise Refusal.NO_MUTUAL_GUILD.error()
        if not channel.recipient.dms_open:
            raise Refusal.DMS_CLOSED.error()
        return
    if channel.type is ChannelType.FORUM:
        raise Refusal.WRONG_CHANNEL_TYPE.error()
    held = here.permissions(here.bot, channel)
    require(held, Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES)
    if channel.locked:
        require(held, Permission.MANAGE_THREADS)
    if uploads:
        require(held, Permission.ATTACH_FILES)
    if given.get("embeds") or (
        uploads and given.get("components") and assumptions.V2_MEDIA_NEEDS_EMBED_LINKS
    ):
        require(held, Permission.EMBED_LINKS)


def _with_nonce(here: World, channel: Channel, nonce: object) -> Message | None:
    oldest = here.clock.now() - assumptions.NONCE_MEMORY
    for message in reversed(channel.messages.values()):
        if message.nonce is not None and str(message.nonce) == str(nonce) and made_at(message.id) > oldest:
            return message
    return None


def _refer(message: Message, channel: Channel, reference: JSON) -> None:
    referred = channel.messages.get(str(reference.get("message_id")))
    if referred is not None:
        message.type = 19
        message.reference = {"type": 0, "channel_id": channel.id, "message_id": referred.id}
        if channel.guild_id is not None:
            message.reference["guild_id"] = channel.guild_id
    elif reference.get("fail_if_not_exists", True):
        form = Form()
        form.fault(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        form.check()


def _not_too_old(request: web.Request, message: Message) -> None:
    """Raise 30046 if messages older than an hour are edited too often."""
    discord = parts(request)
    now = discord.world.clock.now()
    if now - made_at(message.id) < assumptions.OLD_MESSAGE_AGE:
        return
    window = discord.old_edit_windows.setdefault(message.channel.id, Window(discord.old_edits))
    if window.take(now) is not None:
        raise Refusal.TOO_MANY_OLD_EDITS.error(retry_after=assumptions.OLD_EDITS_RETRY_AFTER)
