"""Processes on one PostgreSQL database: leases, the fence, turns, slots, open hands and hints."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseInUse, LeaseLost, ShardsDiffer
from bot.model.hints import Hint
from bot.model.open_hands import LentToken, OpenHand
from bot.store import Store
from bot.store.drivers.postgresql import (
    PostgresDatabase,
    PostgresHints,
    PostgresLeases,
    PostgresOpenHands,
    SharedPacing,
    leases,
    only_bot_on,
)
from bot.store.drivers.postgresql.database import connected
from tests.bot.store.tables import EVERYTHING, table, turns
from tests.patience import PATIENCE
from tests.postgresql import Server

Start = Callable[..., Awaitable[SimpleNamespace]]

LONG = 3600.0
"""Time (s) within which any machine is through with a test."""


def process_on(database: PostgresDatabase) -> SimpleNamespace:
    """A process's own connections."""
    return SimpleNamespace(
        database=database,
        store=Store(database, lambda: 1_000),
        leases=PostgresLeases(database),
        hints=PostgresHints(database),
        hands=PostgresOpenHands(database),
        pacing=SharedPacing(database),
    )


async def change(process: SimpleNamespace, statement: str, *values: object) -> None:
    """Change rows by a statement of a test's own, which no lease fences."""
    async with connected(process.database.address) as connection:
        await connection.execute(statement, *values)


async def be_late(process: SimpleNamespace) -> None:
    """Let it have said nothing for long."""
    until = "UPDATE members SET until = now() - interval '1 second' WHERE number = $1"
    await change(process, until, process.leases.member)


@pytest.fixture
async def start(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Start]:
    """Starts a process on a database that all of them share."""
    monkeypatch.setattr(leases, "LASTS", LONG)
    address = await postgres_server.emptied()
    async with AsyncExitStack() as opened:

        async def started(count: int | None = 4, *, behind: float = 0.0) -> SimpleNamespace:
            database = await PostgresDatabase.open(address, PATIENCE, behind=behind)
            opened.push_async_callback(database.close)
            process = process_on(database)
            if count is not None:
                await process.leases.join(count)
            return process

        yield started


def holders(standing: leases.Standing) -> dict[int, int | None]:
    return {lease.shard: lease.member for lease in standing.leases}


async def test_a_free_shard_is_taken_once_and_handed_over_to_who_has_asked(start: Start) -> None:
    first, second = await start(), await start()
    got = await asyncio.gather(first.leases.take({0, 1, 2}), second.leases.take({1, 2, 3}))
    assert sorted([*got[0], *got[1]]) == [0, 1, 2, 3]

    (mine, *_), taken = sorted(got[0]), frozenset({123, 456})
    assert not await first.leases.hand_over(mine, taken), "nobody has asked"
    await second.leases.claim({mine})
    assert await first.leases.hand_over(mine, taken)
    standing = await second.leases.renew()
    lease = next(each for each in standing.leases if each.shard == mine)
    assert (lease.member, lease.claimed_by, lease.handled) == (second.leases.member, None, taken)
    assert standing.members.keys() == {first.leases.member, second.leases.member}
    assert not await first.leases.hand_over(mine, taken), "it is not its own any more"


async def test_who_has_left_joins_again_by_another_number(start: Start) -> None:
    """A start is tried again by the same connections, after its first attempt has left."""
    first = await start()
    before = first.leases.member
    await first.leases.leave({})
    await first.leases.join(4)
    assert first.leases.member > before
    assert await first.leases.take({0}) == {0: frozenset()}


async def test_who_is_late_is_struck_off_and_writes_nothing_any_more(start: Start) -> None:
    first, second = await start(), await start()
    await first.leases.take({0, 1})
    beginning, first_move, *_ = turns(1, EVERYTHING)
    game = (await first.store.open_table(table(agreement=EVERYTHING))).game
    version = (await first.store.begin(game, beginning)).version
    await be_late(first)

    assert set(holders(await second.leases.renew()).values()) == {None}
    with pytest.raises(LeaseLost):
        await first.store.append(game, version, first_move, over=False)
    with pytest.raises(LeaseLost):
        await first.leases.renew()
    await first.store.mark_synced(game, version)
    with pytest.raises(LeaseLost):
        await first.database.flush()
    assert (await second.store.table(game)).synced == 0
    assert await second.store.append(game, version, first_move, over=False) == version + len(first_move)


async def test_a_shard_that_was_asked_for_and_then_taken_is_asked_for_no_more(start: Start) -> None:
    """Its holder was killed, and struck off only after its successor had asked for it."""
    killed, successor = await start(), await start()
    await killed.leases.take({0})
    await successor.leases.claim({0})
    await be_late(killed)
    await successor.leases.renew()

    assert set(await successor.leases.take({0})) == {0}
    lease, *_ = (await successor.leases.renew()).leases
    assert (lease.member, lease.claimed_by) == (successor.leases.member, None)
    assert not await successor.leases.hand_over(0, frozenset())


async def test_who_is_late_but_just_writing_is_struck_off_after_the_write(start: Start) -> None:
    first, second = await start(), await start()
    await first.leases.take({0})
    writing, may_end = asyncio.Event(), asyncio.Event()

    async def slowly(_: object) -> None:
        writing.set()
        await may_end.wait()

    write = asyncio.create_task(first.database.write(slowly))
    await writing.wait()
    await be_late(first)
    assert holders(await second.leases.renew())[0] == first.leases.member
    may_end.set()
    await write
    assert holders(await second.leases.renew())[0] is None


async def test_who_says_in_time_that_it_lives_stays(start: Start) -> None:
    first, second = await start(), await start()
    await first.leases.take({0})
    await be_late(first)
    await first.leases.renew()

    standing = await second.leases.renew()
    assert standing.members.keys() == {first.leases.member, second.leases.member}
    assert holders(standing)[0] == first.leases.member


async def test_after_an_outage_nobody_is_struck_off_by_who_was_late_too(start: Start) -> None:
    first, second, third = everybody = [await start() for _ in range(3)]
    for shard, process in enumerate(everybody):
        await process.leases.take({shard})
        await be_late(process)

    members = [each.leases.member for each in everybody]
    await asyncio.gather(first.leases.renew(), second.leases.renew())
    standing = await first.leases.renew()
    assert [holders(standing)[shard] for shard in range(3)] == members
    enough = "SELECT min(until) > now() + interval '10 minutes' FROM members"
    assert await third.database.read_one(lambda each: each.fetchval(enough)), "time enough to say so"

    await be_late(third)
    assert holders(await first.leases.renew())[2] is None, "it had its chance, and was silent"


async def test_nobody_hands_over_what_has_gone_to_another(start: Start) -> None:
    """A hand-over whose confirmation was lost is retried."""
    first, second, third = [await start() for _ in range(3)]
    await first.leases.take({0})
    await second.leases.claim({0})
    assert await first.leases.hand_over(0, frozenset())
    await third.leases.claim({0})

    assert not await first.leases.hand_over(0, frozenset())
    assert holders(await third.leases.renew())[0] == second.leases.member


@pytest.mark.parametrize("how", ["settles", "hands over", "leaves"])
async def test_what_was_synced_is_stored_before_another_process_has_the_shard(how: str, start: Start) -> None:
    """`mark_synced` is written behind; without a flush the next process would draw everything again."""
    first, second = await start(behind=600.0), await start()
    await first.leases.take({0})
    game = (await first.store.open_table(table(agreement=EVERYTHING))).game
    version = (await first.store.begin(game, next(turns(1, EVERYTHING)))).version
    await first.store.mark_synced(game, version)
    assert (await second.store.table(game)).synced == 0

    if how == "settles":
        await first.leases.settle()
    elif how == "leaves":
        await first.leases.leave({})
    else:
        await second.leases.claim({0})
        assert await first.leases.hand_over(0, frozenset())
    assert (await second.store.table(game)).synced == version


async def test_what_another_process_has_changed_is_read(start: Start) -> None:
    """One that is alone remembers what a person has chosen."""
    first, second = await start(), await start()
    for always_cut in (True, False):
        await second.store.prefer(7, always_cut=always_cut)
        assert (await first.store.preferences(7)).always_cut is always_cut


async def test_who_leaves_lets_go_of_everything_at_once(start: Start) -> None:
    first, second = await start(), await start()
    await first.leases.take({0, 1})
    await first.leases.leave({0: frozenset({123})})

    standing = await second.leases.renew()
    assert set(holders(standing).values()) == {None}
    assert standing.members.keys() == {second.leases.member}
    assert await second.leases.take({0, 1}) == {0: {123}, 1: frozenset()}
    with pytest.raises(LeaseLost):
        await first.store.open_table(table())


async def test_all_processes_have_the_same_number_of_shards(start: Start) -> None:
    first = await start(4)
    with pytest.raises(ShardsDiffer):
        await start(8)
    await first.leases.leave({})
    other = await start(2)
    assert holders(await other.leases.renew()) == {0: None, 1: None}

    await be_late(other)
    assert len(holders(await (await start(3)).leases.renew())) == 3, "who is late has no say"


async def test_who_starts_together_with_one_that_has_another_number_of_shards_waits_and_is_refused(
    start: Start,
) -> None:
    process = await start(None)
    waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'members'::regclass"
    async with connected(process.database.address) as connection:
        async with connection.transaction(), asyncio.timeout(PATIENCE):
            await connection.execute("INSERT INTO members (shards, until) VALUES (8, 'infinity')")
            joining = asyncio.create_task(process.leases.join(4))
            while await connection.fetchval(waits) is None:
                pass
        with pytest.raises(ShardsDiffer):
            await joining


async def test_turns_to_identify_are_a_period_apart_for_each_key(start: Start) -> None:
    first, second = await start(), await start()
    taken = [
        await first.pacing.turn(0, LONG, 2 * LONG),
        await second.pacing.turn(0, LONG, 2 * LONG),
        await first.pacing.turn(1, LONG, 2 * LONG),
    ]
    assert taken[0] == taken[2] == (0, True)
    assert 0 < taken[1][0] <= LONG
    assert taken[1][1]


async def test_a_turn_that_is_far_off_is_not_taken(start: Start) -> None:
    first, second = await start(), await start()
    await first.pacing.turn(0, 10 * LONG, 2 * LONG)
    for each in (first, second, second):
        seconds, is_taken = await each.pacing.turn(0, 10 * LONG, 2 * LONG)
        assert 9 * LONG < seconds <= 10 * LONG
        assert not is_taken
    await change(first, "UPDATE identify_turns SET free_at = clock_timestamp() + interval '1 hour'")
    seconds, is_taken = await second.pacing.turn(0, 10 * LONG, 2 * LONG)
    assert 0 < seconds <= LONG
    assert is_taken
    seconds, is_taken = await first.pacing.turn(0, 10 * LONG, 2 * LONG)
    assert 10 * LONG < seconds <= 11 * LONG
    assert not is_taken


async def test_of_many_that_ask_at_once_one_takes_the_turn(start: Start) -> None:
    several = [await start() for _ in range(3)]
    turns = await asyncio.gather(*(each.pacing.turn(0, LONG, 2.0) for each in several))
    assert sorted(is_taken for _, is_taken in turns) == [False, False, True]
    assert all(seconds >= 2 for seconds, is_taken in turns if not is_taken)


async def test_turns_and_slots_that_nobody_took_are_over(start: Start) -> None:
    """Otherwise all would identify, and send, together after a quiet time."""
    process = await start()
    pacing = process.pacing
    await pacing.turn(0, 1.0, 2.0)
    await pacing.slots(10, 10)
    for each in ("identify_turns", "request_slots"):
        await change(process, f"UPDATE {each} SET free_at = free_at - interval '1 hour'")

    assert [await pacing.turn(0, LONG, 2.0), await pacing.slots(36_000, 10)] == [(0, True), 0]
    assert (await pacing.turn(0, LONG, 2.0))[0] > 0
    assert (await pacing.slots(36_000, 10) or 0.0) > 0


async def test_slots_follow_one_another_over_all_processes(start: Start) -> None:
    first, second = await start(), await start()
    seconds = [await each.pacing.slots(36_000, 10) for each in (first, second, first)]
    assert seconds[0] == 0
    assert seconds[1] is not None
    assert seconds[2] is not None
    assert 0 < seconds[1] <= LONG < seconds[2] <= 2 * LONG


async def test_without_the_database_nobody_gives_slots(start: Start) -> None:
    process = await start()
    await process.database.close()
    assert await process.pacing.slots(1, 45) is None


def open_hand(game: str, expires: float) -> OpenHand:
    token = LentToken(
        message=70, application=9, token="s3cr3t", is_original=True, expires=expires, language="fr"
    )
    return OpenHand(game=game, user=7, token=token, digest="abc", version=4, draft=None)


async def test_open_hands_go_to_the_next_process_once_and_not_when_their_tokens_are_over(
    start: Start,
) -> None:
    first, second = await start(), await start()
    soon = time.time() + 600
    hands = [open_hand("a", soon), open_hand("b", time.time() - 1)]
    assert "s3cr3t" not in repr(hands)
    await first.hands.keep(3, [open_hand("c", soon)])
    await first.hands.keep(2, [open_hand("older", soon)])
    await first.hands.keep(2, hands)

    assert await second.hands.take(2) == (hands[0],)
    assert await second.hands.take(2) == ()
    assert [each.game for each in await second.hands.take(3)] == ["c"]

    await first.hands.keep(2, [open_hand("d", time.time() - 1)])
    await first.hands.keep(3, [])
    count = "SELECT count(*) FROM open_hands"
    assert await first.database.read_one(lambda connection: connection.fetchval(count)) == 0, "of dead tokens"


async def test_hints_reach_the_others_and_a_new_connection_is_told(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A lost connection is noticed without the keep-alive query.
    monkeypatch.setattr("bot.store.drivers.postgresql.database.ALIVE", LONG)
    first, second = await start(), await start()
    heard: asyncio.Queue[Hint] = asyncio.Queue()
    missed: asyncio.Queue[None] = asyncio.Queue()
    changed: asyncio.Queue[None] = asyncio.Queue()
    pressed: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
    listening = asyncio.create_task(
        second.hints.listen(
            heard.put_nowait,
            lambda: changed.put_nowait(None),
            lambda: missed.put_nowait(None),
            pressed.put_nowait,
        )
    )
    async with asyncio.timeout(PATIENCE):
        await missed.get()
        hints = [Hint(game=f"g{number}", sender=first.leases.member) for number in range(5)]
        for hint in hints:
            await first.hints.send(hint)
        assert [await heard.get() for _ in hints] == hints
        await change(first, "NOTIFY fifteen_two_games, 'of a newer version'")
        await first.hints.send(hints[1])
        assert await heard.get() == hints[1], "what cannot be read is passed over"
        await first.hints.pass_on({"id": "1", "token": "t" * 9_000})
        assert (await pressed.get())["id"] == "1"
        await first.leases.take({0})
        await changed.get()

        await change(
            first,
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query ILIKE 'LISTEN%' AND datname = current_database() AND pid != pg_backend_pid()
            """,
        )
        await missed.get()
        await first.hints.send(hints[0])
        assert await heard.get() == hints[0]
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening


async def test_who_cannot_connect_to_listen_tries_again(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, missed = await start(), asyncio.Event()

    def refused(_: PostgresAddress) -> None:
        monkeypatch.undo()
        raise ConnectionRefusedError

    monkeypatch.setattr("bot.store.drivers.postgresql.hints.connected", refused)
    listening = asyncio.create_task(
        process.hints.listen(lambda _: None, lambda: None, missed.set, lambda _: None)
    )
    async with asyncio.timeout(PATIENCE):
        await missed.wait()
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening


async def test_processes_hold_the_database_together_and_one_bot_alone_is_refused(
    postgres_server: Server,
) -> None:
    address = await postgres_server.emptied()
    async with only_bot_on(address, 0.0, shared=True), only_bot_on(address, 0.0, shared=True):
        with pytest.raises(DatabaseInUse):
            async with only_bot_on(address, 0.0):
                raise AssertionError("it is not alone")
    async with only_bot_on(address, 0.0):
        with pytest.raises(DatabaseInUse):
            async with only_bot_on(address, 0.0, shared=True):
                raise AssertionError("the other one is alone")
