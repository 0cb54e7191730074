"""Writes the traffic of a soak run to a file, a line for each exchange, to find the cause of a finding.

It has no text of messages, but the custom_id of every button: enough to see who pressed what, what was drawn
where, and how it was answered. A custom_id may contain a card, so the file must not be published.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from sandbox.traffic import Direction, Exchange, Frame

_ADDRESS = re.compile(r"crib:[a-z0-9]+:[0-9]+:[a-z]+(?::\w*)?")

_OF_THE_CONNECTION = {2, 6, 7, 9, 10}
"""The opcodes that are written: identify, resume, reconnect, invalid session, hello."""


class TrafficLog:
    """An observer of a sandbox that writes down what it sees."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def __call__(self, seen: Exchange | Frame) -> None:
        """Write a line for what was seen, if it tells of anything."""
        line = _of_exchange(seen) if isinstance(seen, Exchange) else _of_frame(seen)
        if line:
            self._lines.append(f"{datetime.now(UTC):%H:%M:%S.%f} {line}")

    def write(self, path: Path) -> None:
        """Put it into a file."""
        path.write_text("\n".join(self._lines) + "\n")


def _of_exchange(seen: Exchange) -> str:
    if seen.path.startswith("/applications"):
        return ""
    message = seen.answer.get("id", "") if isinstance(seen.answer, dict) and seen.status < 300 else ""
    path = "/".join(part if len(part) < 40 else part[-6:] for part in seen.path.split("/"))
    kind = seen.body.get("type", "") if isinstance(seen.body, dict) else ""
    drawn = " ".join(_ADDRESS.findall(str(seen.body)))
    return f"{seen.method} {path} -> {seen.status} {message} type={kind} {drawn}"


def _of_frame(frame: Frame) -> str:
    payload = frame.payload
    if payload.get("op") in _OF_THE_CONNECTION or payload.get("t") in {"READY", "RESUMED"}:
        return f"    gateway {frame.direction}: op {payload['op']} {payload.get('t') or ''}"
    if frame.direction is not Direction.TO_BOT or payload.get("t") != "INTERACTION_CREATE":
        return ""
    made = payload["d"]
    user = made.get("user") or made["member"]["user"]
    data, message = made["data"], made.get("message") or {}
    what = data.get("custom_id") or data.get("name")
    values = data.get("values", "")
    on = f"{message.get('id')}: {made['id']} …{made['token'][-6:]}"
    return f"    {user['username']} uses {what} {values} on {on}"
