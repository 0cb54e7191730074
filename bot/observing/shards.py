"""Which shards of this process are connected: what the client tells its listeners of, counted."""

from __future__ import annotations

from collections.abc import Iterable


class Shards:
    """The shards that are to connect, and those that have and have listed their servers."""

    def __init__(self) -> None:
        self._expected: int | None = None
        self._connected: set[int] = set()

    def expect(self, shards: int) -> None:
        """So many shards are about to connect."""
        self._expected = shards
        self._connected.clear()

    def listed(self, shard: int, guilds: Iterable[int]) -> None:  # noqa: ARG002 -- told to every listener
        """A shard has a new session, and has said which its servers are."""
        self._connected.add(shard)

    def resumed(self, shard: int) -> None:
        """A shard is connected again."""
        self._connected.add(shard)

    def lost(self, shard: int) -> None:
        """A shard has no connection any more."""
        self._connected.discard(shard)

    def closed(self, shard: int) -> None:
        """A shard has no connection any more, and is not to have one."""
        self._connected.discard(shard)

    def available(self, guild: int) -> None:
        """Servers are not counted."""

    def left(self, guild: int) -> None:
        """Servers are not counted."""

    @property
    def expected(self) -> int:
        """How many are to connect; 0 before Discord has said it."""
        return self._expected or 0

    @property
    def connected(self) -> int:
        """How many are connected."""
        return len(self._connected)
