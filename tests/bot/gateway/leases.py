"""The database that distributes shards among processes, in memory, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.model.errors import LeaseLost, StoreUnavailable

LASTS = 6


@dataclass(frozen=True)
class Lease:
    shard: int
    member: int | None = None
    claimed_by: int | None = None
    handled: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Standing:
    leases: tuple[Lease, ...]
    members: dict[int, datetime]


@dataclass
class Kept:
    """Content of the database."""

    leases: dict[int, Lease] = field(default_factory=dict)
    until: dict[int, float] = field(default_factory=dict)
    members: int = 0
    now: float = 0.0

    def strike_off(self, member: int) -> None:
        self.until.pop(member)
        for lease in tuple(self.leases.values()):
            kept = lease
            if lease.member == member:
                kept = replace(kept, member=None)
            if lease.claimed_by == member:
                kept = replace(kept, claimed_by=None)
            self.leases[lease.shard] = kept


class Leases:
    """One process's view of it."""

    lasts = float(LASTS)

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.member = 0
        self.is_out_of_reach = False
        self.claims = 0
        """Number of claims."""
        self.settled = 0
        """Number of flushes before hand-overs."""

    async def join(self, count: int) -> None:
        self.kept.members += 1
        self.member = self.kept.members
        self.kept.until[self.member] = self.kept.now + LASTS
        for shard in range(count):
            self.kept.leases.setdefault(shard, Lease(shard))

    async def renew(self) -> Standing:
        if self.is_out_of_reach:
            raise StoreUnavailable
        if self.member not in self.kept.until:
            raise LeaseLost
        self.kept.until[self.member] = self.kept.now + LASTS
        for member, until in tuple(self.kept.until.items()):
            if until < self.kept.now:
                self.kept.strike_off(member)
        members = {member: datetime.fromtimestamp(until, UTC) for member, until in self.kept.until.items()}
        return Standing(tuple(self.kept.leases.values()), members)

    async def take(self, wanted: Collection[int]) -> dict[int, frozenset[int]]:
        free = [shard for shard in wanted if self.kept.leases[shard].member is None]
        for shard in free:
            self.kept.leases[shard] = replace(self.kept.leases[shard], member=self.member)
        return {shard: self.kept.leases[shard].handled for shard in free}

    async def claim(self, wanted: Collection[int]) -> None:
        self.claims += 1
        for shard in wanted:
            self.kept.leases[shard] = replace(self.kept.leases[shard], claimed_by=self.member)

    async def settle(self) -> None:
        self.settled += 1

    async def hand_over(self, shard: int, handled: frozenset[int]) -> bool:
        lease = self.kept.leases[shard]
        if lease.member != self.member or lease.claimed_by is None:
            return False
        self.kept.leases[shard] = Lease(shard, lease.claimed_by, handled=handled)
        return True

    async def leave(self, handled: Mapping[int, frozenset[int]]) -> None:
        for shard, presses in handled.items():
            self.kept.leases[shard] = replace(self.kept.leases[shard], handled=presses)
        self.kept.strike_off(self.member)
