"""Watches that no text of a message of the bot's mentions anybody by itself: names are people's own choice.

Every message that is sent or edited says so to Discord, with `allowed_mentions` that parse nothing. A new
message may name people whom it calls; an edit calls nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from sandbox.traffic import Exchange, Frame

_MESSAGES: Final = re.compile(
    r"/channels/\d+/messages(?:/\d+)?|/webhooks/\d+/[^/]+(?:/messages/(?:\d+|@original))?"
)
_CALLBACK: Final = re.compile(r"/interactions/\d+/[^/]+/callback")
_SENT, _UPDATED = 4, 7
"""Types of callbacks with a message: a new one, and the one that was pressed."""


def mention_watch(wrong: list[str]) -> Callable[[Exchange | Frame], None]:
    """An observer of a sandbox that adds to the list what is wrong."""

    def look(exchange: Exchange | Frame) -> None:
        if not isinstance(exchange, Exchange) or not isinstance(exchange.body, dict):
            return
        message, is_edit = exchange.body, exchange.method == "PATCH"
        if _CALLBACK.fullmatch(exchange.path) and message["type"] in {_SENT, _UPDATED}:
            message, is_edit = message["data"], message["type"] == _UPDATED
        elif exchange.method not in {"POST", "PATCH"} or not _MESSAGES.fullmatch(exchange.path):
            return
        allowed = message.get("allowed_mentions") or {}
        calls = [*allowed.get("users", ()), *allowed.get("roles", ())]
        if allowed.get("parse") != [] or (is_edit and calls):
            path = re.sub(r"[0-9]{5,}|/[^/]{40,}", "…", exchange.path)
            wrong.append(f"{exchange.method} {path}: {allowed}")

    return look
