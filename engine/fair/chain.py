"""The chain of hashes that binds the events of a log, and its head."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.codec import Entry
from engine.fair.canonical import canonical, digest

CHAIN_VERSIONS = (1, 2, 3)

FIRST_SCHEMES = (1, 2)
"""The versions of ft1's chains."""

LINK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Chain:
    """The way in which the events of a log make the links of its chain.

    Each event makes SHA-256(link | canonical JSON of [kind, body, codec]).
    """

    version: int = 3
    """Chains of ft1 have versions 1 and 2 and begin with 32 zero bytes; links of version 1 lack the codec.
    Version 3 begins with the hash of ["ft2 log", 3]. A chain keeps its version."""
    unversioned: int = 0
    """The number of first links that have version 1 even so: the game was in play at an upgrade."""

    @property
    def begins(self) -> bytes:
        """The link before the first event."""
        if self.version in FIRST_SCHEMES:
            return bytes(LINK_BYTES)
        return bytes.fromhex(digest(["ft2 log", self.version]))

    def lengthened(self, link: bytes, entries: Iterable[Entry], at: int) -> bytes:
        """The chain's head after these events, the first of which is number `at` of the log, from 0."""
        for number, entry in enumerate(entries, at):
            link = _link(link, entry, has_codec=self.version > 1 and number >= self.unversioned)
        return link

    def head(self, log: Iterable[Entry]) -> str:
        """The head of the whole log's chain, in hexadecimal."""
        return self.lengthened(self.begins, log, 0).hex()


def chain_of(log: Sequence[Entry], head: str) -> Chain:
    """The chain of ft1 by which the log leads to that head; one of version 2 if none does.

    For logs of bots that did not store the version. An upgrade in mid-game went from version 1 to 2.
    """
    first = bytes(LINK_BYTES)
    for unversioned, entry in enumerate(log):
        chain = Chain(2, unversioned)
        if chain.lengthened(first, log[unversioned:], unversioned).hex() == head:
            return chain
        first = _link(first, entry, has_codec=False)
    return Chain(1) if first.hex() == head else Chain(2)


def _link(link: bytes, entry: Entry, *, has_codec: bool) -> bytes:
    """The link of one event after `link`."""
    parts = [entry.kind, entry.body, entry.codec] if has_codec else [entry.kind, entry.body]
    return hashlib.sha256(link + canonical(parts).encode()).digest()
