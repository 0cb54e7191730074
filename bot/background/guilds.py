"""Servers and shards come and go: what becomes of tables where the bot is removed, and when it is back.

A game rests there: no clock runs, no move is made, and each hand by DM says so. When the bot is invited
again, the game goes on. A table that only gathers is called off, and so is a game that has rested for long.
What moderators had chosen for the server is deleted; one that is only unavailable keeps it.

A shard that is not connected, or has not been told of its servers yet, lets its tables rest as well; nothing
is called off there, and the time is given back to those whose turn it is.

Where several processes share the shards, the tables of a shard come to this one and go to another with its
lease. What comes is looked through as after a start, and whose turn it is has the whole time. Then the club
events of its servers go on here too.

Discord's events only note what has changed; the tables are looked through by one background task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress

from bot.background.computer_players import Computers
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.announcer import Announcer
from bot.delivery.first_words import FirstWords
from bot.model.errors import NoTable, StaleGame
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

KEPT = 30 * 86_400
"""Seconds for which a game rests; then it is called off, since nothing is kept without a purpose."""

_KEY = ("guilds",)


class Guilds:
    """Keeps `Presence` up to date, lets tables rest with their server, and go on with it."""

    def __init__(
        self,
        presence: Presence,
        store: Store,
        *,
        sessions: Sessions,
        announcer: Announcer,
        clock: Clock,
        computers: Computers,
        next_deal: NextDeal,
        first_words: FirstWords,
        tasks: KeyedTasks,
        now: Callable[[], float],
        gained: Callable[[], None],
    ) -> None:
        """`now` gives the seconds since 1970, as the store does.

        `gained` is told each time when shards are this process's, are connected, and were looked through.
        """
        self._presence = presence
        self._store = store
        self._sessions = sessions
        self._announcer = announcer
        self._clock = clock
        self._computers = computers
        self._next_deal = next_deal
        self._first_words = first_words
        self._tasks = tasks
        self._now = now
        self._when_gained = gained
        self._left: set[int] = set()
        """Servers with open tables that the bot was seen to have left."""
        self._back: set[int] = set()
        """Servers that the bot has returned to, and whose tables do not know it yet."""
        self._unheard_since: dict[int, float] = {}
        """By shard that is not connected: since when, in the loop's time."""
        self._unheard_for: dict[int, float] = {}
        """By shard that is connected again: the seconds that are to be given back to its tables."""
        self._gained: set[int] = set()
        """Shards whose tables are this process's, and are not looked through yet."""
        self._given_up: set[int] = set()
        """Shards whose tables are not any more, and are still in memory."""

    def own(self, shard: int) -> None:
        """The tables of that shard are this process's from now on."""
        self._presence.own(shard)
        self._sessions.forget_where(lambda record: self._presence.shard(record) == shard)
        self._given_up.discard(shard)
        self._gained.add(shard)
        if self._presence.is_connected(shard):
            self._is_heard(shard)

    def disown(self, shard: int) -> None:
        """They are another process's."""
        self._presence.disown(shard)
        self._gained.discard(shard)
        self._given_up.add(shard)
        self._look_soon()

    def closed(self, shard: int) -> None:
        """A shard is not connected any more, and is not to be."""
        self._presence.closed(shard)
        self._unheard_since.pop(shard, None)

    def expect(self, shards: int) -> None:
        """So many shards are about to connect."""
        self._presence.expect(shards)
        self._unheard_since = dict.fromkeys(range(shards), asyncio.get_running_loop().time())

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """A shard has listed its servers: tell what is still to be told, and see who has gone or is back."""
        self._presence.listed(shard, guilds)
        self._is_heard(shard)

    def resumed(self, shard: int) -> None:
        """A shard is connected again, and has missed nothing."""
        self._presence.resumed(shard)
        self._is_heard(shard)

    def lost(self, shard: int) -> None:
        """A shard is not connected any more."""
        self._presence.lost(shard)
        self._unheard_since.setdefault(shard, asyncio.get_running_loop().time())

    def left(self, guild: int) -> None:
        """The bot was removed from a server."""
        self._presence.left(guild)
        self._look_soon()

    def available(self, guild: int) -> None:
        """Discord tells of that server, which is all it says when the bot is invited, or back."""
        if guild in self._left or not self._presence.is_in(guild):
            self.joined(guild)
            if self._presence.owns(guild):
                self._first_words.invited(guild)
        self._announcer.server_changed(guild)

    def joined(self, guild: int) -> None:
        """The bot was invited to that server, perhaps again."""
        self._presence.joined(guild)
        self._left.discard(guild)
        self._back.add(guild)
        self._look_soon()

    def _is_heard(self, shard: int) -> None:
        now = asyncio.get_running_loop().time()
        seconds = now - self._unheard_since.pop(shard, now)
        self._unheard_for[shard] = self._unheard_for.get(shard, 0.0) + seconds
        self._look_soon()

    def _look_soon(self) -> None:
        self._tasks.wake(_KEY, self._look_around)

    async def _look_around(self) -> None:
        """Look through all open tables. While the store does not answer, the supervisor tries again."""
        records, untold = await self._open_and_untold()
        back, self._back = self._back, set()
        unheard_for, self._unheard_for = self._unheard_for, {}
        given_up, self._given_up = self._given_up, set()
        resting = []
        for record in records:
            shard = self._presence.shard(record)
            if shard in given_up:
                self._let_go(record)
            if self._presence.is_unheard(record):
                self._leave_for_later(record, back, unheard_for)
            elif self._presence.has_left(record):
                resting.append(record)
            elif record.guild in back:
                self._announcer.repost(record.game)
                self._clock.heard(record)
                self._computers.heard(record)
                self._next_deal.heard(record)
            elif record.status is Status.PLAYING and shard in unheard_for:
                self._clock.give_back(record.game, unheard_for[shard])
                self._clock.go_on(record.game)
                self._computers.heard(record)
                self._next_deal.heard(record)
        for record in resting:
            await self._rest(record)
        self._announcer.go_on()
        for record in untold:
            if not self._presence.is_elsewhere(record):
                self._announcer.announce(record.game)
        if (listing := self._presence.listing()) is not None:
            await self._store.forget_servers_but(*listing)
            await self._store.note_left_servers(*listing)

    def _leave_for_later(
        self, record: TableRecord, back: Collection[int], unheard_for: Mapping[int, float]
    ) -> None:
        """The table is unheard, perhaps again: another look comes when it is heard."""
        if record.guild is not None and record.guild in back:
            self._back.add(record.guild)
        shard = self._presence.shard(record)
        if shard in unheard_for:
            self._unheard_for[shard] = unheard_for[shard]

    async def _open_and_untold(self) -> tuple[tuple[TableRecord, ...], tuple[TableRecord, ...]]:
        """All open tables, and those of which something is untold: doubted where they are newly ours."""
        gained = {shard for shard in self._gained if self._presence.is_connected(shard)}
        self._gained -= gained
        try:
            records, untold = await self._store.open_tables(), await self._store.untold()
        except BaseException:
            self._gained |= gained & self._presence.owned
            raise
        self._announcer.doubt([each.game for each in untold if self._presence.shard(each) in gained])
        seen = gained - self._gained  # those that were gained once more are looked through again
        for shard in seen:
            self._presence.looked_through(shard)
        if seen:
            self._when_gained()
        return records, untold

    def _let_go(self, record: TableRecord) -> None:
        """The table is another process's: nothing of it is done here, or kept."""
        self._clock.stop(record.game)
        self._computers.stop(record.game)
        self._next_deal.stop(record.game)
        self._announcer.let_go_elsewhere(record.game)

    async def _rest(self, record: TableRecord) -> None:
        """Let a table rest whose server the bot has left, or call it off."""
        if record.guild is not None:
            self._left.add(record.guild)
        rested = self._now() - await self._store.last_touched(record.game)
        if record.status is Status.GATHERING or rested > KEPT:
            with suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
                await self._sessions.call_off(record.game)
        else:
            self._announcer.announce(record.game)
