"""Distribution of shards among processes, by a database in memory, with a clock that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.gateway.shard_leases import ShardLeases
from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.shards import shards
from tests.bot.leaping_loop import leaping
from tests.patience import PATIENCE

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


class Process:
    """One process, which notes what it is told."""

    def __init__(self, leases: Leases, own: str) -> None:
        self.own = shards(own)
        self.leases = leases
        self.connected: set[int] = set()
        self.connecting: set[int] = set()
        self.said: list[str] = []
        self.keeper = ShardLeases(self.leases, self.own, self)
        self.poll = self.keeper.poll

    @classmethod
    async def start(cls, leases: Leases, own: str, *, connected: Collection[int] | None = None) -> Process:
        """A process that has looked at its leases once; all of its own shards are connected by default."""
        process = cls(leases, own)
        await process.leases.join(process.own.count)
        process.connected = set(process.own.own if connected is None else connected)
        await process.poll()
        return process

    def is_connected(self, shard: int) -> bool:
        return shard in self.connected

    def connect(self, shard: int) -> None:
        self.connecting.add(shard)

    def gained(self, shard: int, handled: frozenset[int]) -> None:
        self.said.append(f"gained {shard} {sorted(handled)}")

    def mark_uncertain(self, shard: int) -> None:
        self.said.append(f"doubts {shard}")

    async def give_up(self, shard: int) -> frozenset[int]:
        self.said.append(f"gave up {shard}")
        return frozenset({shard + 100})

    async def leave(self, shard: int) -> None:
        self.said.append(f"left {shard}")

    def superseded(self) -> None:
        self.said.append("superseded")

    def lost(self, error: LeaseLost) -> None:
        self.said.append(f"lost: {type(error).__name__}")

    @property
    def kept(self) -> Kept:
        """The database."""
        return self.leases.kept

    @property
    def held(self) -> set[int]:
        return set(self.keeper.held)


async def succession(own: str, **options: Any) -> tuple[Process, Process]:
    """A process that holds these shards, and its successor, which has asked for them once connected."""
    old = await Process.start(Leases(Kept()), own)
    return old, await Process.start(Leases(old.kept), own, **options)


async def test_each_takes_its_own_shards_and_leaves_the_others_theirs() -> None:
    kept = Kept()
    first = await Process.start(Leases(kept), "0-1/4")
    second = await Process.start(Leases(kept), "2-3/4")

    await first.poll()
    await second.poll()
    await first.poll()

    assert (first.held, second.held) == ({0, 1}, {2, 3})
    assert first.said == ["gained 0 []", "gained 1 []"]


async def test_the_shards_of_one_that_is_gone_are_shared_among_the_others() -> None:
    kept = Kept()
    processes = [await Process.start(Leases(kept), f"{4 * part}-{4 * part + 3}/16") for part in range(4)]
    gone, *others = processes
    kept.now += LASTS + 1
    for process in others:
        kept.until[process.leases.member] = kept.now

    for _ in range(6):
        for process in reversed(others):
            await process.poll()

    assert set.union(*(process.held for process in others)) == set(range(16))
    assert max(len(process.held) for process in others) <= 4 + 2
    with pytest.raises(LeaseLost):
        await gone.poll()


async def test_one_that_comes_back_is_connected_before_it_gets_its_shards_back() -> None:
    kept = Kept()
    other = await Process.start(Leases(kept), "1/2")
    for _ in range(2):
        await other.poll()
    assert other.held == {0, 1}

    back = await Process.start(Leases(kept), "0/2", connected=())
    assert not await back.poll(), "it has nothing yet, and waits for it"
    await other.poll()
    assert other.held == {0, 1}

    back.connected = {0}
    await back.poll()
    assert not await other.poll()
    await back.poll()
    assert (other.held, back.held) == ({1}, {0})
    assert other.said[-2:] == ["gave up 0", "left 0"]
    assert back.said == ["gained 0 [100]"], "with the presses that were answered there"


async def test_a_successor_takes_all_and_the_old_one_is_superseded() -> None:
    old, new = await succession("0-1/2")

    assert await old.poll()
    await new.poll()
    assert (old.held, new.held) == (set(), {0, 1})
    assert "left 0" not in old.said, "its last answers are still to be given"
    assert not await new.poll()


async def test_who_has_shards_of_another_too_is_superseded_all_the_same() -> None:
    old = await Process.start(Leases(Kept()), "0/2")
    for _ in range(2):
        await old.poll()
    assert old.held == {0, 1}
    await Process.start(Leases(old.kept), "0/2")
    assert await old.poll()


@pytest.mark.parametrize("is_out_of_reach", [False, True])
async def test_what_is_to_be_written_is_written_once_before_presses_wait(*, is_out_of_reach: bool) -> None:
    """That may be hundreds of writes, and presses wait for seconds only."""
    old, new = await succession("0-1/2")

    async def settle() -> None:
        old.said.append("settled")
        if is_out_of_reach:
            raise StoreUnavailable

    old.leases.settle = settle  # type: ignore[method-assign]
    assert await old.poll()
    assert old.said[2:] == ["settled", "gave up 0", "gave up 1"]
    await new.poll()
    assert new.leases.settled == 0


async def test_one_that_comes_back_connects_only_where_somebody_lives_who_answers() -> None:
    """Or it would be ready, and presses would wait for the end of a dead process's lease."""
    kept = Kept()
    _killed, living = [await Process.start(Leases(kept), own) for own in ("0/2", "1/2")]
    kept.now += 1
    back = await Process.start(Leases(kept), "0-1/2", connected=())
    assert back.connecting == set(), "nobody has said anything since"

    kept.now += 1
    await living.poll()
    await back.poll()
    assert back.connecting == {1}

    kept.now += LASTS - 1
    await living.poll()
    await back.poll()
    assert back.held == {0}, "the lease of the other is over"


async def test_who_has_asked_for_the_shard_of_one_that_was_killed_keeps_it() -> None:
    killed, successor = await succession("0/1")
    killed.kept.strike_off(killed.leases.member)

    for _ in range(3):
        assert not await successor.poll()
    assert successor.said == ["gained 0 []"]


async def test_the_successor_of_one_that_has_left_knows_what_that_one_answered() -> None:
    old, new = await succession("0/1", connected=())
    await old.leases.leave({0: frozenset({123})})
    await new.poll()
    assert new.said == ["gained 0 [123]"]


async def test_what_was_asked_for_by_one_that_is_gone_stays() -> None:
    old, new = await succession("0/1")

    async def is_gone(shard: int) -> frozenset[int]:
        old.kept.strike_off(new.leases.member)
        return frozenset()

    old.give_up = is_gone  # type: ignore[method-assign]
    assert not await old.poll()
    assert old.held == {0}
    assert old.said == ["gained 0 []", "gained 0 []"]


async def test_it_ends_when_it_is_given_up_and_goes_on_after_an_outage() -> None:
    process = await Process.start(Leases(Kept()), "0/1")
    process.leases.is_out_of_reach = True
    with pytest.raises(StoreUnavailable):
        await process.poll()
    process.leases.is_out_of_reach = False
    await process.poll()
    assert process.held == {0}

    process.kept.strike_off(process.leases.member)
    await process.keeper.keep()
    assert process.said[-1] == "lost: LeaseLost"


async def test_what_is_asked_for_is_asked_for_once() -> None:
    """Everybody looks when somebody has asked, and would ask again."""
    _, new = await succession("0/1")
    for _ in range(2):
        await new.poll()
    assert new.leases.claims == 1


async def test_what_a_successor_has_already_is_not_asked_back_while_the_rest_is_on_its_way() -> None:
    old, new = await succession("0-1/2", connected={0})
    assert not await old.poll(), "it has still one of its own"
    await new.poll()
    await old.poll()

    assert (old.held, new.held) == ({1}, {0})
    assert old.leases.claims == 0


async def test_what_was_handed_over_to_one_that_is_gone_comes_back() -> None:
    old = await Process.start(Leases(Kept()), "0-1/2")
    gone = await Process.start(Leases(old.kept), "0/2")
    await old.poll()
    assert old.held == {1}
    old.kept.strike_off(gone.leases.member)
    await old.poll()
    assert old.held == {0, 1}


@pytest.mark.parametrize("is_done", [True, False])
@leaping
async def test_a_hand_over_with_an_unknown_outcome_is_done_once(*, is_done: bool) -> None:
    """The connection was lost. Or two processes would have the shard, and both answer its presses."""
    old, new = await succession("0/1")
    hand_over = old.leases.hand_over

    async def unsaid(shard: int, handled: frozenset[int]) -> bool:
        old.leases.hand_over = hand_over  # type: ignore[method-assign]
        if is_done:
            await hand_over(shard, handled)
        raise StoreUnavailable

    old.leases.hand_over = unsaid  # type: ignore[method-assign]
    assert await old.poll()
    await new.poll()
    assert (old.held, new.held) == (set(), {0})
    assert old.said == ["gained 0 []", "gave up 0"], "it does not come to rest twice"
    assert new.said == ["gained 0 [100]"]


async def test_a_process_that_is_struck_off_in_a_hand_over_ends() -> None:
    old, _ = await succession("0/1")

    async def lost(shard: int, handled: frozenset[int]) -> bool:
        raise LeaseLost

    old.leases.hand_over = lost  # type: ignore[method-assign,assignment]
    async with asyncio.timeout(PATIENCE):
        await old.keeper.keep()
    assert old.said[-1] == "lost: LeaseLost"


@leaping
async def test_it_looks_every_second_and_when_something_has_changed_and_through_an_outage() -> None:
    looked: list[float] = []
    loop = asyncio.get_running_loop()
    process = await Process.start(Leases(Kept()), "0/1")
    renew = process.leases.renew

    async def noted() -> Standing:
        looked.append(round(loop.time(), 3))
        return await renew()

    process.leases.renew = noted  # type: ignore[method-assign]
    keeping = asyncio.create_task(process.keeper.keep())
    await asyncio.sleep(1.5)
    process.keeper.changed()
    await asyncio.sleep(1.2)
    process.leases.is_out_of_reach = True
    await asyncio.sleep(1)
    process.leases.is_out_of_reach = False
    await Process.start(Leases(process.kept), "0/1")
    await asyncio.sleep(3)
    assert process.said[-1] == "superseded"
    assert not keeping.done(), "it says that it lives while it gives its last answers"
    process.kept.strike_off(process.leases.member)
    async with asyncio.timeout(5):
        await keeping
    assert process.said[-1] == "superseded", "it is ending already"
    assert looked == [0, 1, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]


@pytest.mark.parametrize("hangs", [False, True])
@leaping
async def test_a_lease_that_may_be_lost_is_uncertain_until_the_database_says(*, hangs: bool) -> None:
    """The database is out of reach, or hangs."""
    process = await Process.start(Leases(Kept()), "0-1/2")
    renew, said = process.leases.renew, process.said

    async def hang() -> Standing:
        await asyncio.sleep(8.7)
        raise StoreUnavailable

    keeping = asyncio.create_task(process.keeper.keep())
    await asyncio.sleep(0.5)
    process.leases.is_out_of_reach = True
    if hangs:
        process.leases.renew = hang  # type: ignore[method-assign]
    await asyncio.sleep(LASTS - 0.6)
    assert said == ["gained 0 []", "gained 1 []"]
    await asyncio.sleep(0.2)
    assert said[2:] == ["doubts 0", "doubts 1"]
    await asyncio.sleep(3)
    process.leases.renew, process.leases.is_out_of_reach = renew, False  # type: ignore[method-assign]
    await asyncio.sleep(10)
    assert said[4:] == ["gained 0 []", "gained 1 []"]
    assert process.held == {0, 1}

    keeping.cancel()
    await asyncio.sleep(10)
    assert len(said) == 6, "nobody asks any more"


@leaping
async def test_leases_are_renewed_during_a_long_hand_over() -> None:
    renewed: list[float] = []
    old, _ = await succession("0/1")
    loop = asyncio.get_running_loop()
    renew = old.leases.renew

    async def noted() -> Standing:
        renewed.append(loop.time())
        old.leases.is_out_of_reach = len(renewed) == 3
        return await renew()

    async def give_up(shard: int) -> frozenset[int]:
        await asyncio.sleep(4.5)
        return frozenset()

    old.leases.renew = noted  # type: ignore[method-assign]
    old.give_up = give_up  # type: ignore[method-assign]
    assert await old.poll()
    assert old.held == set()
    assert renewed == [0, 1, 2, 3, 4]


@leaping
async def test_a_process_that_is_struck_off_during_a_long_hand_over_ends_at_once() -> None:
    old, _ = await succession("0/1")

    async def give_up(shard: int) -> frozenset[int]:
        old.kept.strike_off(old.leases.member)
        try:
            await asyncio.sleep(100)
        finally:
            old.said.append("given up no more")
        return frozenset()

    old.give_up = give_up  # type: ignore[method-assign]
    async with asyncio.timeout(5):
        await old.keeper.keep()
    await asyncio.sleep(0)
    assert sorted(old.said[-2:]) == ["given up no more", "lost: LeaseLost"]
