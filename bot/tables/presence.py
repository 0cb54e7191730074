"""In which servers the bot is, and which of its shards are connected. Where it is not, games rest.

A game rests where the bot was removed from the server, and where nothing can be heard from it because its
shard is not connected, or has not been told of its servers yet: nobody moves there, and no clock runs. That
the bot has left a server is known when its shard has listed others and not that one.

Where several processes share the shards, a table belongs to the process that has the lease of its server's
shard. For the others it is elsewhere, and rests: they neither tell it nor move for anybody there.
So it does for its new owner, until that has seen what the owner before may have left half done.

It is filled by `bot.background.guilds`, as Discord tells of shards and servers, and asked wherever something
would be done at a table. Before anybody connects nothing rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.model.shards import shard_of
from bot.model.table_record import TableRecord


class Presence:
    """The servers that the bot is in, by their ids, and the shards through which it hears of them."""

    def __init__(self) -> None:
        self._shards = 1
        self._guilds: dict[int, set[int]] = {}
        """By shard, as far as they have been listed; those too that are unavailable for a while."""
        self._unheard: set[int] = set()
        """Shards that are to be connected, and are not, or whose servers are not known yet."""
        self._owned: set[int] | None = None
        """The shards that this process has the lease of; `None` where there is only this process."""
        self._new: set[int] = set()
        """Those of them whose tables were not looked through yet."""

    def share(self, shards: int) -> None:
        """There are other processes, and this one owns none of so many shards yet."""
        self._shards = shards
        self._owned = set()

    def own(self, shard: int) -> None:
        """The shard's tables are this process's from now on, and rest until they are looked through."""
        if self._owned is not None:
            self._owned.add(shard)
            self._new.add(shard)

    def looked_through(self, shard: int) -> None:
        """What the shard's last owner may have left half done is known."""
        self._new.discard(shard)

    def disown(self, shard: int) -> None:
        """They are another process's."""
        if self._owned is not None:
            self._owned.discard(shard)
            self._new.discard(shard)

    def owns(self, guild: int | None) -> bool:
        """Whether that server's tables are this process's; of no server, those in direct messages."""
        return self._owned is None or self.shard_of(guild) in self._owned

    @property
    def owned(self) -> frozenset[int]:
        """The shards whose tables are this process's."""
        return frozenset(range(self._shards) if self._owned is None else self._owned)

    def is_elsewhere(self, record: TableRecord) -> bool:
        """Whether the table is another process's."""
        return not self.owns(record.guild)

    def is_connected(self, shard: int) -> bool:
        """Whether that shard has a session here, and has listed its servers."""
        return shard not in self._unheard and shard in self._guilds

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
        if (guilds := self._guilds.get(self.shard_of(guild))) is not None:
            guilds.add(guild)

    def left(self, guild: int) -> None:
        """The bot was removed from that server."""
        if (guilds := self._guilds.get(self.shard_of(guild))) is not None:
            guilds.discard(guild)

    def is_in(self, guild: int) -> bool:
        """Whether its shard has listed that server, or the bot has joined it since."""
        return guild in self._guilds.get(self.shard_of(guild), ())

    def closed(self, shard: int) -> None:
        """The shard is not connected any more, and is not to be: nothing is known of its servers."""
        self._unheard.add(shard)
        self._guilds.pop(shard, None)

    @property
    def guilds(self) -> frozenset[int] | None:
        """All servers whose tables are this process's; `None` until each of its shards has listed its own."""
        owned = self.owned
        if not owned or not owned <= self._guilds.keys():
            return None
        return frozenset().union(*(self._guilds[shard] for shard in owned))

    def listing(self) -> tuple[frozenset[int], Callable[[int], bool]] | None:
        """See `guilds`, with what tells whether a server that is not among them is known to have gone.

        Of a shard that is gained after this moment the list says nothing, and of one that is another
        process's meanwhile it may be old.
        """
        guilds, owned = self.guilds, self.owned
        if guilds is None:
            return None
        return guilds, lambda guild: self.shard_of(guild) in owned and self.owns(guild)

    def has_left(self, record: TableRecord) -> bool:
        """Whether the bot was removed from the table's server; false while its shard has listed none."""
        if record.guild is None:
            return False
        guilds = self._guilds.get(self.shard_of(record.guild))
        return guilds is not None and record.guild not in guilds

    def is_unheard(self, record: TableRecord) -> bool:
        """Whether nothing can be heard from the table at the moment, as its shard is not connected.

        Nor is it here when it is heard by another process, which owns it, or has owned it a moment ago.
        """
        shard = self.shard(record)
        return shard in self._unheard or shard in self._new or self.is_elsewhere(record)

    def rests(self, record: TableRecord) -> bool:
        """Whether nothing is to be done at the table: it is unheard, or the bot has left."""
        return self.is_unheard(record) or self.has_left(record)

    def shard(self, record: TableRecord) -> int:
        """The shard through which Discord tells of that table; direct messages come through the first."""
        return self.shard_of(record.guild)

    def shard_of(self, guild: int | None) -> int:
        """The shard through which Discord tells of that server, and of direct messages."""
        return shard_of(guild, self._shards)
