"""Watches that no text of a message of the bot's mentions anybody by itself: names are people's own choice.

Every message that is sent or edited says so to Discord, with `allowed_mentions` that parse nothing. A new
message may name people whom it calls; an edit calls nobody.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sandbox.traffic import Exchange, Frame

_MESSAGES: Final = re.compile(
    r"/channels/\d+/messages(?:/\d+)?|/webhooks/\d+/[^/]+(?:/messages/(?:\d+|@original))?"
)
_CALLBACK: Final = re.compile(r"/interactions/\d+/[^/]+/callback")
_SENT, _UPDATED = 4, 7
"""Types of callbacks with a message: a new one, and the one that was pressed."""


class MentionWatch:
    """An observer of a sandbox that keeps what is wrong."""

    def __init__(self) -> None:
        self.seen = 0
        """Messages sent and edited."""
        self.wrong: list[str] = []

    def __call__(self, exchange: Exchange | Frame) -> None:
        """Look at one exchange."""
        if not isinstance(exchange, Exchange) or not isinstance(exchange.body, dict):
            return
        if exchange.method in {"POST", "PATCH"} and _MESSAGES.fullmatch(exchange.path):
            self._look(exchange, exchange.body, is_edit=exchange.method == "PATCH")
        elif _CALLBACK.fullmatch(exchange.path) and exchange.body["type"] in {_SENT, _UPDATED}:
            self._look(exchange, exchange.body["data"], is_edit=exchange.body["type"] == _UPDATED)

    def _look(self, exchange: Exchange, message: dict[str, Any], *, is_edit: bool) -> None:
        self.seen += 1
        allowed = message.get("allowed_mentions") or {}
        calls = [*allowed.get("users", ()), *allowed.get("roles", ())]
        if allowed.get("parse") != [] or (is_edit and calls):
            self.wrong.append(
                f"{exchange.method} {re.sub(r'[0-9]{5,}|/[^/]{40,}', '…', exchange.path)}: {allowed}"
            )
