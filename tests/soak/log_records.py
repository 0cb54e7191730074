"""The bot's log read record by record: a line that begins with a time, and the traceback that belongs to it.

Everything that goes wrong in a bath is expected, so a warning is none of our business, whether or not it
brings a traceback. An error is, and so is whatever the interpreter itself has to say. The one error that is
not ours is discord.py's word that it connects anew, which it logs with the cut that we have made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_RECORD = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (?P<level>[A-Z]+) +(?P<logger>[\w.]+): ")
_RECONNECT = re.compile(r"discord\.client: Attempting a reconnect")
_LEFT_OPEN = re.compile(r"Exception ignored in: <function Connection\.__del__")
"""A connection to the gateway that broke before discord.py could say who it is, and that it then forgets."""
_UNHEARD_OF = re.compile(r"never retrieved|never awaited|unexpected error|Warning: |Exception ignored")
_ERRORS = {"ERROR", "CRITICAL"}


def complaints(lines: Sequence[str]) -> list[str]:
    """The records that no bath explains."""
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
    return match["level"] in _ERRORS and not _RECONNECT.search(record)


def _records(lines: Sequence[str]) -> Iterator[str]:
    record: list[str] = []
    for line in lines:
        if _RECORD.match(line) and record:
            yield "\n".join(record)
            record = []
        record.append(line)
    if record:
        yield "\n".join(record)
