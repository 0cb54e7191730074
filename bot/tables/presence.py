"""In which servers the bot is, and which of its shards are connected. Where it is not, games rest.

A game rests where the bot was removed from the server, and where nothing can be heard from it because its
shard is not connected, or has not been told of its servers yet: nobody moves there, and no clock runs. That
the bot has left a server is known when its shard has listed others and not that one.

It is filled by `bot.background.guilds`, as Discord tells of shards and servers, and asked wherever something
would be done at a table. Before anybody connects nothing rests.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.table_record import TableRecord


class Presence:
    """The servers that the bot is in, by their ids, and the shards through which it hears of them."""

    def __init__(self) -> None:
        self._shards = 1
        self._guilds: dict[int, set[int]] = {}
        """By shard, as far as they have been listed; those too that are unavailable for a while."""
        self._unheard: set[int] = set()
        """Shards that are to be connected, and are not, or whose servers are not known yet."""

    def expect(self, shards: int) -> None:
        """So many shards are about to connect."""
        self._shards = shards
        self._unheard = set(range(shards))

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """A shard is connected, and these are its servers."""
        self._guilds[shard] = set(guilds)
        self._unheard.discard(shard)

    def resumed(self, shard: int) -> None:
        """A shard is connected again, and has missed nothing."""
        self._unheard.discard(shard)

    def lost(self, shard: int) -> None:
        """A shard is not connected any more."""
        self._unheard.add(shard)

    def joined(self, guild: int) -> None:
        """The bot is in that server."""
        if (guilds := self._guilds.get(self._shard_of(guild))) is not None:
            guilds.add(guild)

    def left(self, guild: int) -> None:
        """The bot was removed from that server."""
        if (guilds := self._guilds.get(self._shard_of(guild))) is not None:
            guilds.discard(guild)

    def is_in(self, guild: int) -> bool:
        """Whether its shard has listed that server, or the bot has joined it since."""
        return guild in self._guilds.get(self._shard_of(guild), ())

    @property
    def guilds(self) -> frozenset[int] | None:
        """All servers; `None` until every shard has listed its own."""
        if len(self._guilds) < self._shards:
            return None
        return frozenset().union(*self._guilds.values())

    def has_left(self, record: TableRecord) -> bool:
        """Whether the bot was removed from the table's server; false while its shard has listed none."""
        if record.guild is None:
            return False
        guilds = self._guilds.get(self._shard_of(record.guild))
        return guilds is not None and record.guild not in guilds

    def is_unheard(self, record: TableRecord) -> bool:
        """Whether nothing can be heard from the table at the moment, as its shard is not connected."""
        return self.shard(record) in self._unheard

    def rests(self, record: TableRecord) -> bool:
        """Whether nothing is to be done at the table: it is unheard, or the bot has left."""
        return self.is_unheard(record) or self.has_left(record)

    def shard(self, record: TableRecord) -> int:
        """The shard through which Discord tells of that table; direct messages come through the first."""
        return 0 if record.guild is None else self._shard_of(record.guild)

    def _shard_of(self, guild: int) -> int:
        return (guild >> 22) % self._shards  # Discord's documentation of sharding
