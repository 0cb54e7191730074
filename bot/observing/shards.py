"""Counts the connected shards of this process, from the client's events."""

from __future__ import annotations

from collections.abc import Iterable


class Shards:
    """Shards that should connect, and those that have connected and listed their servers."""

    def __init__(self) -> None:
        self._expected: int | None = None
        self._connected: set[int] = set()

    def expect(self, shards: int) -> None:
        """Expect that many shards to connect."""
        self._expected = shards
        self._connected.clear()

    def listed(self, shard: int, guilds: Iterable[int]) -> None:  # noqa: ARG002 -- part of the listener's protocol
        """Note that the shard has a new session and has listed its servers."""
        self._connected.add(shard)

    def resumed(self, shard: int) -> None:
        """Note that the shard has resumed its session."""
        self._connected.add(shard)

    def lost(self, shard: int) -> None:
        """Note that the shard has disconnected."""
        self._connected.discard(shard)

    def closed(self, shard: int) -> None:
        """Note that the shard is closed for good."""
        self._connected.discard(shard)

    def available(self, guild: int) -> None:
        """Ignored: servers are not counted."""

    def left(self, guild: int) -> None:
        """Ignored: servers are not counted."""

    @property
    def expected(self) -> int:
        """Number of shards that should connect; 0 until Discord has said it."""
        return self._expected or 0

    @property
    def connected(self) -> int:
        """Number of connected shards."""
        return len(self._connected)
