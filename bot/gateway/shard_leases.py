"""Keeps the leases of this process's shards, takes those of processes that are gone, and hands over.

Every second, and whenever somebody else has changed a lease, it says that this process lives, and looks:

- a shard of its own that is free it takes at once, and one of another's when it has been free for two looks,
  so that a process that comes back is first; of many each living process takes its part;
- to a shard of its own that another process holds it connects as soon as that one is seen to live, and then
  claims it: so a process that comes back, or a successor with the same shards, is ready before it takes
  anything. Were the other dead, nobody would answer the presses there until its lease is over;
- what another process has claimed it hands over, and a shard that is not its own it then leaves. What is
  still to be written is written before its presses wait, and again after, when there is little of it;
- when all its own shards were claimed by a successor its work is done, and it ends.

When it could not say that it lives for as long as a process may be silent, another may have its shards
already: it doubts that it owns them until the database says so.

While it hands over, and while it gives its last answers, it goes on saying that it lives.
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

BETWEEN_LOOKS = 1.0
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
    def taken(self) -> frozenset[int]:
        """The presses that its last holder took before handing it over."""


class Standing(Protocol):
    """All leases, and which processes live."""

    @property
    def leases(self) -> Iterable[Lease]:
        """By shard."""

    @property
    def members(self) -> Mapping[int, datetime]:
        """Until when each of them lives if it says so no more, this one included."""


class Leases(Protocol):
    """The leases of all shards, as they are kept. Each call may raise `LeaseLost` and `StoreUnavailable`."""

    @property
    def member(self) -> int:
        """The number of this process."""

    @property
    def lasts(self) -> float:
        """Seconds for which a process may be silent before it is given up."""

    async def join(self, count: int) -> None:
        """Become one of the processes of a bot with so many shards. Raises `ShardsDiffer` too."""

    async def renew(self) -> Standing:
        """Say that this process lives, and look."""

    async def take(self, shards: Collection[int]) -> Mapping[int, frozenset[int]]:
        """Take those that are free: which, and the presses that the last holder of each took."""

    async def claim(self, shards: Collection[int]) -> None:
        """Ask for them."""

    async def settle(self) -> None:
        """Write what is still to be written, which a hand-over would have to."""

    async def hand_over(self, shard: int, taken: frozenset[int]) -> bool:
        """Give it to who has claimed it, if somebody has."""

    async def leave(self, taken: Mapping[int, frozenset[int]]) -> None:
        """Let go of everything; `taken` are the presses taken lately, by shard."""


class Owner(Protocol):
    """The rest of the bot, which gains and loses shards."""

    def is_connected(self, shard: int) -> bool:
        """True if that shard has a session here, and knows its servers."""

    def connect(self, shard: int) -> None:
        """Be connected there from now on; it may be already."""

    def gained(self, shard: int, taken: frozenset[int]) -> None:
        """This process owns the shard; `taken` are the presses that its last owner has answered."""

    def doubted(self, shard: int) -> None:
        """Another process may own the shard by now; if this one does, it is `gained` again."""

    async def give_up(self, shard: int) -> frozenset[int]:
        """Begin nothing there any more, and come to rest: the presses that were taken lately."""

    async def leave(self, shard: int) -> None:
        """Be connected there no more."""

    def superseded(self) -> None:
        """A successor has taken over: this process is to end."""

    def lost(self, error: LeaseLost) -> None:
        """The others have given this process up: it is to end."""


class ShardLeases:
    """The leases of one process."""

    def __init__(
        self,
        leases: Leases,
        own: Shards,
        owner: Owner,
    ) -> None:
        """`own` are the shards that are this process's wherever it can have them."""
        self._leases = leases
        self._own = own.own
        self._owner = owner
        self._held: set[int] = set()
        self._free_before: frozenset[int] = frozenset()
        self._handed_over: set[int] = set()
        """Of its own: those that a successor has, as far as this process knows."""
        self._seen: dict[int, datetime] = {}
        """By process that lived when this one first saw it: until when, as it was then."""
        self._doubted: set[int] = set()
        """Of those that it held when it last knew: those that may be another's by now."""
        self._until_doubt: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process owns."""
        return frozenset(self._held)

    def changed(self) -> None:
        """Somebody has changed a lease: look soon."""
        self._news.set()

    async def keep(self) -> None:
        """Look again and again, until cancelled or lost. Who is superseded still says that it lives."""
        try:
            await self._keep()
        finally:
            if self._until_doubt is not None:
                self._until_doubt.cancel()

    async def _keep(self) -> None:
        while True:
            try:
                is_over = await self.look()
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
                async with asyncio.timeout(BETWEEN_LOOKS):
                    await self._news.wait()
            except TimeoutError:
                continue
            finally:
                self._news.clear()

    async def look(self) -> bool:
        """Renew, and do what is to be done; whether this process is superseded."""
        standing = await self._renew()
        me = self._leases.member
        for lease in standing.leases:
            if lease.member == me and lease.shard not in self._held - self._doubted:
                self._gain(lease.shard, lease.taken)
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
        if self._until_doubt is not None:
            self._until_doubt.cancel()
        self._until_doubt = loop.call_at(began + self._leases.lasts, self._doubt)
        return standing

    def _doubt(self) -> None:
        if self._held:
            log.warning("another process may have the shards of this one by now")
        self._doubted |= self._held
        for shard in sorted(self._held):
            self._owner.doubted(shard)

    async def _take_free(self, standing: Standing) -> None:
        free = frozenset(lease.shard for lease in standing.leases if lease.member is None)
        wanted = free & self._own
        others = sorted((free & self._free_before) - self._own)
        if others:
            fair = -(-len(others) // len(standing.members))
            wanted |= frozenset(others[self._leases.member % len(others) :][:fair] or others[:fair])
        self._free_before = free
        if wanted:
            for shard, taken in sorted((await self._leases.take(wanted)).items()):
                self._gain(shard, taken)

    async def _claim(self, standing: Standing) -> None:
        me, wanted = self._leases.member, []
        live = self._living(standing)
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

    def _living(self, standing: Standing) -> frozenset[int]:
        """The processes that have said that they live since this one first saw them."""
        now = standing.members
        self._seen = {member: self._seen.get(member, until) for member, until in now.items()}
        return frozenset(member for member, until in now.items() if until > self._seen[member])

    def _gain(self, shard: int, taken: frozenset[int]) -> None:
        self._held.add(shard)
        self._doubted.discard(shard)
        self._handed_over.discard(shard)
        log.info("shard %d is this process's", shard)
        self._owner.gained(shard, taken)

    async def _while_renewing(self, work: Coroutine[Any, Any, object]) -> None:
        """Do what may take longer than others wait for a word of this process."""
        working = asyncio.create_task(work)
        try:
            while not (await asyncio.wait({working}, timeout=BETWEEN_LOOKS))[0]:
                with _through_an_outage():
                    await self._renew()
            await working
        finally:
            working.cancel()

    async def _hand_all_over(self, shards: Collection[int]) -> None:
        with _through_an_outage():  # it is tried again when presses wait already
            await self._leases.settle()
        await asyncio.gather(*map(self._hand_over, shards))

    async def _hand_over(self, shard: int) -> None:
        taken = await self._owner.give_up(shard)
        if not await self._handed(shard, taken):
            self._doubted.discard(shard)
            self._owner.gained(shard, frozenset())  # who asked for it is gone
            return
        self._held.discard(shard)
        self._doubted.discard(shard)
        log.info("shard %d is another process's", shard)
        if shard in self._own:
            self._handed_over.add(shard)
        else:
            await self._owner.leave(shard)

    async def _handed(self, shard: int, taken: frozenset[int]) -> bool:
        """True if it was handed over. Retries until the database answers."""
        is_tried_again = False
        while True:
            try:
                if is_tried_again and not await self._is_mine(shard):
                    return True  # the attempt before was done, though nobody has said so
                return await self._leases.hand_over(shard, taken)
            except LeaseLost:
                raise
            except StoreUnavailable:
                is_tried_again = True
                await asyncio.sleep(0.2)

    async def _is_mine(self, shard: int) -> bool:
        me, standing = self._leases.member, await self._renew()
        return any(lease.shard == shard and lease.member == me for lease in standing.leases)


@contextmanager
def _through_an_outage() -> Iterator[None]:
    """Go on without what the database cannot do now, but not when this process is given up."""
    try:
        yield
    except LeaseLost:
        raise
    except StoreUnavailable:
        return
