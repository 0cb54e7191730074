"""Debounce and retries of tables' syncs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from unittest.mock import patch

import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import StoreUnavailable
from bot.model.posts import PostKind, Slot
from bot.model.table_record import Agreement, TableRecord
from bot.render.layouts import layout, text
from bot.sync.parts import Sync
from bot.sync.queue import Backlog
from bot.sync.table_sync import TableSync
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import Chance, Resign, Seat, Stage, TableView
from engine.computer import Level
from tests.bot.leaping_loop import leaping
from tests.bot.seating import ADA, BEN, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import sync_in


def in_an_outage(tasks: KeyedTasks) -> tuple[Sync, list[float]]:
    """A sync whose store cannot be read, and the times (s) at which it tries."""
    reads: list[float] = []

    async def table(_: str) -> TableRecord:
        reads.append(asyncio.get_running_loop().time())
        raise StoreUnavailable

    store = stand_in(MemoryStore)
    store.table = table
    return sync_in(store, tasks, Sessions(store, Chance(Random(1)))), reads


@leaping
async def test_a_failing_sync_is_retried_at_least_every_fifteen_seconds_and_at_once_after_a_change() -> None:
    """After a change, such as a move, Discord can be reached."""
    tasks = KeyedTasks()
    sync, reads = in_an_outage(tasks)
    sync.queue.schedule("a")
    await asyncio.sleep(62)
    sync.queue.schedule("a")
    await asyncio.sleep(1)
    await tasks.close()
    assert reads == pytest.approx([0, 1, 3, 7, 15, 30, 45, 60, 62])


@leaping
async def test_unsynced_tables_are_counted() -> None:
    tasks = KeyedTasks()
    sync, _ = in_an_outage(tasks)
    assert sync.queue.backlog == Backlog(syncing=0, retried=0, deferred=0)
    for game in ("a", "b"):
        sync.queue.schedule(game)
    tasks.wake(("clock", "a"), partial(asyncio.sleep, 60))
    assert sync.queue.backlog == Backlog(syncing=2, retried=0, deferred=0)
    await asyncio.sleep(0.5)
    assert sync.queue.backlog == Backlog(syncing=0, retried=2, deferred=0)
    await tasks.close()


@leaping
async def test_tables_whose_shard_is_not_connected_are_deferred_and_counted_until_it_is() -> None:
    tasks, store, presence = KeyedTasks(), MemoryStore(), Presence()
    sessions, _, session, _ = await sit_down(store)
    presence.expect(1)
    sync = sync_in(store, tasks, sessions, presence=presence)
    sync.queue.schedule(session.record.game)
    await asyncio.sleep(1)
    assert sync.queue.backlog == Backlog(syncing=0, retried=0, deferred=1)
    sync.queue.resume_deferred()
    assert sync.queue.backlog == Backlog(syncing=1, retried=0, deferred=0)
    await tasks.close()


@leaping
async def test_the_next_game_of_a_match_is_posted_below_the_result_of_the_one_before() -> None:
    synced: list[str] = []
    tasks, store = KeyedTasks(), MemoryStore()
    sessions, _, session, _ = await sit_down(store, Agreement.of(best_of=3))
    sync = sync_in(store, tasks, sessions)
    sessions.subscribe(sync.queue.on_change)

    async def run(sync: TableSync) -> None:
        if sync.snapshot is not None:
            await asyncio.sleep(5)
        synced.append(sync.game)

    with patch.object(TableSync, "run", run):
        sync.queue.schedule(session.record.game)
        await asyncio.sleep(20)  # from then on it is known that the bot may write in the server
        synced.clear()
        await sessions.move(session.record.game, BEN.user, Resign)
        following = await store.table_in(20)
        assert following is not None
        sync.queue.schedule(following.game)  # as when somebody presses something
        await asyncio.sleep(20)
    await tasks.close()
    assert synced[: synced.index(following.game)] == [session.record.game]


class Recorded:
    """A game whose syncs are recorded with their times (s) instead of sent."""

    def __init__(self, sessions: Sessions, session: Session, sync: Sync) -> None:
        self.sessions, self.session, self.sync = sessions, session, sync
        self.what: list[tuple[str, float]] = []
        """`hands` or `table`, with the loop's time."""

    @property
    def table(self) -> TableView:
        return self.session.game.table

    def schedule(self) -> None:
        self.sync.queue.schedule(self.session.record.game)

    async def record(self, sync: TableSync) -> None:
        """Record the sync, which draws the table alone."""
        what = "hands" if sync.fixed.is_merging else "table"
        self.what.append((what, asyncio.get_running_loop().time()))
        if not sync.fixed.is_merging:
            slot = Slot(PostKind.TABLE, self.table.deal_number)
            drawn = layout(text(f"Drawn {len(self.what)} times."))
            await sync.posts.draw(drawn, slot, 20, version=len(self.what))

    async def move(self) -> Seat:
        """Make the first legal move of the first player in turn, and return their seat."""
        [seat, *_] = self.table.waiting_for
        [first, *_] = self.session.game.legal_moves(seat).moves
        game, user = self.session.record.game, self.session.record.occupants[seat].user
        if user is None:
            await self.sessions.move_for(game, first)
        else:
            await self.sessions.move(game, user, lambda _: first)
        return seat

    async def until_a_reply_is_due(self, *, to_end: bool) -> None:
        """Play slowly in the first deal until the other is to reply to a card of Ada's, which is not synced.

        It ends a count, or does not.
        """
        ada = self.session.seat_of(ADA.user)
        while self.table.deal_number == 1:
            table = self.table
            counts = (*table.past_series, *((table.series,) if table.series else ()))
            is_due = table.stage is Stage.PLAYING and ada not in table.waiting_for and counts != ()
            if is_due and counts[-1][-1].seat == ada and bool(table.series) is not to_end:
                return
            self.schedule()
            await asyncio.sleep(10)
            await self.move()
        raise AssertionError("another seed is needed")

    def since(self, start: float) -> list[tuple[str, float]]:
        """Syncs from `start` on, with the time since."""
        return [(what, round(at - start, 3)) for what, at in self.what if at >= start]


@asynccontextmanager
async def recorded(*, people: int = 2, reply: float = 0.0) -> AsyncIterator[Recorded]:
    """A game of one person against the computer, or of two, in which the first card is to be played."""
    tasks, store = KeyedTasks(), MemoryStore()
    sessions, lobbies, _ = room_of(store)
    record = await lobbies.open(guild=10, channel=20, place="Here", host=ADA, agreement=Agreement())
    if people == 1:
        record = await lobbies.add_computer(record.game, ADA.user, Level.BEGINNER)
    else:
        record = await lobbies.join(record.game, BEN)
    await lobbies.start(record.game, ADA.user)
    sync = sync_in(store, tasks, sessions, merge=1.5, reply=reply)
    game = Recorded(sessions, await sessions.get(record.game), sync)
    while game.table.stage is not Stage.PLAYING:
        await game.move()

    async def run(sync: TableSync) -> None:
        await game.record(sync)

    with patch.object(TableSync, "run", run):
        yield game
    await tasks.close()


@leaping
async def test_in_quick_play_the_table_is_debounced_and_the_hands_are_not() -> None:
    """The first sync after a pause is made at once; moves in its debounce window are one edit."""
    async with recorded() as game:
        for pause in (0, 0.5, 0.5, 5):
            await asyncio.sleep(pause)
            game.schedule()
        await asyncio.sleep(5)
    assert game.since(0) == [("table", 0), ("hands", 0.5), ("hands", 1), ("table", 1.5), ("table", 6)]


@pytest.mark.parametrize(
    ("people", "reply", "to_end", "synced"),
    [
        (1, 1.2, False, [("hands", 0), ("table", 1.2)]),
        (1, 1.2, True, [("table", 0), ("hands", 1.2), ("table", 1.5)]),
        (1, 3.0, False, [("table", 0), ("table", 3.0)]),
        (2, 1.2, False, [("table", 0), ("hands", 1.2), ("table", 1.5)]),
    ],
    ids=["one edit for both", "a count that has ended", "a slow computer", "somebody else"],
)
@leaping
async def test_a_move_is_synced_with_the_computers_reply(
    people: int, reply: float, to_end: bool, synced: list[tuple[str, float]]
) -> None:
    async with recorded(people=people, reply=reply) as game:
        await game.until_a_reply_is_due(to_end=to_end)
        start = asyncio.get_running_loop().time()
        game.schedule()
        await asyncio.sleep(reply)
        await game.move()
        game.schedule()
        await asyncio.sleep(10)
    assert game.since(start) == synced


@leaping
async def test_a_computer_that_does_not_reply_holds_its_table_up_for_a_moment_only() -> None:
    async with recorded(people=1, reply=1.2) as game:
        await game.until_a_reply_is_due(to_end=False)
        start = asyncio.get_running_loop().time()
        for _ in range(3):
            game.schedule()
            await asyncio.sleep(1)
        await asyncio.sleep(10)
    assert game.since(start) == [("hands", 0), ("hands", 1), ("table", 1.5), ("hands", 2), ("table", 3)]


@leaping
async def test_a_count_that_has_ended_is_drawn_before_the_next_card_in_quick_play_too() -> None:
    """The next count replaces it: a player who looks at the table would miss its go, or its 31."""
    async with recorded() as game:
        game.schedule()
        await asyncio.sleep(0.5)
        while not game.table.past_series:
            await game.move()
        for pause in (0.5, 3.0):
            game.schedule()
            await asyncio.sleep(pause)
            await game.move()
    assert game.since(0) == [("table", 0), ("table", 0.5), ("hands", 1), ("table", 2)]
