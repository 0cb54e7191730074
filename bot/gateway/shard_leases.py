"""Keeps the leases of this process's shards, takes those of dead processes, and hands shards over.

A process's own shards are those that its settings name; it may hold others besides. Every second, and after
each change of a lease by another process, it renews its membership, reads all leases, and acts on them:

- It takes a free shard of its own immediately. It takes another's free shard only when it was free in two
  successive polls, so that a process that comes back is first; live processes share such shards equally.
- If another process holds one of its own shards, it connects the shard as soon as it has seen that process
  renew, and then claims it. So a process that comes back, or a successor with the same shards, is ready
  before it takes over. If the holder were dead, nobody would answer the shard's presses until the lease
  expires.
- It hands over each shard that another process has claimed, and then disconnects it unless it is its own.
  Pending writes are flushed before its presses are queued, and again after, when few are left.
- When a successor has all its own shards, this process is superseded and ends.

If it cannot renew for the duration of a membership, another process may have its shards already: its leases
are uncertain until the database answers.

It continues to renew during a hand-over and while it sends its last answers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Protocol

from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.shards import Shards

log = logging.getLogger(__name__)

POLL_INTERVAL = 1.0
"""Polling interval (s)."""


class Lease(Protocol):
    """The lease of one shard."""

    @property
    def shard(self) -> int:
        """Its number."""

    @property
    def member(self) -> int | None:
        """The process that holds it."""

    @property
    def claimed_by(self) -> int | None:
        """The process that requests it."""

    @property
    def handled(self) -> frozenset[int]:
        """Ids of the presses that its former holder handled recently."""


class Standing(Protocol):
    """All leases and memberships, as read at one time."""

    @property
    def leases(self) -> Iterable[Lease]:
        """The leases, in order of their shards."""

    @property
    def members(self) -> Mapping[int, datetime]:
        """Per process, including this one: end of its membership unless it renews."""


class Leases(Protocol):
    """The store of all leases. Each call may raise `LeaseLost` and `StoreUnavailable`."""

    @property
    def member(self) -> int:
        """The number of this process."""

    @property
    def lasts(self) -> float:
        """Duration (s) of a membership after its renewal."""

    async def join(self, count: int) -> None:
        """Become a member of a bot with `count` shards. Raises `ShardsDiffer` too."""

    async def renew(self) -> Standing:
        """Renew this membership (heartbeat), and return the standing."""

    async def take(self, shards: Collection[int]) -> Mapping[int, frozenset[int]]:
        """Take the free ones of these shards.

        Returns, per taken shard, the presses that its former holder handled recently.
        """

    async def claim(self, shards: Collection[int]) -> None:
        """Request the shards from their holders."""

    async def settle(self) -> None:
        """Flush pending writes, so that few are left for a hand-over."""

    async def hand_over(self, shard: int, handled: frozenset[int]) -> bool:
        """Give the shard to its claimant, with the recently handled presses. False if nobody claims it."""

    async def leave(self, handled: Mapping[int, frozenset[int]]) -> None:
        """Release all leases; `handled` has the recently handled presses of each shard."""


class Owner(Protocol):
    """The rest of the bot, which gains and loses shards."""

    def is_connected(self, shard: int) -> bool:
        """True if the shard has a session in this process and has listed its servers."""

    def connect(self, shard: int) -> None:
        """Connect the shard. Idempotent."""

    def gained(self, shard: int, handled: frozenset[int]) -> None:
        """Start to serve the shard; `handled` are the presses that its former holder handled recently."""

    def mark_uncertain(self, shard: int) -> None:
        """Suspend the shard: another process may hold it. `gained` follows if this one still does."""

    async def give_up(self, shard: int) -> frozenset[int]:
        """Start nothing new in the shard, and drain it. Returns its recently handled presses."""

    async def leave(self, shard: int) -> None:
        """Disconnect the shard."""

    def superseded(self) -> None:
        """End this process: a successor has taken over its shards."""

    def lost(self, error: LeaseLost) -> None:
        """End this process: the others have struck it off."""


class ShardLeases:
    """Keeps the leases of one process."""

    def __init__(
        self,
        leases: Leases,
        own: Shards,
        owner: Owner,
    ) -> None:
        """`own` has the shards that this process takes from any other; see the module."""
        self._leases = leases
        self._own = own.own
        self._owner = owner
        self._held: set[int] = set()
        self._free_before: frozenset[int] = frozenset()
        self._handed_over: set[int] = set()
        """Own shards that were handed over to a successor."""
        self._seen: dict[int, datetime] = {}
        """Per process: end of its membership when this process first saw it."""
        self._uncertain: set[int] = set()
        """Held shards that another process may have taken after this membership expired."""
        self._expiry: asyncio.TimerHandle | None = None
        """Timer for the end of this membership."""
        self._changed = asyncio.Event()

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process holds."""
        return frozenset(self._held)

    def changed(self) -> None:
        """Poll soon: another process has changed a lease. Non-blocking."""
        self._changed.set()

    async def keep(self) -> None:
        """Poll until cancelled or lost. A superseded process only renews its membership."""
        try:
            await self._keep()
        finally:
            if self._expiry is not None:
                self._expiry.cancel()

    async def _keep(self) -> None:
        while True:
            try:
                is_over = await self.poll()
            except LeaseLost as error:
                self._owner.lost(error)
                return
            except StoreUnavailable as error:
                log.warning("the leases of the shards could not be renewed: %s", error)
            else:
                if is_over:
                    log.info("another process has taken over all shards of this one")
                    self._owner.superseded()
                    with suppress(LeaseLost):  # it is ending already
                        await self._while_renewing(asyncio.Event().wait())
                    return
            try:
                async with asyncio.timeout(POLL_INTERVAL):
                    await self._changed.wait()
            except TimeoutError:
                continue
            finally:
                self._changed.clear()

    async def poll(self) -> bool:
        """Poll once: renew, then take, claim and hand over shards. True if this process is superseded."""
        standing = await self._renew()
        me = self._leases.member
        for lease in standing.leases:
            if lease.member == me and lease.shard not in self._held - self._uncertain:
                self._gain(lease.shard, lease.handled)
        await self._take_free(standing)
        await self._claim(standing)
        claimed = [
            each.shard for each in standing.leases if each.member == me and each.claimed_by not in {None, me}
        ]
        if claimed:
            await self._while_renewing(self._hand_all_over(claimed))
        return bool(self._handed_over) and not self._held & self._own

    async def _renew(self) -> Standing:
        loop = asyncio.get_running_loop()
        began = loop.time()
        standing = await self._leases.renew()
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = loop.call_at(began + self._leases.lasts, self._expired)
        return standing

    def _expired(self) -> None:
        if self._held:
            log.warning("another process may have the shards of this one by now")
        self._uncertain |= self._held
        for shard in sorted(self._held):
            self._owner.mark_uncertain(shard)

    async def _take_free(self, standing: Standing) -> None:
        free = frozenset(lease.shard for lease in standing.leases if lease.member is None)
        wanted = free & self._own
        others = sorted((free & self._free_before) - self._own)
        if others:
            fair = -(-len(others) // len(standing.members))
            wanted |= frozenset(others[self._leases.member % len(others) :][:fair] or others[:fair])
        self._free_before = free
        if wanted:
            for shard, handled in sorted((await self._leases.take(wanted)).items()):
                self._gain(shard, handled)

    async def _claim(self, standing: Standing) -> None:
        me, wanted = self._leases.member, []
        live = self._live_members(standing)
        for lease in standing.leases:
            is_own = lease.shard in self._own and lease.shard not in self._handed_over
            if not is_own or lease.member in {None, me}:
                continue
            if self._owner.is_connected(lease.shard):
                wanted += [lease.shard] if lease.claimed_by is None else []
            elif lease.member in live:
                self._owner.connect(lease.shard)
        if wanted:
            await self._leases.claim(wanted)

    def _live_members(self, standing: Standing) -> frozenset[int]:
        """The processes that have renewed their membership since this one first saw them."""
        now = standing.members
        self._seen = {member: self._seen.get(member, until) for member, until in now.items()}
        return frozenset(member for member, until in now.items() if until > self._seen[member])

    def _gain(self, shard: int, handled: frozenset[int]) -> None:
        self._held.add(shard)
        self._uncertain.discard(shard)
        self._handed_over.discard(shard)
        log.info("shard %d is this process's", shard)
        self._owner.gained(shard, handled)

    async def _while_renewing(self, work: Coroutine[Any, Any, object]) -> None:
        """Await the work, and renew this membership meanwhile, as it may take longer than one lasts."""
        working = asyncio.create_task(work)
        try:
            while not (await asyncio.wait({working}, timeout=POLL_INTERVAL))[0]:
                with _tolerating_outages():
                    await self._renew()
            await working
        finally:
            working.cancel()

    async def _hand_all_over(self, shards: Collection[int]) -> None:
        with _tolerating_outages():  # the hand-over flushes again
            await self._leases.settle()
        await asyncio.gather(*map(self._hand_over, shards))

    async def _hand_over(self, shard: int) -> None:
        handled = await self._owner.give_up(shard)
        if not await self._try_hand_over(shard, handled):
            self._uncertain.discard(shard)
            self._owner.gained(shard, frozenset())  # the claimant is dead
            return
        self._held.discard(shard)
        self._uncertain.discard(shard)
        log.info("shard %d is another process's", shard)
        if shard in self._own:
            self._handed_over.add(shard)
        else:
            await self._owner.leave(shard)

    async def _try_hand_over(self, shard: int, handled: frozenset[int]) -> bool:
        """True if it was handed over, false if nobody claims it. Retries until the database answers."""
        is_retry = False
        while True:
            try:
                if is_retry and not await self._holds(shard):
                    return True  # the attempt before was committed without an acknowledgement
                return await self._leases.hand_over(shard, handled)
            except LeaseLost:
                raise
            except StoreUnavailable:
                is_retry = True
                await asyncio.sleep(0.2)

    async def _holds(self, shard: int) -> bool:
        me, standing = self._leases.member, await self._renew()
        return any(lease.shard == shard and lease.member == me for lease in standing.leases)


@contextmanager
def _tolerating_outages() -> Iterator[None]:
    """Suppress `StoreUnavailable`, except `LeaseLost`."""
    try:
        yield
    except LeaseLost:
        raise
    except StoreUnavailable:
        return
