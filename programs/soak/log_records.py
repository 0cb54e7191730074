"""Parses the bot's log into records: a line that begins with a time, and the traceback that follows it.

Faults are injected in a soak run, so warnings are expected, with or without a traceback. Errors are findings,
and so is output of the interpreter itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_RECORD = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (?P<level>[A-Z]+) +(?P<logger>[\w.]+): ")
_RECONNECT = re.compile(r"bot\.gateway\.sharded_client: shard \d+ is not connected")
_LEFT_OPEN = re.compile(r"Exception ignored in: <function Connection\.__del__")
"""The traceback of a gateway connection that was cut before IDENTIFY, which discord.py then drops."""
_UNHEARD_OF = re.compile(r"never retrieved|never awaited|unexpected error|Warning: |Exception ignored")
_ERRORS = {"ERROR", "CRITICAL"}


def complaints(lines: Sequence[str]) -> list[str]:
    """The records that injected faults do not explain."""
    records = list(_records(lines))
    has_reconnected = any(map(_RECONNECT.search, records))
    return [
        record
        for record in records
        if _is_a_complaint(record) and not (has_reconnected and _LEFT_OPEN.search(record))
    ]


def _is_a_complaint(record: str) -> bool:
    match = _RECORD.match(record)
    if match is None or _UNHEARD_OF.search(record):
        return True
    return match["level"] in _ERRORS


def _records(lines: Sequence[str]) -> Iterator[str]:
    record: list[str] = []
    for line in lines:
        if _RECORD.match(line) and record:
            yield "\n".join(record)
            record = []
        record.append(line)
    if record:
        yield "\n".join(record)
