"""Distribution of shards among processes, with a database in memory and a clock that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from unittest.mock import AsyncMock

import pytest

from bot.gateway.shard_leases import ShardLeases
from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.shards import shards
from tests.bot.leaping_loop import run_leaping
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
        self.settle = AsyncMock()

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

    def __init__(self, kept: Kept, own: str) -> None:
        self.own = shards(own)
        self.leases = Leases(kept)
        self.connected: set[int] = set()
        self.connecting: set[int] = set()
        self.said: list[str] = []
        self.keeper = ShardLeases(self.leases, self.own, self)

    @classmethod
    async def start(cls, kept: Kept, own: str, *, is_connected: bool = True) -> Process:
        process = cls(kept, own)
        await process.leases.join(process.own.count)
        if is_connected:
            process.connected = set(process.own.own)
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
    def held(self) -> set[int]:
        return set(self.keeper.held)


async def test_each_takes_its_own_shards_and_leaves_the_others_theirs() -> None:
    kept = Kept()
    first = await Process.start(kept, "0-1/4")
    second = await Process.start(kept, "2-3/4")

    await first.keeper.poll()
    await second.keeper.poll()
    await first.keeper.poll()

    assert (first.held, second.held) == ({0, 1}, {2, 3})
    assert first.said == ["gained 0 []", "gained 1 []"]


async def test_the_shards_of_one_that_is_gone_are_shared_among_the_others() -> None:
    kept = Kept()
    processes = [await Process.start(kept, f"{4 * part}-{4 * part + 3}/16") for part in range(4)]
    for process in processes:
        await process.keeper.poll()
    gone, *others = processes
    kept.now += LASTS + 1
    for process in others:
        kept.until[process.leases.member] = kept.now

    for _ in range(6):
        for process in reversed(others):
            await process.keeper.poll()

    assert set.union(*(process.held for process in others)) == set(range(16))
    assert max(len(process.held) for process in others) <= 4 + 2
    with pytest.raises(LeaseLost):
        await gone.keeper.poll()


async def test_one_that_comes_back_is_connected_before_it_gets_its_shards_back() -> None:
    kept = Kept()
    other = await Process.start(kept, "1/2")
    await other.keeper.poll()
    for _ in range(2):
        await other.keeper.poll()
    assert other.held == {0, 1}

    back = await Process.start(kept, "0/2", is_connected=False)
    assert not await back.keeper.poll(), "it has nothing yet, and waits for it"
    await other.keeper.poll()
    assert other.held == {0, 1}

    back.connected = {0}
    await back.keeper.poll()
    assert not await other.keeper.poll()
    await back.keeper.poll()
    assert (other.held, back.held) == ({1}, {0})
    assert other.said[-2:] == ["gave up 0", "left 0"]
    assert back.said == ["gained 0 [100]"], "with the presses that were answered there"


async def test_a_successor_takes_all_and_the_old_one_is_superseded() -> None:
    kept = Kept()
    old = await Process.start(kept, "0-1/2")
    await old.keeper.poll()
    new = await Process.start(kept, "0-1/2")
    await new.keeper.poll()

    assert await old.keeper.poll()
    await new.keeper.poll()
    assert (old.held, new.held) == (set(), {0, 1})
    assert "left 0" not in old.said, "its last answers are still to be given"
    assert not await new.keeper.poll()


async def test_who_has_shards_of_another_too_is_superseded_all_the_same() -> None:
    kept = Kept()
    old = await Process.start(kept, "0/2")
    for _ in range(3):
        await old.keeper.poll()
    assert old.held == {0, 1}
    new = await Process.start(kept, "0/2")
    await new.keeper.poll()
    assert await old.keeper.poll()


@pytest.mark.parametrize("is_out_of_reach", [False, True])
async def test_what_is_to_be_written_is_written_once_before_presses_wait(*, is_out_of_reach: bool) -> None:
    """That may be hundreds of writes, and presses wait for seconds only."""
    kept = Kept()
    old = await Process.start(kept, "0-1/2")
    await old.keeper.poll()
    new = await Process.start(kept, "0-1/2")
    await new.keeper.poll()

    async def settle() -> None:
        old.said.append("settled")
        if is_out_of_reach:
            raise StoreUnavailable

    old.leases.settle.side_effect = settle
    assert await old.keeper.poll()
    assert old.said[2:] == ["settled", "gave up 0", "gave up 1"]
    await new.keeper.poll()
    new.leases.settle.assert_not_awaited()


async def test_one_that_comes_back_connects_only_where_somebody_lives_who_answers() -> None:
    """Or it would be ready, and presses would wait for the end of a dead process's lease."""
    kept = Kept()
    killed, living = await Process.start(kept, "0/2"), await Process.start(kept, "1/2")
    for process in (killed, living):
        await process.keeper.poll()
    kept.now += 1
    back = await Process.start(kept, "0-1/2", is_connected=False)
    await back.keeper.poll()
    assert back.connecting == set(), "nobody has said anything since"

    kept.now += 1
    await living.keeper.poll()
    await back.keeper.poll()
    assert back.connecting == {1}

    kept.now += LASTS - 1
    await living.keeper.poll()
    await back.keeper.poll()
    assert back.held == {0}, "the lease of the other is over"


async def test_who_has_asked_for_the_shard_of_one_that_was_killed_keeps_it() -> None:
    kept = Kept()
    killed = await Process.start(kept, "0/1")
    await killed.keeper.poll()
    successor = await Process.start(kept, "0/1")
    await successor.keeper.poll()
    kept.strike_off(killed.leases.member)

    for _ in range(3):
        assert not await successor.keeper.poll()
    assert successor.said == ["gained 0 []"]


async def test_the_successor_of_one_that_has_left_knows_what_that_one_answered() -> None:
    kept = Kept()
    old = await Process.start(kept, "0/1")
    await old.keeper.poll()
    new = await Process.start(kept, "0/1", is_connected=False)
    await new.keeper.poll()
    await old.leases.leave({0: frozenset({123})})
    await new.keeper.poll()
    assert new.said == ["gained 0 [123]"]


async def test_what_was_asked_for_by_one_that_is_gone_stays() -> None:
    kept = Kept()
    old = await Process.start(kept, "0/1")
    await old.keeper.poll()
    new = await Process.start(kept, "0/1")
    await new.keeper.poll()

    async def is_gone(shard: int) -> frozenset[int]:
        kept.strike_off(new.leases.member)
        return frozenset()

    old.give_up = is_gone  # type: ignore[method-assign]
    assert not await old.keeper.poll()
    assert old.held == {0}
    assert old.said == ["gained 0 []", "gained 0 []"]


async def test_it_ends_when_it_is_given_up_and_goes_on_after_an_outage() -> None:
    kept = Kept()
    process = await Process.start(kept, "0/1")
    await process.keeper.poll()
    process.leases.is_out_of_reach = True
    with pytest.raises(StoreUnavailable):
        await process.keeper.poll()
    process.leases.is_out_of_reach = False
    await process.keeper.poll()
    assert process.held == {0}

    kept.strike_off(process.leases.member)
    await process.keeper.keep()
    assert process.said[-1] == "lost: LeaseLost"


async def test_what_is_asked_for_is_asked_for_once() -> None:
    """Everybody looks when somebody has asked, and would ask again."""
    kept = Kept()
    old = await Process.start(kept, "0/1")
    await old.keeper.poll()
    new = await Process.start(kept, "0/1")
    for _ in range(3):
        await new.keeper.poll()
    assert new.leases.claims == 1


async def test_what_a_successor_has_already_is_not_asked_back_while_the_rest_is_on_its_way() -> None:
    kept = Kept()
    old = await Process.start(kept, "0-1/2")
    await old.keeper.poll()
    new = await Process.start(kept, "0-1/2", is_connected=False)
    new.connected = {0}
    await new.keeper.poll()
    assert not await old.keeper.poll(), "it has still one of its own"
    await new.keeper.poll()
    await old.keeper.poll()

    assert (old.held, new.held) == ({1}, {0})
    assert old.leases.claims == 0


async def test_what_comes_back_as_its_successor_is_gone_may_be_asked_for_again() -> None:
    kept = Kept()
    old = await Process.start(kept, "0-1/2")
    await old.keeper.poll()
    gone = await Process.start(kept, "0/2")
    await gone.keeper.poll()
    await old.keeper.poll()
    assert old.held == {1}
    kept.strike_off(gone.leases.member)
    await old.keeper.poll()
    assert old.held == {0, 1}
    assert old.keeper._handed_over == set()


class Unsaid(Leases):
    """In the middle of a hand-over the connection is lost: it may have been done."""

    def __init__(self, kept: Kept, *, is_done: bool) -> None:
        super().__init__(kept)
        self.is_done = is_done
        self.tried = 0

    async def hand_over(self, shard: int, handled: frozenset[int]) -> bool:
        self.tried += 1
        if self.tried > 1:
            return await super().hand_over(shard, handled)
        if self.is_done:
            await super().hand_over(shard, handled)
        raise StoreUnavailable


@pytest.mark.parametrize("is_done", [True, False])
def test_a_hand_over_with_an_unknown_outcome_is_done_once(*, is_done: bool) -> None:
    """Or two processes would have the shard, and both answer its presses."""

    async def hand_over() -> None:
        kept = Kept()
        old = Process(kept, "0/1")
        old.leases = Unsaid(kept, is_done=is_done)
        old.keeper = ShardLeases(old.leases, old.own, old)
        await old.leases.join(1)
        await old.keeper.poll()
        new = await Process.start(kept, "0/1")
        await new.keeper.poll()

        assert await old.keeper.poll()
        await new.keeper.poll()
        assert (old.held, new.held) == (set(), {0})
        assert old.said == ["gained 0 []", "gave up 0"], "it does not come to rest twice"
        assert new.said == ["gained 0 [100]"]

    run_leaping(hand_over())


async def test_a_process_that_is_struck_off_in_a_hand_over_ends() -> None:
    kept = Kept()
    old = await Process.start(kept, "0/1")
    await old.keeper.poll()
    new = await Process.start(kept, "0/1")
    await new.keeper.poll()

    async def lost(shard: int, handled: frozenset[int]) -> bool:
        raise LeaseLost

    old.leases.hand_over = lost  # type: ignore[method-assign,assignment]
    async with asyncio.timeout(PATIENCE):
        await old.keeper.keep()
    assert old.said[-1] == "lost: LeaseLost"


def test_it_looks_every_second_and_when_something_has_changed_and_through_an_outage() -> None:
    looked: list[float] = []

    async def keep() -> None:
        kept, loop = Kept(), asyncio.get_running_loop()
        process = await Process.start(kept, "0/1")
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
        new = await Process.start(kept, "0/1")
        await new.keeper.poll()
        await asyncio.sleep(3)
        assert process.said[-1] == "superseded"
        assert not keeping.done(), "it says that it lives while it gives its last answers"
        kept.strike_off(process.leases.member)
        async with asyncio.timeout(5):
            await keeping
        assert process.said[-1] == "superseded", "it is ending already"

    run_leaping(keep())
    assert looked == [0, 1, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]


@pytest.mark.parametrize("hangs", [False, True])
def test_a_lease_that_may_be_lost_is_uncertain_until_the_database_says(*, hangs: bool) -> None:
    """The database is out of reach, or hangs."""

    async def keep() -> None:
        kept = Kept()
        process = await Process.start(kept, "0-1/2")
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

    run_leaping(keep())


def test_leases_are_renewed_during_a_long_hand_over() -> None:
    renewed: list[float] = []

    async def hand_over() -> None:
        kept, loop = Kept(), asyncio.get_running_loop()
        old = await Process.start(kept, "0/1")
        await old.keeper.poll()
        new = await Process.start(kept, "0/1")
        await new.keeper.poll()
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
        assert await old.keeper.poll()
        assert old.held == set()

    run_leaping(hand_over())
    assert renewed == [0, 1, 2, 3, 4]


def test_a_process_that_is_struck_off_during_a_long_hand_over_ends_at_once() -> None:
    async def hand_over() -> None:
        kept = Kept()
        old = await Process.start(kept, "0/1")
        await old.keeper.poll()
        new = await Process.start(kept, "0/1")
        await new.keeper.poll()

        async def give_up(shard: int) -> frozenset[int]:
            kept.strike_off(old.leases.member)
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

    run_leaping(hand_over())
