"""Debounce and retries of tables' syncs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import patch

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, TableRecord
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.sync.parts import Sync
from bot.sync.table_state import Pacing
from bot.sync.table_sync import TableSync
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import Chance, Resign, Seat, Stage
from engine.computer import Level
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, BEN, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import NothingIsShut


class Outage:
    """A store that records the times of reads, and fails until the outage is over."""

    def __init__(self) -> None:
        self.reads: list[float] = []

    async def table(self, game: str) -> TableRecord:
        self.reads.append(asyncio.get_running_loop().time())
        raise StoreUnavailable

    @property
    def pauses(self) -> list[float]:
        """Pauses (s) between reads."""
        return [later - earlier for earlier, later in pairwise(self.reads)]


def sync_in(
    store: Any,
    tasks: KeyedTasks,
    *,
    sessions: Sessions | None = None,
    presence: Presence | None = None,
    merge: float = 0.0,
    reply: float = 0.0,
) -> Sync:
    sessions = sessions or Sessions(store, Chance(Random(1)))
    return Sync.of(
        stand_in(discord.Client),
        store,
        sessions,
        presence or Presence(),
        tasks,
        lobbies=Lobbies(store, sessions, now=time.time),
        knowledge=NothingIsShut(),
        voices=Voices(),
        pacing=Pacing(clock=lambda: 0.0, ring_after=180.0, mention_after=60.0, lull=60.0),
        rated=stand_in(RatedGames),
        merge=merge,
        reply=reply,
    )


def test_a_failing_sync_is_retried_at_least_every_fifteen_seconds() -> None:
    outage = Outage()

    async def wait() -> None:
        tasks = KeyedTasks()
        sync = sync_in(outage, tasks)
        sync.queue.schedule("a")
        await asyncio.sleep(110)
        await tasks.close()

    run_leaping(wait())
    assert outage.pauses == pytest.approx([1, 2, 4, 8, *[15] * 6])


def test_unsynced_tables_are_counted() -> None:
    outage, counted = Outage(), []

    async def wait() -> None:
        tasks = KeyedTasks()
        sync = sync_in(outage, tasks)
        counted.append(sync.queue.backlog)
        for game in ("a", "b"):
            sync.queue.schedule(game)
        tasks.wake(("clock", "a"), partial(asyncio.sleep, 60))
        counted.append(sync.queue.backlog)
        await asyncio.sleep(0.5)
        counted.append(sync.queue.backlog)
        await tasks.close()

    async def put_off() -> None:
        tasks, store = KeyedTasks(), MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        presence = Presence()
        presence.expect(1)
        sync = sync_in(store, tasks, sessions=sessions, presence=presence)
        sync.queue.schedule(session.record.game)
        await asyncio.sleep(1)
        counted.append(sync.queue.backlog)
        await tasks.close()

    run_leaping(wait())
    run_leaping(put_off())
    assert [(each.syncing, each.retried, each.deferred) for each in counted] == [
        (0, 0, 0),
        (2, 0, 0),
        (0, 2, 0),
        (0, 0, 1),
    ]


def test_a_change_is_synced_at_once() -> None:
    """After a change, such as a move, a failing table is retried at once: Discord can be reached."""
    outage = Outage()

    async def move_during_the_pause() -> None:
        tasks = KeyedTasks()
        sync = sync_in(outage, tasks)
        sync.queue.schedule("a")
        await asyncio.sleep(10)  # it was tried after 0, 1, 3 and 7 seconds, and is again after 15
        sync.queue.schedule("a")
        await asyncio.sleep(1)
        await tasks.close()

    run_leaping(move_during_the_pause())
    assert outage.reads == pytest.approx([0, 1, 3, 7, 10])


def test_in_quick_play_the_table_is_debounced_and_the_hands_are_not() -> None:
    """The first sync after a pause is made at once; moves in its debounce window are one edit."""
    synced: list[tuple[str, float]] = []

    async def play() -> None:
        tasks = KeyedTasks()
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        sync = sync_in(store, tasks, sessions=sessions, merge=1.5)
        now = asyncio.get_running_loop().time

        async def run(sync: TableSync) -> None:
            synced.append(("hands" if sync.is_merging else "table", now()))
            if sync.is_merging:
                return
            post = Post(
                game=session.record.game,
                kind=PostKind.TABLE,
                deal=1,
                channel=20,
                message=7,
                drawn=str(len(synced)),
            )
            await sync._posts._book.keep(post)

        with patch.object(TableSync, "run", run):
            for pause in (0, 0.5, 0.5, 5):
                await asyncio.sleep(pause)
                sync.queue.schedule(session.record.game)
            await asyncio.sleep(5)
        await tasks.close()

    run_leaping(play())
    assert [what for what, _ in synced] == ["table", "hands", "hands", "table", "table"]
    assert [at for _, at in synced] == pytest.approx([0, 0.5, 1, 1.5, 6])


def test_the_next_game_of_a_match_is_posted_below_the_result_of_the_one_before() -> None:
    synced: list[str] = []

    async def end_a_game() -> None:
        tasks, store = KeyedTasks(), MemoryStore()
        sessions, _, session, _ = await sit_down(store, Agreement.of(best_of=3))
        sync = sync_in(store, tasks, sessions=sessions)
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

    run_leaping(end_a_game())


class RecordedSyncs:
    """Syncs of one game, recorded with their times instead of sent."""

    def __init__(self, session: Session) -> None:
        self.what: list[tuple[str, float]] = []
        """`hands` or `table`, with the loop's time (s)."""
        self._session = session

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Record syncs instead of making them."""

        async def run(sync: TableSync) -> None:
            what = "hands" if sync.is_merging else "table"
            self.what.append((what, asyncio.get_running_loop().time()))
            if sync.is_merging:
                return
            assert sync.snapshot is not None
            post = Post(
                game=self._session.record.game,
                kind=PostKind.TABLE,
                deal=sync.snapshot.latest,
                channel=20,
                message=7,
                drawn=str(len(self.what)),
            )
            await sync._posts._book.keep(post)

        with patch.object(TableSync, "run", run):
            yield

    def since(self, start: float) -> list[tuple[str, float]]:
        """Syncs from `start` on, with the time (s) since."""
        return [(what, round(at - start, 3)) for what, at in self.what if at >= start]


async def in_the_play(store: MemoryStore, *, people: int, seed: int = 1) -> tuple[Sessions, Session]:
    """A game in which the first card is to be played: of one person against the computer, or of two."""
    sessions, lobbies, _ = room_of(store, seed)
    record = await lobbies.open(guild=10, channel=20, place="Here", host=ADA, agreement=Agreement())
    if people == 1:
        record = await lobbies.add_computer(record.game, ADA.user, Level.BEGINNER)
    else:
        record = await lobbies.join(record.game, BEN)
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    while session.game.table.stage is not Stage.PLAYING:
        await move(sessions, session)
    return sessions, session


async def move(sessions: Sessions, session: Session) -> Seat:
    """Make the first legal move of the first player in turn, and return their seat."""
    [seat, *_] = session.game.table.waiting_for
    [first, *_] = session.game.legal_moves(seat).moves
    user = session.record.occupants[seat].user
    if user is None:
        await sessions.move_for(session.record.game, first)
    else:
        await sessions.move(session.record.game, user, lambda _: first)
    return seat


async def until_a_reply_is_due(sync: Sync, sessions: Sessions, session: Session, *, to_end: bool) -> None:
    """Play slowly in the first deal until the other is to reply to a card of Ada's, which is not synced yet.

    It ends a count, or does not.
    """
    ada = session.seat_of(ADA.user)
    while session.game.table.deal_number == 1:
        table = session.game.table
        counts = (*table.past_series, *((table.series,) if table.series else ()))
        is_due = table.stage is Stage.PLAYING and ada not in table.waiting_for and counts != ()
        if is_due and counts[-1][-1].seat == ada and bool(table.series) is not to_end:
            return
        sync.queue.schedule(session.record.game)
        await asyncio.sleep(10)
        await move(sessions, session)
    raise AssertionError("another seed is needed")


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
def test_a_move_is_synced_with_the_computers_reply(
    people: int, reply: float, to_end: bool, synced: list[tuple[str, float]]
) -> None:
    seen: list[tuple[str, float]] = []

    async def play() -> None:
        tasks, store = KeyedTasks(), MemoryStore()
        sessions, session = await in_the_play(store, people=people)
        sync = sync_in(store, tasks, sessions=sessions, merge=1.5, reply=reply)
        notes = RecordedSyncs(session)
        with notes.instead():
            await until_a_reply_is_due(sync, sessions, session, to_end=to_end)
            start = asyncio.get_running_loop().time()
            sync.queue.schedule(session.record.game)
            await asyncio.sleep(reply)
            await move(sessions, session)
            sync.queue.schedule(session.record.game)
            await asyncio.sleep(10)
        seen.extend(notes.since(start))
        await tasks.close()

    run_leaping(play())
    assert seen == synced


def test_a_computer_that_does_not_reply_holds_its_table_up_for_a_moment_only() -> None:
    seen: list[tuple[str, float]] = []

    async def play() -> None:
        tasks, store = KeyedTasks(), MemoryStore()
        sessions, session = await in_the_play(store, people=1)
        sync = sync_in(store, tasks, sessions=sessions, merge=1.5, reply=1.2)
        notes = RecordedSyncs(session)
        with notes.instead():
            await until_a_reply_is_due(sync, sessions, session, to_end=False)
            start = asyncio.get_running_loop().time()
            for _ in range(3):
                sync.queue.schedule(session.record.game)
                await asyncio.sleep(1)
            await asyncio.sleep(10)
        seen.extend(notes.since(start))
        await tasks.close()

    run_leaping(play())
    assert seen == [("hands", 0), ("hands", 1), ("table", 1.5), ("hands", 2), ("table", 3)]


def test_a_count_that_has_ended_is_drawn_before_the_next_card_in_quick_play_too() -> None:
    """The next count replaces it: a player who looks at the table would miss its go, or its 31."""
    seen: list[tuple[str, float]] = []

    async def play() -> None:
        tasks, store = KeyedTasks(), MemoryStore()
        sessions, session = await in_the_play(store, people=2)
        sync = sync_in(store, tasks, sessions=sessions, merge=1.5)
        notes = RecordedSyncs(session)
        start = asyncio.get_running_loop().time()
        with notes.instead():
            sync.queue.schedule(session.record.game)
            await asyncio.sleep(0.5)
            while not session.game.table.past_series:
                await move(sessions, session)
            for pause in (0.5, 3.0):
                sync.queue.schedule(session.record.game)
                await asyncio.sleep(pause)
                await move(sessions, session)
        seen.extend(notes.since(start))
        await tasks.close()

    run_leaping(play())
    assert seen == [("table", 0), ("table", 0.5), ("hands", 1), ("table", 2)]
