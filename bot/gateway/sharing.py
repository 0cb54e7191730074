"""Applies gains and losses of shard leases to this process, if several processes share one bot.

A shard brings its presses, its connection, and its tables with their clocks and computers. A hand-over first
queues the shard's presses, then drains its syncs, and only then releases the lease. The first shard also
brings the bot's commands, its emojis, and the work in DMs that a killed process left undone.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from bot.background.guilds import Guilds
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.gateway.deduplication import InteractionDeduplicator
from bot.gateway.hint_exchange import HintExchange, Hints
from bot.gateway.shard_leases import Leases, ShardLeases
from bot.gateway.sharded_client import ShardedClient
from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.hints import Hint
from bot.model.open_hands import OpenHand
from bot.model.shards import Shards
from bot.model.table_record import Status
from bot.store import Store
from bot.sync.parts import Sync
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

log = logging.getLogger(__name__)

_DRAIN_LIMIT = 1.0
"""Time limit (s) of draining a shard's syncs in a hand-over; its presses wait meanwhile."""

_POLL_INTERVAL = 10.0
"""Interval (s) of polls for changes by other processes whose hints were lost."""


class SharedHints(Hints, Protocol):
    """Hints to and from the other processes."""

    async def pass_on(self, press: Mapping[str, Any]) -> None:
        """Send the press, given as its payload, to all processes. Raises `StoreUnavailable`."""

    async def listen(
        self,
        received: Callable[[Hint], None],
        leases_changed: Callable[[], None],
        missed: Callable[[], None],
        pressed: Callable[[Mapping[str, Any]], None],
    ) -> None:
        """Receive hints and presses until cancelled. Calls `missed` when hints may have been lost."""


class OpenHands(Protocol):
    """Stores a shard's open hands for its next holder. Each call may raise `StoreUnavailable`."""

    async def keep(self, shard: int, hands: Collection[OpenHand]) -> None:
        """Store the hands until they are taken, or their tokens expire."""

    async def take(self, shard: int) -> Sequence[OpenHand]:
        """Return the shard's hands, and delete them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """The parts of a process that shares the bot's shards with others."""

    own: Shards
    leases: Leases
    hints: SharedHints
    hands: OpenHands
    turn: Callable[[int, float, float], Awaitable[tuple[float, bool]]]
    """Takes the next turn to identify with a rate limit key; see `SharedIdentifyTurns`."""


def passing_on(hints: SharedHints, tasks: KeyedTasks) -> Callable[[Mapping[str, Any]], None]:
    """A function that passes a press on, once: people press again what was not answered within seconds."""

    async def pass_on(press: Mapping[str, Any]) -> None:
        try:
            await hints.pass_on(press)
        except StoreUnavailable as error:
            log.warning("a press could not be passed on: %s", error)

    return lambda press: tasks.replace(("press", str(press["id"])), partial(pass_on, press))


class OwnedShards:
    """Keeps the leases, and starts or stops the service of each shard."""

    def __init__(
        self,
        client: ShardedClient,
        sharing: Sharing,
        *,
        deduplicator: InteractionDeduplicator,
        presence: Presence,
        guilds: Guilds,
        sync: Sync,
        exchange: HintExchange,
        sessions: Sessions,
        store: Store,
        tasks: KeyedTasks,
        first: Callable[[], None],
        end: Callable[[Exception | None], None],
    ) -> None:
        """`first` is called when this process gains the first shard; `end` ends the process."""
        self._client = client
        self._sharing = sharing
        self._deduplicator = deduplicator
        self._presence = presence
        self._guilds = guilds
        self._sync = sync
        self._exchange = exchange
        self._sessions = sessions
        self._store = store
        self._tasks = tasks
        self._first = first
        self._end = end
        self._polled: set[tuple[str, int, Status]] = set()
        """Game, version and status of the tables that were unsynced at the last poll."""
        self._keeper = ShardLeases(sharing.leases, sharing.own, self)

    def start(self) -> None:
        """Keep the leases, and listen for hints, in the background. Requires `Leases.join` before."""
        self._tasks.wake(("leases",), self._keeper.keep)
        self._tasks.wake(("hints",), self._listen)
        self._tasks.repeat(("untold elsewhere",), _POLL_INTERVAL, self._poll)

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process holds."""
        return self._keeper.held

    @property
    def share(self) -> float:
        """The fraction of all shards that this process holds."""
        return len(self._keeper.held) / self._sharing.own.count

    def is_connected(self, shard: int) -> bool:
        """See `Owner.is_connected`."""
        return self._presence.is_connected(shard)

    def connect(self, shard: int) -> None:
        """See `Owner.connect`."""
        self._client.open_shard(shard)

    def gained(self, shard: int, handled: frozenset[int]) -> None:
        """See `Owner.gained`."""
        self._client.open_shard(shard)
        self._guilds.own(shard)
        self._deduplicator.open(shard, handled)
        self._tasks.wake(("open hands", str(shard)), partial(self._borrow_hands, shard))
        if shard == 0:
            self._first()

    def mark_uncertain(self, shard: int) -> None:
        """See `Owner.mark_uncertain`."""
        self._deduplicator.mark_uncertain(shard)
        self._presence.disown(shard)  # nothing new starts; sessions are evicted if it is gained again

    async def give_up(self, shard: int) -> frozenset[int]:
        """See `Owner.give_up`."""
        handled = self._deduplicator.close(shard)
        self._presence.disown(shard)  # nothing new starts; sessions are evicted once the hands are lent
        await self._sync.queue.drain(lambda record: self._presence.shard(record) == shard, _DRAIN_LIMIT)
        await self._lend_hands(shard)
        self._guilds.disown(shard)
        return handled

    async def _lend_hands(self, shard: int) -> None:
        """Store the tokens of open hands for the next process, which cannot redraw them otherwise."""
        lend, unknown = self._sync.hands.lend, set[str]()
        open_here = lend(partial(self._is_of, shard, unknown=unknown))
        with suppress(StoreUnavailable):
            if unknown:
                tables = await self._store.open_tables()
                here = {each.game for each in tables if self._presence.shard(each) == shard} & unknown
                open_here += lend(here.__contains__)
        if open_here:
            with suppress(StoreUnavailable):
                await self._sharing.hands.keep(shard, open_here)

    def _is_of(self, shard: int, game: str, *, unknown: set[str]) -> bool:
        """True if the game belongs to that shard; one that is not in memory is added to `unknown`."""
        session = self._sessions.peek(game)
        if session is None:
            unknown.add(game)
        return session is not None and self._presence.shard(session.record) == shard

    async def _borrow_hands(self, shard: int) -> None:
        """Take over the open hands of the shard's former holder, and redraw them."""
        for hand in await self._sharing.hands.take(shard):
            if self._sync.hands.borrow(hand, self._client):
                self._sync.queue.schedule(hand.game)

    def close(self) -> dict[int, frozenset[int]]:
        """Handle no more presses, as this process ends. Returns the recently handled ones per shard."""
        return {shard: self._deduplicator.close(shard) for shard in self._keeper.held}

    async def release(self) -> None:
        """Release all leases, so that other processes can take them at once. Raises `StoreUnavailable`."""
        await self._sharing.leases.leave(self.close())

    async def leave(self, shard: int) -> None:
        """See `Owner.leave`."""
        await self._client.close_shard(shard)

    def superseded(self) -> None:
        """See `Owner.superseded`."""
        self._end(None)

    def lost(self, error: LeaseLost) -> None:
        """See `Owner.lost`."""
        self._end(error)

    async def _listen(self) -> None:
        await self._sharing.hints.listen(
            self._receive, self._keeper.changed, self._missed, self._deduplicator.receive_passed
        )

    def _receive(self, hint: Hint) -> None:
        if hint.sender != self._sharing.leases.member:
            self._tasks.replace(("hint", hint.game, str(id(hint))), partial(self._apply, hint))

    async def _apply(self, hint: Hint) -> None:
        """Reload the hint's game; the supervisor retries while the database is unavailable."""
        await self._exchange.receive(hint)

    def _missed(self) -> None:
        self._tasks.wake(("hints missed",), self._poll)

    async def _poll(self) -> None:
        """Reload unsynced games whose state this process does not know, each state of a game once."""
        unsynced = [each for each in await self._store.unsynced() if not self._presence.is_offline(each)]
        before = self._polled
        self._polled = {(each.game, each.version, each.status) for each in unsynced}
        for record in unsynced:
            is_news = (record.game, record.version, record.status) not in before
            if is_news and not self._sessions.is_known(record):
                await self._exchange.reload(record.game)
