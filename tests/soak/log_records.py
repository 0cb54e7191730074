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
_UNHEARD_OF = re.compile(r"never retrieved|never awaited|unexpected error|Warning: |Exception ignored")
_ERRORS = {"ERROR", "CRITICAL"}


def complaints(lines: Sequence[str]) -> list[str]:
    """The records that no bath explains."""
    return [record for record in _records(lines) if _is_a_complaint(record)]


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
