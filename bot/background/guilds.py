"""Servers and shards that come and go: which tables rest, which resume and which end.

While the bot is removed from a server its games rest: no clock runs, no move is made, and each hand by DM
says so. They resume when the bot is invited again, or are called off after thirty days; lobbies are called
off immediately. The server's settings are deleted; a server in an outage keeps them.

The tables of a shard that is not connected, or has not listed its servers yet, rest as well. None of them is
called off, and the lost time is given back to their turns.

With several processes, a shard's tables come and go with its lease. New ones are checked as after a start:
their turns get the full time, and the features resume in their servers.

The gateway's events only record the change; one background task checks the tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress

from bot.background.computer_players import Computers
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import NoTable, StaleGame
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.welcome_message import WelcomeMessage
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

KEPT = 30 * 86_400
"""Rest (s) after which a game is called off, since nothing is kept without a purpose."""

_KEY = ("guilds",)


class Guilds:
    """Keeps `Presence` up to date; lets tables rest and resume with their server or shard."""

    def __init__(
        self,
        presence: Presence,
        store: Store,
        *,
        sessions: Sessions,
        sync: Sync,
        clock: Clock,
        computers: Computers,
        next_deal: NextDeal,
        welcome_message: WelcomeMessage,
        tasks: KeyedTasks,
        now: Callable[[], float],
        gained: Callable[[], None],
        banned: Collection[int] = (),
        leave: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`now` returns Unix time (s), like the store; `leave` leaves a server if it is `banned`.

        `gained` is called after new shards are connected and their tables are checked.
        """
        self._presence = presence
        self._store = store
        self._sessions = sessions
        self._sync = sync
        self._clock = clock
        self._computers = computers
        self._next_deal = next_deal
        self._welcome_message = welcome_message
        self._tasks = tasks
        self._now = now
        self._when_gained = gained
        self._banned = banned
        self._leave = leave
        self._left: set[int] = set()
        """Servers with open tables that the bot has left."""
        self._back: set[int] = set()
        """Servers that the bot has returned to, whose tables have not resumed yet."""
        self._disconnected_since: dict[int, float] = {}
        """Start of the outage of each disconnected shard, in the loop's time (s)."""
        self._outages: dict[int, float] = {}
        """Outage (s) of each reconnected shard, to give back to its tables' turns."""
        self._gained: set[int] = set()
        """New shards of this process whose tables are not checked yet."""
        self._given_up: set[int] = set()
        """Former shards of this process whose tables are not evicted yet."""

    def own(self, shard: int) -> None:
        """Take over the shard's tables."""
        self._presence.own(shard)
        self._sessions.evict_where(lambda record: self._presence.shard(record) == shard)
        self._given_up.discard(shard)
        self._gained.add(shard)
        if self._presence.is_connected(shard):
            self._reconnected(shard)

    def disown(self, shard: int) -> None:
        """Give up the shard's tables to another process; the check evicts them."""
        self._presence.disown(shard)
        self._gained.discard(shard)
        self._given_up.add(shard)
        self._check_soon()

    def closed(self, shard: int) -> None:
        """Note that the shard is closed for good."""
        self._presence.closed(shard)
        self._disconnected_since.pop(shard, None)

    def expect(self, shards: int) -> None:
        """Expect that many shards to connect."""
        self._presence.expect(shards)
        self._disconnected_since = dict.fromkeys(range(shards), asyncio.get_running_loop().time())

    def listed(self, shard: int, guilds: Iterable[int]) -> None:
        """Record a shard's servers (READY), then check its tables: some resume, rest or need a sync."""
        self._presence.listed(shard, guilds)
        self._reconnected(shard)

    def resumed(self, shard: int) -> None:
        """Note that the shard has resumed its session; it missed no event."""
        self._presence.resumed(shard)
        self._reconnected(shard)

    def lost(self, shard: int) -> None:
        """Note that the shard has disconnected."""
        self._presence.lost(shard)
        self._disconnected_since.setdefault(shard, asyncio.get_running_loop().time())

    def left(self, guild: int) -> None:
        """Note that the bot was removed from a server."""
        self._presence.left(guild)
        self._check_soon()

    def available(self, guild: int) -> None:
        """Handle GUILD_CREATE: of a server after READY, of a new one, or of one whose outage has ended."""
        if guild in self._banned:
            self._leave(guild)
            return
        if guild in self._left or not self._presence.is_in(guild):
            self.joined(guild)
            if self._presence.owns(guild):
                self._welcome_message.invited(guild)
        self._sync.breaker.changed(guild)

    def joined(self, guild: int) -> None:
        """Note that the bot was invited to the server, perhaps again."""
        self._presence.joined(guild)
        self._left.discard(guild)
        self._back.add(guild)
        self._check_soon()

    def _reconnected(self, shard: int) -> None:
        now = asyncio.get_running_loop().time()
        seconds = now - self._disconnected_since.pop(shard, now)
        self._outages[shard] = self._outages.get(shard, 0.0) + seconds
        self._check_soon()

    def _check_soon(self) -> None:
        self._tasks.wake(_KEY, self._check_tables)

    async def _check_tables(self) -> None:
        """Check all open tables; the supervisor repeats it while the store is unavailable."""
        records, unsynced = await self._open_and_unsynced()
        back, self._back = self._back, set()
        outages, self._outages = self._outages, {}
        given_up, self._given_up = self._given_up, set()
        resting = []
        for record in records:
            shard = self._presence.shard(record)
            if shard in given_up:
                self._evict(record)
            if self._presence.is_offline(record):
                self._defer(record, back, outages)
            elif self._presence.has_left(record):
                resting.append(record)
            elif record.guild in back:
                self._sync.queue.repost(record.game)
                self._clock.on_change(record)
                self._computers.on_change(record)
                self._next_deal.on_change(record)
            elif record.status is Status.PLAYING and shard in outages:
                self._clock.give_back(record.game, outages[shard])
                self._clock.go_on(record.game)
                self._computers.on_change(record)
                self._next_deal.on_change(record)
        for record in resting:
            await self._rest(record)
        self._sync.queue.resume_deferred()
        for record in unsynced:
            if not self._presence.is_elsewhere(record):
                self._sync.queue.schedule(record.game)
        if (listing := self._presence.listing()) is not None:
            await self._store.forget_servers_but(*listing)
            await self._store.note_left_servers(*listing)

    def _defer(self, record: TableRecord, back: Collection[int], outages: Mapping[int, float]) -> None:
        """Keep the notes of an offline table until its shard is connected."""
        if record.guild is not None and record.guild in back:
            self._back.add(record.guild)
        shard = self._presence.shard(record)
        if shard in outages:
            self._outages[shard] = outages[shard]

    async def _open_and_unsynced(self) -> tuple[tuple[TableRecord, ...], tuple[TableRecord, ...]]:
        """All open tables, and the unsynced ones; at new shards those may have unacknowledged sends."""
        gained = {shard for shard in self._gained if self._presence.is_connected(shard)}
        self._gained -= gained
        try:
            records, unsynced = await self._store.open_tables(), await self._store.unsynced()
        except BaseException:
            self._gained |= gained & self._presence.owned
            raise
        broken_off = [each.game for each in unsynced if self._presence.shard(each) in gained]
        self._sync.queue.expect_unacknowledged_sends(broken_off)
        seen = gained - self._gained  # excludes those gained again meanwhile
        for shard in seen:
            self._presence.mark_scanned(shard)
        if seen:
            self._when_gained()
        return records, unsynced

    def _evict(self, record: TableRecord) -> None:
        """Stop the table's tasks and evict it: another process owns it."""
        self._clock.stop(record.game)
        self._computers.stop(record.game)
        self._next_deal.stop(record.game)
        self._sync.queue.evict(record.game)

    async def _rest(self, record: TableRecord) -> None:
        """Let a table rest whose server the bot has left, or call it off."""
        if record.guild is not None:
            self._left.add(record.guild)
        rested = self._now() - await self._store.last_touched(record.game)
        if record.status is Status.GATHERING or rested > KEPT:
            with suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
                await self._sessions.call_off(record.game)
        else:
            self._sync.queue.schedule(record.game)
