"""The types of a body's fields by name, wherever they stand; checked before rules look at values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandbox.errors import Form, Path

_TEXTS = frozenset(
    {"content", "title", "description", "url", "label", "custom_id", "placeholder", "name", "value", "text"}
    | {"filename", "icon_url", "proxy_url"}
)
_NUMBERS = frozenset(
    {"flags", "type", "style", "color", "accent_color", "spacing", "min_values", "max_values"}
)
_TRUTHS = frozenset({"tts", "divider", "disabled", "inline", "default", "animated", "spoiler", "required"})
_OBJECTS = frozenset(
    {"allowed_mentions", "footer", "author", "image", "thumbnail", "media", "file", "emoji", "accessory"}
    | {"component", "poll", "message_reference"}
)
_LISTS_OF_OBJECTS = frozenset({"components", "embeds", "options", "items", "fields", "attachments"})
_LISTS_OF_IDS = frozenset({"parse", "users", "roles", "sticker_ids"})
_IDS = frozenset({"id", "message_id", "channel_id", "guild_id"})
_ID = re.compile(r"\d{1,20}")

_LARGEST_NUMBER = 2**31 - 1


def check_shape(form: Form, path: Path, value: object) -> None:
    """Record an error for each field of the wrong type, and raise them; null stands for a missing field."""
    for at, key, given in _fields(path, value):
        if given is not None:
            _check(form, at, key, given)
    form.check()


def _fields(path: Path, value: object) -> Iterator[tuple[Path, str, object]]:
    """Every field of the body, with its path and its name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key, inner
            yield from _fields((*path, key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _fields((*path, index), inner)


def _check(form: Form, at: Path, key: str, given: object) -> None:
    is_text = key in _TEXTS or (key == "type" and "embeds" in at)  # "rich"
    if is_text and not isinstance(given, str):
        form.fault(at, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
    elif key in _NUMBERS and not is_text:
        form.number(at, given, least=0, most=_LARGEST_NUMBER)
    elif key in _TRUTHS and not isinstance(given, bool):
        form.fault(at, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
    elif key in _OBJECTS and not isinstance(given, dict):
        form.fault(at, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
    elif key in _IDS and not _is_id(given):
        form.fault(at, "NUMBER_TYPE_COERCE", f'Value "{given}" is not snowflake.')
    elif key == "nonce" and (isinstance(given, bool) or not isinstance(given, str | int)):
        form.fault(at, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
    elif key in _LISTS_OF_OBJECTS:
        form.objects(at, given, most=_LARGEST_NUMBER)
    elif key in _LISTS_OF_IDS:
        for index, entry in enumerate(form.items(at, given, most=_LARGEST_NUMBER)):
            if key != "parse" and not _is_id(entry):
                form.fault((*at, index), "NUMBER_TYPE_COERCE", f'Value "{entry}" is not snowflake.')
            elif not isinstance(entry, str | int):
                form.fault((*at, index), "STRING_TYPE_CONVERT", "Could not interpret value as string.")


def _is_id(given: object) -> bool:
    """True for a number of Discord's, as a number or as text."""
    is_text_or_number = isinstance(given, str | int) and not isinstance(given, bool)
    return is_text_or_number and _ID.fullmatch(str(given)) is not None
