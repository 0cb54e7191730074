"""Several processes of one bot: what it means that a shard's lease comes to this one, or goes to another.

With a shard come its presses, its tables, with their clocks and computers, and its connection. In a hand-over
the presses end first, then what is just being told comes to rest; only then another process has it. With the
first shard come the bot's commands, its emojis, and what a process that was killed has left unbegun in DMs.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

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

_REST = 1.0
"""Seconds for what is being told, and for answers, when a shard is handed over: presses wait meanwhile."""

_LOOKS_AGAIN = 10.0
"""Seconds between two looks at what other processes have done of which no hint was heard."""


class SharedHints(Hints, Protocol):
    """Hints to and from the other processes."""

    async def listen(
        self, heard: Callable[[Hint], None], leases_changed: Callable[[], None], missed: Callable[[], None]
    ) -> None:
        """Hear them until cancelled."""


class OpenHands(Protocol):
    """Hands that are open at the tables of a shard, for the next process. Raises `StoreUnavailable`."""

    async def keep(self, shard: int, hands: Collection[OpenHand]) -> None:
        """Keep them until they are taken, or their tokens are over."""

    async def take(self, shard: int) -> Sequence[OpenHand]:
        """Those of that shard, which are not kept any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """The parts of a process that shares the bot's shards with others."""

    own: Shards
    leases: Leases
    hints: SharedHints
    hands: OpenHands
    turn: Callable[[int, float, float], Awaitable[tuple[float, bool]]]
    """Takes the next turn to identify with a rate limit key: see `SharedIdentifyTurns`."""


class OwnedShards:
    """Keeps the leases, and does what follows from them."""

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
        """`first` is told that this process has the first shard, and `end` lets the process end."""
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
        self._looked_at: set[tuple[str, int, Status]] = set()
        """Game, version and status of the tables that were unsynced at the last poll."""
        self._keeper = ShardLeases(sharing.leases, sharing.own, self)

    def start(self) -> None:
        """Keep the leases, and listen to the others; `Leases.join` comes before."""
        self._tasks.wake(("leases",), self._keeper.keep)
        self._tasks.wake(("hints",), self._hear)
        self._tasks.repeat(("untold elsewhere",), _LOOKS_AGAIN, self._look)

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

    def gained(self, shard: int, taken: frozenset[int]) -> None:
        """See `Owner.gained`."""
        self._client.open_shard(shard)
        self._guilds.own(shard)
        self._deduplicator.open(shard, taken)
        self._tasks.wake(("open hands", str(shard)), partial(self._borrow_hands, shard))
        if shard == 0:
            self._first()

    def doubted(self, shard: int) -> None:
        """See `Owner.doubted`."""
        self._deduplicator.mark_uncertain(shard)
        self._presence.disown(shard)  # nothing begins there; what is in memory goes if it is this one's again

    async def give_up(self, shard: int) -> frozenset[int]:
        """See `Owner.give_up`."""
        taken = self._deduplicator.close(shard)
        self._presence.disown(shard)  # nothing begins there; what is in memory goes when its hands are lent
        await self._sync.queue.drain(lambda record: self._presence.shard(record) == shard, _REST)
        await self._lend_hands(shard)
        self._guilds.disown(shard)
        return taken

    async def _lend_hands(self, shard: int) -> None:
        """Give the next process what draws the hands that are open; without it they stand still."""
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
        """Draw on what the process before has drawn."""
        for hand in await self._sharing.hands.take(shard):
            if self._sync.hands.borrow(hand, self._client):
                self._sync.queue.schedule(hand.game)

    def shut(self) -> dict[int, frozenset[int]]:
        """This process ends: let no press in that it might not come to answer. What it took, by shard."""
        return {shard: self._deduplicator.close(shard) for shard in self._keeper.held}

    async def let_go(self) -> None:
        """This process ends: let others have its shards at once. Raises `StoreUnavailable`."""
        await self._sharing.leases.leave(self.shut())

    async def leave(self, shard: int) -> None:
        """See `Owner.leave`."""
        await self._client.close_shard(shard)

    def superseded(self) -> None:
        """See `Owner.superseded`."""
        self._end(None)

    def lost(self, error: LeaseLost) -> None:
        """See `Owner.lost`."""
        self._end(error)

    async def _hear(self) -> None:
        await self._sharing.hints.listen(self._heard, self._keeper.changed, self._missed)

    def _heard(self, hint: Hint) -> None:
        if hint.sender != self._sharing.leases.member:
            self._tasks.replace(("hint", hint.game, str(id(hint))), partial(self._follow, hint))

    async def _follow(self, hint: Hint) -> None:
        """Read the game again; while the database does not answer, the supervisor tries again."""
        await self._exchange.receive(hint)

    def _missed(self) -> None:
        self._tasks.wake(("hints missed",), self._look)

    async def _look(self) -> None:
        """Reload unsynced games whose state this process does not know, each state of a game once."""
        unsynced = [each for each in await self._store.unsynced() if not self._presence.is_offline(each)]
        before = self._looked_at
        self._looked_at = {(each.game, each.version, each.status) for each in unsynced}
        for record in unsynced:
            is_news = (record.game, record.version, record.status) not in before
            if is_news and not self._sessions.is_known(record):
                await self._exchange.reload(record.game)
