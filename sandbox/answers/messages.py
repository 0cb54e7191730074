"""Creates a message from a request body, or applies the body of an edit to a message.

It validates the body, stores its files, parses its mentions, and resolves its components and embeds. The
routes check the sender's permissions.
"""

import re
from collections.abc import Sequence

from sandbox.answers.components import resolve
from sandbox.errors import Path
from sandbox.model.channels import Attachment, Channel, Message, MessageFlag
from sandbox.model.components import ComponentType
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.users import User
from sandbox.model.world import World
from sandbox.validation.messages import Upload, validate_message

_SETTABLE = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.IS_COMPONENTS_V2
_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")


def compose(
    world: World,
    channel: Channel,
    author: User,
    body: JSON,
    uploads: Sequence[Upload] = (),
    *,
    path: Path = (),
    kind: int = 0,
    only_for: str | None = None,
) -> Message:
    """A new message, not yet added to its channel."""
    validate_message(body, uploads, path=path)
    message = Message(
        world.snowflakes.next(), channel, author, type=kind, nonce=body.get("nonce"), only_for=only_for
    )
    if only_for is not None:
        message.flags |= MessageFlag.EPHEMERAL
    _write(world, message, body, uploads)
    return message


def revise(
    world: World, message: Message, body: JSON, uploads: Sequence[Upload] = (), *, path: Path = ()
) -> None:
    """Apply the body of an edit; fields that it does not have stay as they are."""
    validate_message(body, uploads, path=path, existing=message)
    message.flags &= ~MessageFlag.LOADING
    _write(world, message, body, uploads)


def _write(world: World, message: Message, body: JSON, uploads: Sequence[Upload]) -> None:
    if body.get("flags") is not None:
        wanted = MessageFlag(body["flags"]) & _SETTABLE
        message.flags = message.flags & ~MessageFlag.SUPPRESS_EMBEDS | wanted
    message.files = _files(world, message, body, uploads)
    if "content" in body:
        message.content = (body["content"] or "").strip()
    if "embeds" in body:
        message.embeds = [_embed(embed, message.files) for embed in body["embeds"] or []]
    if "components" in body:
        message.components = resolve(body["components"] or [], message.files)
    if "content" in body or "components" in body:
        _mention(world, message, body.get("allowed_mentions"))


def _files(world: World, message: Message, body: JSON, uploads: Sequence[Upload]) -> list[Attachment]:
    listed = body.get("attachments")
    described = {str(each["id"]): each for each in listed or []}
    kept = message.files if listed is None else [file for file in message.files if file.id in described]
    for file in kept:
        if "description" in described.get(file.id, {}):
            file.description = described[file.id]["description"]
    return [
        *kept,
        *(_store(world, message, upload, described.get(str(upload.index), {})) for upload in uploads),
    ]


def _store(world: World, message: Message, upload: Upload, described: JSON) -> Attachment:
    file = world.add_file(message.channel, described.get("filename") or upload.filename, upload.content)
    file.description, file.title = described.get("description"), described.get("title")
    return file


def _embed(embed: JSON, files: Sequence[Attachment]) -> JSON:
    resolved = {"type": "rich"} | {key: value for key, value in embed.items() if value is not None}
    resolved.pop("flags", None)
    by_name = {file.filename: file for file in files}
    for key in ("image", "thumbnail"):
        url = (resolved.get(key) or {}).get("url") or ""
        if (file := by_name.get(url.removeprefix("attachment://"))) is not None:
            width, height = file.size_in_pixels or (0, 0)
            resolved[key] = {"url": file.url, "proxy_url": file.url, "width": width, "height": height}
    for field in resolved.get("fields") or []:
        field.setdefault("inline", False)
    return resolved


def _mention(world: World, message: Message, allowed: JSON | None) -> None:
    """Set the message's mentions, as far as `allowed_mentions` and the author's permissions allow them."""
    texts = [message.content]
    texts += [
        each["content"] for each in message.every_component if each["type"] == ComponentType.TEXT_DISPLAY
    ]
    text = "\n".join(texts)
    kinds = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    listed = {str(each) for key in ("users", "roles") for each in (allowed or {}).get(key) or ()}
    users = dict.fromkeys(_USER.findall(text))
    roles, known = dict.fromkeys(_ROLE.findall(text)), world.guild_of(message.channel).roles
    message.mentions = [
        world.users[user] for user in users if user in world.users and ("users" in kinds or user in listed)
    ]
    message.mention_roles = [role for role in roles if role in known and ("roles" in kinds or role in listed)]
    everyone = "everyone" in kinds and ("@everyone" in text or "@here" in text)
    may = Permission.MENTION_EVERYONE in world.permissions(message.author, message.channel)
    message.mention_everyone = everyone and may
