"""In which servers the bot is. Where it is not, games rest: nobody moves there, and no clock runs.

It is filled by `bot.background.guilds`, as Discord tells of servers, and asked wherever something would be
done at a table. Until Discord has listed the servers for the first time no table counts as left.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.table_record import TableRecord


class Presence:
    """The servers that the bot is in, by their ids."""

    def __init__(self) -> None:
        self._guilds: set[int] | None = None

    def fill(self, guilds: Iterable[int]) -> None:
        """Discord has listed all servers, as it does at each connection."""
        self._guilds = set(guilds)

    def joined(self, guild: int) -> None:
        """The bot is in that server."""
        if self._guilds is not None:
            self._guilds.add(guild)

    def left(self, guild: int) -> None:
        """The bot was removed from that server."""
        if self._guilds is not None:
            self._guilds.discard(guild)

    @property
    def guilds(self) -> frozenset[int] | None:
        """All of them, those too that are unavailable for a while; `None` while nobody knows."""
        return None if self._guilds is None else frozenset(self._guilds)

    def has_left(self, record: TableRecord) -> bool:
        """Whether the bot was removed from the table's server; false while nobody knows."""
        return self._guilds is not None and record.guild is not None and record.guild not in self._guilds
