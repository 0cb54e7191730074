"""Validation of a message: text, embeds, files, allowed mentions, and what Components V2 excludes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox import assumptions
from sandbox.errors import Form, Path, Refusal
from sandbox.model.channels import Message, MessageFlag
from sandbox.model.json_types import JSON
from sandbox.validation.components import Judge
from sandbox.validation.shapes import check_shape

MOST_CONTENT = 2000
"""Characters of a message's content. The OpenAPI schema says 4,000, the documentation 2,000 for bots."""

LARGEST_FILE = 10 * 1024 * 1024
"""The largest size of each uploaded file, in bytes."""

_EMBED_TEXTS = (("title", 256), ("description", 4096))
_MOST_EMBED_TEXT = 6000
_MENTION_KINDS = {"everyone", "users", "roles"}


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file of a request: the `n` of its `files[n]`, its name and its bytes."""

    index: int
    filename: str
    content: bytes


def validate_message(
    body: JSON, uploads: Sequence[Upload], *, path: Path = (), existing: Message | None = None
) -> None:
    """Validate a new message, or an edit of `existing`; raises Discord's error."""
    form = Form()
    check_shape(form, path, body)
    if any(len(upload.content) > LARGEST_FILE for upload in uploads):
        raise Refusal.TOO_LARGE.error()
    flags = MessageFlag(body.get("flags") or 0)
    v2 = MessageFlag.IS_COMPONENTS_V2 in flags or (existing is not None and existing.is_v2)
    form.text((*path, "content"), body.get("content"), most=MOST_CONTENT)
    if v2:
        _no_legacy_fields(form, path, body, existing)
    filenames = _filenames(form, path, body, uploads, existing)
    if existing is not None and not assumptions.DROPPED_FILES_MAY_STAY_IN_SIGHT:
        _nothing_shown_is_dropped(form, path, body, existing)
    if body.get("components") is not None:
        Judge(form, filenames).message((*path, "components"), body["components"], v2=v2)
    _embeds(form, (*path, "embeds"), body.get("embeds"), filenames)
    _allowed_mentions(form, (*path, "allowed_mentions"), body.get("allowed_mentions"))
    if isinstance(nonce := body.get("nonce"), str):
        form.text((*path, "nonce"), nonce, most=25)
    form.check()
    if _is_empty(body, uploads, existing):
        raise Refusal.EMPTY_MESSAGE.error()


def _no_legacy_fields(form: Form, path: Path, body: JSON, existing: Message | None) -> None:
    legacy: JSON = {"content": existing.content, "embeds": existing.embeds} if existing is not None else {}
    legacy |= {key: body[key] for key in ("content", "embeds", "poll", "sticker_ids") if key in body}
    for key, value in legacy.items():
        if value:
            form.fault(
                (*path, key),
                assumptions.LEGACY_FIELDS_WITH_V2,
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _filenames(
    form: Form, path: Path, body: JSON, uploads: Sequence[Upload], existing: Message | None
) -> set[str]:
    """Validate the list of attachments; returns the file names that `attachment://` may refer to."""
    kept = {file.id: file.filename for file in existing.files} if existing is not None else {}
    uploaded = {str(upload.index): upload.filename for upload in uploads}
    names = set(uploaded.values())
    if len(uploads) > 10:
        form.fault((*path, "attachments"), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    listed = body.get("attachments")
    if listed is None:
        return names | set(kept.values()) if assumptions.RETAINED_ATTACHMENTS_CAN_BE_REFERENCED else names
    for index, attachment in enumerate(form.objects((*path, "attachments"), listed, most=10)):
        at = (*path, "attachments", index)
        form.text((*at, "description"), attachment.get("description"), most=1024)
        key = str(attachment.get("id"))
        if key in uploaded:
            names.add(attachment.get("filename") or uploaded[key])
        elif key in kept:
            names.add(kept[key])
        else:
            form.fault((*at, "id"), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
    return names


def _nothing_shown_is_dropped(form: Form, path: Path, body: JSON, existing: Message) -> None:
    """Record an error for files that an edit drops while components that it leaves out show them."""
    if body.get("attachments") is None or "components" in body:
        return
    kept = {str(attachment.get("id")) for attachment in body["attachments"] if isinstance(attachment, dict)}
    for file in existing.files:
        if file.id not in kept and file not in existing.attachments:
            form.fault(
                (*path, "components"),
                assumptions.ATTACHMENT_NOT_FOUND,
                f"The referenced attachment was not found: attachment://{file.filename}",
            )


def _embeds(form: Form, path: Path, value: object, filenames: set[str]) -> None:
    total = 0
    for index, embed in enumerate(form.objects(path, value, most=10)):
        at = (*path, index)
        for key, most in _EMBED_TEXTS:
            form.text((*at, key), embed.get(key), most=most)
        fields = form.objects((*at, "fields"), embed.get("fields"), most=25)
        for number, each in enumerate(fields):
            form.text((*at, "fields", number, "name"), each.get("name"), least=1, most=256, needed=True)
            form.text((*at, "fields", number, "value"), each.get("value"), least=1, most=1024, needed=True)
        footer, author = embed.get("footer") or {}, embed.get("author") or {}
        form.text((*at, "footer", "text"), footer.get("text"), most=2048)
        form.text((*at, "author", "name"), author.get("name"), most=256)
        form.number((*at, "color"), embed.get("color"), least=0, most=0xFFFFFF)
        for key in ("image", "thumbnail"):
            url = (embed.get(key) or {}).get("url") or ""
            name = url.removeprefix("attachment://")
            if name != url and name not in filenames:
                form.fault(
                    (*at, key, "url"),
                    assumptions.ATTACHMENT_NOT_FOUND,
                    "The referenced attachment was not found",
                )
        texts = [embed.get("title"), embed.get("description"), footer.get("text"), author.get("name")]
        texts += [each.get(key) for each in fields for key in ("name", "value")]
        total += sum(len(text) for text in texts if isinstance(text, str))
    if total > _MOST_EMBED_TEXT:
        form.fault(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {_MOST_EMBED_TEXT}")


def _allowed_mentions(form: Form, path: Path, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        form.fault(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return
    kinds = set(form.items((*path, "parse"), value.get("parse"), most=3))
    for kind in kinds - _MENTION_KINDS:
        form.fault(
            (*path, "parse"), "BASE_TYPE_CHOICES", f"Value {kind!r} must be one of everyone, users, roles."
        )
    for key in ("users", "roles"):
        listed = form.items((*path, key), value.get(key), most=100)
        if listed and key in kinds:
            form.fault(
                path,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
            )
        for index, snowflake in enumerate(listed):
            if not re.fullmatch(r"\d{1,20}", str(snowflake)):
                form.fault(
                    (*path, key, index), "NUMBER_TYPE_COERCE", f'Value "{snowflake}" is not snowflake.'
                )


def _is_empty(body: JSON, uploads: Sequence[Upload], existing: Message | None) -> bool:
    if uploads or body.get("sticker_ids") or body.get("poll"):
        return False
    before: JSON = {}
    if existing is not None:
        before = {"content": existing.content, "embeds": existing.embeds, "components": existing.components}
        before["attachments"] = [file.id for file in existing.files]
    after = before | {
        key: body[key] for key in ("content", "embeds", "components", "attachments") if key in body
    }
    return not any(after.values())
