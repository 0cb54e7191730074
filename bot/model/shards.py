"""The shards of one process, and their total: the setting SHARDS, such as `0-3/16`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WRITTEN = re.compile(r"(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?/(?P<count>\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards from `first` to `last`, of `count` in all; the first is 0."""

    first: int
    last: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last < self.count:
            raise ValueError("no such shards")

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def own(self) -> frozenset[int]:
        """Numbers of this process' shards."""
        return frozenset(range(self.first, self.last + 1))


def shards(text: str) -> Shards:
    """The shards in `0-3/16` or `5/16`. Raises `ValueError`."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise ValueError("no shards")
    first = int(found["first"])
    return Shards(first, int(found["last"] or first), int(found["count"]))


def shard_of(guild: int | None, count: int) -> int:
    """Shard of a server's events; direct messages come through the first (Discord's documentation)."""
    return 0 if guild is None else (guild >> 22) % count
