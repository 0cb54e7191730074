"""A press that one process passes on to another, as text: its payload without what its message shows.

A server without the bot has no shard, so its presses come on any, while only the process of the first shard
answers them. The payload has the token of the press: it is sent to the bot's own processes alone, kept
nowhere, and never logged.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

_SHOWN = frozenset({"components", "embeds", "attachments"})
"""Fields with a message's content, which no answer asks for; it may be long."""


def packed(press: Mapping[str, Any]) -> str:
    """The press as text, for `unpacked`."""
    message = press.get("message")
    if message is not None:
        shown: dict[str, Any] = {key: [] for key in _SHOWN} | {"content": ""}
        press = {**press, "message": {**message, **shown}}
    written = json.dumps(press, separators=(",", ":")).encode()
    return base64.b85encode(zlib.compress(written)).decode()


def unpacked(text: str) -> dict[str, Any] | None:
    """The press in `text`; None for one in another version's format."""
    try:
        press = json.loads(zlib.decompress(base64.b85decode(text)))
        int(press["id"])
    except (ValueError, TypeError, KeyError, zlib.error, binascii.Error):
        return None
    return dict(press)
