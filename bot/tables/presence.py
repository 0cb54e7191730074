"""The servers that the bot is in and the shards that are connected; where either is missing, games rest.

A game rests where the bot was removed from the server, and while its shard is not connected or has not yet
listed its servers (READY): its players cannot press anything, so no clock runs. The bot has left a server if
its shard's list lacks it.

With several processes, a table belongs to the process that holds the lease of its server's shard. It rests in
all others, which neither sync it nor move for its computers; and in its new owner until that one has checked
the work that the former owner may have left unfinished.

`bot.background.guilds` fills it from the gateway's events. Before any shard is expected, no game rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.model.shards import shard_of
from bot.model.table_record import TableRecord


class Presence:
    """Guild ids, connections and ownership by shard."""

    def __init__(self) -> None:
        self._shards = 1
        self._guilds: dict[int, set[int]] = {}
        """Guild ids by shard, once listed (READY); includes servers in an outage."""
        self._disconnected: set[int] = set()
        """Shards that should be connected but are not, or that have not listed their servers yet."""
        self._owned: set[int] | None = None
        """Shards that this process has the lease of; None for a process that runs alone."""
        self._new: set[int] = set()
        """Owned shards whose tables are not checked for unfinished work yet."""

    def share(self, shards: int) -> None:
        """Divide `shards` among several processes; this one owns none of them yet."""
        self._shards = shards
        self._owned = set()

    def own(self, shard: int) -> None:
        """Take over the shard's tables, which rest until `mark_scanned`."""
        if self._owned is not None:
            self._owned.add(shard)
            self._new.add(shard)

    def mark_scanned(self, shard: int) -> None:
        """End the rest of a new shard's tables: the former owner's unfinished work is known."""
        self._new.discard(shard)

    def disown(self, shard: int) -> None:
        """Give up the shard's tables to another process."""
        if self._owned is not None:
            self._owned.discard(shard)
            self._new.discard(shard)

    def owns(self, guild: int | None) -> bool:
        """True if this process owns the server's tables; None for those in direct messages."""
        return self._owned is None or self.shard_of(guild) in self._owned

    @property
    def owned(self) -> frozenset[int]:
        """Shards whose tables this process owns."""
        return frozenset(range(self._shards) if self._owned is None else self._owned)

    def is_elsewhere(self, record: TableRecord) -> bool:
        """True if another process owns the table."""
        return not self.owns(record.guild)

    def is_connected(self, shard: int) -> bool:
        """True if the shard has a session here and has listed its servers."""
        return shard not in self._disconnected and shard in self._guilds

    def expect(self, shards: int) -> None:
        """Expect that many shards to connect."""
        self._shards = shards
        self._disconnected = set(range(shards))

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """Note that the shard has connected, with these servers."""
        self._guilds[shard] = set(guilds)
        self._disconnected.discard(shard)

    def resumed(self, shard: int) -> None:
        """Note that the shard has resumed its session; it missed no event."""
        self._disconnected.discard(shard)

    def lost(self, shard: int) -> None:
        """Note that the shard has disconnected."""
        self._disconnected.add(shard)

    def joined(self, guild: int) -> None:
        """Note that the bot has joined the server."""
        if (guilds := self._guilds.get(self.shard_of(guild))) is not None:
            guilds.add(guild)

    def left(self, guild: int) -> None:
        """Note that the bot was removed from the server."""
        if (guilds := self._guilds.get(self.shard_of(guild))) is not None:
            guilds.discard(guild)

    def is_in(self, guild: int) -> bool:
        """True if the server's shard has listed it, or the bot has joined it since."""
        return guild in self._guilds.get(self.shard_of(guild), ())

    def closed(self, shard: int) -> None:
        """Note that the shard is closed for good; its list of servers is dropped."""
        self._disconnected.add(shard)
        self._guilds.pop(shard, None)

    @property
    def guilds(self) -> frozenset[int] | None:
        """All servers whose tables this process owns; None until each of its shards has listed its own."""
        owned = self.owned
        if not owned or not owned <= self._guilds.keys():
            return None
        return frozenset().union(*(self._guilds[shard] for shard in owned))

    def listing(self) -> tuple[frozenset[int], Callable[[int], bool]] | None:
        """`guilds`, and a predicate: True if a guild id that they lack belongs to an owned shard, so the bot
        left it.

        The predicate is evaluated later: it answers False for a shard gained after this call, whose servers
        the list lacks, and for one that was given up since, whose list may be outdated.
        """
        guilds, owned = self.guilds, self.owned
        if guilds is None:
            return None
        return guilds, lambda guild: self.shard_of(guild) in owned and self.owns(guild)

    def has_left(self, record: TableRecord) -> bool:
        """True if the bot was removed from the table's server; False until its shard has listed all."""
        if record.guild is None:
            return False
        guilds = self._guilds.get(self.shard_of(record.guild))
        return guilds is not None and record.guild not in guilds

    def is_offline(self, record: TableRecord) -> bool:
        """True if no event of the table can arrive here: its shard is not connected, is new, or is another
        process's.
        """
        shard = self.shard(record)
        return shard in self._disconnected or shard in self._new or self.is_elsewhere(record)

    def rests(self, record: TableRecord) -> bool:
        """True if nothing should be done at the table: it is offline, or the bot has left its server."""
        return self.is_offline(record) or self.has_left(record)

    def shard(self, record: TableRecord) -> int:
        """Shard whose gateway session receives the table's events; direct messages come through the first."""
        return self.shard_of(record.guild)

    def shard_of(self, guild: int | None) -> int:
        """Shard of the guild's events; of direct messages for None."""
        return shard_of(guild, self._shards)
