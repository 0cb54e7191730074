"""The chain of hashes that binds the events of a log, and its head.

It begins with the hash of ["ft2 log", 3], and each event makes SHA-256(link | canonical JSON of [kind, body,
codec]).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from engine.codec import Entry
from engine.fair.canonical import canonical, digest

LINK_BYTES = 32

FIRST_LINK = bytes.fromhex(digest(["ft2 log", 3]))
"""The link before the first event."""


def lengthened(link: bytes, entries: Iterable[Entry]) -> bytes:
    """The chain's head after these events, which follow `link`."""
    for entry in entries:
        parts = canonical([entry.kind, entry.body, entry.codec])
        link = hashlib.sha256(link + parts.encode()).digest()
    return link


def head_of(log: Iterable[Entry]) -> str:
    """The head of the whole log's chain, in hexadecimal."""
    return lengthened(FIRST_LINK, log).hex()
