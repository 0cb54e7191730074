"""One text and one hash for each value, and JSON read so that no file means two things."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

LARGEST_FILE = 4_000_000
"""Limit (characters) of a file that is read: some ten times the longest game."""

MOST_EVENTS = 5_000
"""Limit of the events of a log that is read."""

HASH = "[0-9a-f]{64}"
"""Pattern of 32 bytes in lower-case hexadecimal."""


def canonical(value: object) -> str:
    """Canonical JSON: keys sorted, no spaces, only ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """The SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def is_hash(value: object) -> bool:
    """True for 32 bytes in lower-case hexadecimal."""
    return isinstance(value, str) and re.fullmatch(HASH, value) is not None


def read_strictly(text: str) -> Any:
    """The JSON value of a text. Raises `ValueError` for floats, repeated keys, and too long a text."""
    if len(text) > LARGEST_FILE:
        raise ValueError(f"it has more than {LARGEST_FILE} characters")
    try:
        return json.loads(
            text, object_pairs_hook=_without_repeats, parse_float=_no_float, parse_constant=_no_float
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a key is there twice")
    return read


def _no_float(text: str) -> Any:
    raise ValueError(f"{text[:20]} is no integer")
