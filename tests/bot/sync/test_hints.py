"""Tables of another process: this one answers presses, and sends the owner hints."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.concurrency import keyed_tasks
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.gateway.hint_exchange import HintExchange
from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.model.table_record import TableRecord
from bot.sync.circuit_breaker import CircuitBreaker
from bot.sync.live_message import Shown
from bot.sync.posts import Posts
from bot.sync.syncer import TableSyncer
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Resign, Seat
from tests.bot.answered import Answered, context_of
from tests.bot.leaping_loop import leaping
from tests.bot.seating import ADA, sit_down
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import sync_in
from tests.patience import PATIENCE

MESSAGE = 70


class Sent:
    """Hints sent by process 7."""

    member = 7

    def __init__(self) -> None:
        self.hints: list[Hint] = []
        self.is_broken = False

    async def send(self, hint: Hint) -> None:
        if self.is_broken:
            raise StoreUnavailable
        self.hints.append(hint)


class Process:
    """A process that owns the table, or does not."""

    def __init__(self, store: MemoryStore, sessions: Sessions, game: str, *, owns: bool) -> None:
        self.sessions, self.game = sessions, game
        self.presence, self.tasks, self.sent = Presence(), KeyedTasks(passing=(StoreUnavailable,)), Sent()
        self.presence.share(1)
        if owns:
            self.presence.own(0)
            self.presence.mark_scanned(0)
        self.sync = sync_in(store, self.tasks, sessions, presence=self.presence)
        self.exchange = HintExchange(self.sent, self.sync, sessions)
        self.sync.queue.forward_to(self.exchange)
        sessions.share(self.presence.is_elsewhere, self.sync.queue.on_change)
        self.synced: list[str] = []
        """Games that were synced, after `syncs_nothing`."""

    @classmethod
    async def open(cls, *, owns: bool) -> Process:
        """With a game in which Ada has a message by DM."""
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        game = session.record.game
        hand = Post(game=game, kind=PostKind.HAND, channel=5, message=MESSAGE, drawn="old", seat=0)
        await store.keep_post(hand)
        return cls(store, sessions, game, owns=owns)

    def syncs_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Record syncs instead of making them."""

        async def synced(_: TableSyncer, record: TableRecord) -> bool:
            self.synced.append(record.game)
            return True

        monkeypatch.setattr(TableSyncer, "sync", synced)

    async def rests(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


def press() -> Any:
    return SimpleNamespace(user=SimpleNamespace(id=ADA.user), guild_id=None, context=context_of(None))


async def test_a_sync_of_another_processs_table_is_forwarded_to_it() -> None:
    process = await Process.open(owns=False)
    process.sync.queue.repost(process.game)
    process.sync.queue.repost_hand(process.game, Seat(1))
    await process.rests()

    assert process.sent.hints == [
        Hint(game=process.game, sender=7, is_to_be_reposted=True, hands_to_repost=(1,))
    ]
    assert process.game not in process.sync.tables
    process.sync.queue.schedule(process.game)
    await process.rests()
    assert process.sent.hints[1:] == [Hint(game=process.game, sender=7)]


async def test_the_owner_gets_a_hint_with_the_drawing_after_the_answer() -> None:
    process = await Process.open(owns=False)
    sync = process.sync
    with sync.queue.answering(process.game):
        posts = await sync.tables.posts(process.game)
        await sync.queue.receive_press(process.game, press())
        sync.queue.schedule(process.game)
        await process.rests()
        assert not process.sent.hints
        assert posts.over(MESSAGE) == "", "its owner may have drawn there meanwhile"
        await sync.queue.note_answer(process.game, MESSAGE, Shown(digest="new", version=3, draft=1))
    await process.rests()

    drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=1, is_certain=True)
    assert process.sent.hints == [Hint(game=process.game, sender=7, pressed=(0,), drawn=(drawn,))]


async def test_a_hint_that_cannot_be_sent_is_sent_later_with_all_that_was_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyed_tasks, "FIRST_PAUSE", 0.01)
    process = await Process.open(owns=False)
    process.sent.is_broken = True
    process.sync.queue.repost(process.game)
    await asyncio.sleep(0.05)
    process.sent.is_broken = False
    await process.rests()

    assert process.sent.hints == [Hint(game=process.game, sender=7, is_to_be_reposted=True)]


async def test_the_owner_knows_what_an_answer_elsewhere_has_drawn_and_who_looks_at_their_dm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = await Process.open(owns=True)
    sync = process.sync
    process.syncs_nothing(monkeypatch)
    posts = await sync.tables.posts(process.game)
    assert isinstance(posts, Posts)
    drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=None, is_certain=True)
    await process.exchange.receive(
        Hint(
            game=process.game,
            sender=8,
            is_to_be_reposted=True,
            hands_to_repost=(1,),
            pressed=(0,),
            drawn=(drawn,),
        )
    )

    assert posts.over(MESSAGE) == "new"
    state = sync.tables.state(process.game)
    assert state.turns.pressed_at == {Seat(0): 0.0}
    assert (state.moved_at, state.is_to_be_reposted) == ({ADA.user: 0.0}, True)
    assert state.hands_to_repost == {Seat(1)}
    assert not process.sent.hints, "it syncs its table itself"
    await process.tasks.close()


async def test_a_table_that_goes_to_another_process_leaves_nothing_here() -> None:
    process = await Process.open(owns=True)
    sync = process.sync
    posts = await sync.tables.posts(process.game)
    sync.queue.evict(process.game)

    assert posts.over(MESSAGE) == "old", "somebody answers a press with it still"
    assert process.game not in sync.tables
    assert sync.tables.posts_in_use(process.game) is None


@pytest.mark.parametrize(("seconds", "ended"), [(600, "broken off"), (0.05, "synced")])
@leaping
async def test_a_sync_ends_before_a_hand_over_or_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, seconds: float, ended: str
) -> None:
    process = await Process.open(owns=True)
    queue, begun, ends = process.sync.queue, asyncio.Event(), []

    async def takes_so_long(*_: object) -> bool:
        begun.set()
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            ends.append("broken off")
            raise
        ends.append("synced")
        return True

    monkeypatch.setattr(TableSyncer, "sync", takes_so_long)
    queue.schedule(process.game)
    await begun.wait()
    await queue.drain(lambda _: False, 0.05)
    assert not ends
    await queue.drain(lambda record: record.game == process.game, 60.0)
    await process.tasks.close()
    assert ends == [ended]


@pytest.mark.parametrize("what", ["drawn", "may have been drawn", "pressed", "withheld"])
async def test_whatever_came_of_an_answer_is_passed_on_when_the_last_one_is_made(what: str) -> None:
    process = await Process.open(owns=False)
    sync, shown = process.sync, Shown(digest="new", version=3)
    with sync.queue.answering(process.game):
        with sync.queue.answering(process.game):
            if what == "pressed":
                await sync.queue.receive_press(process.game, press())
            elif what == "withheld":
                sync.queue.schedule(process.game)
                await process.rests()
            else:
                is_certain = what == "drawn"
                await sync.queue.note_answer(process.game, MESSAGE, shown, is_certain=is_certain)
        await process.rests()
        assert not process.sent.hints, "another answer is still being made"
    await process.rests()

    (hint,) = process.sent.hints
    assert [each.is_certain for each in hint.drawn] == {"drawn": [True], "may have been drawn": [False]}.get(
        what, []
    )
    assert hint.pressed == ((0,) if what == "pressed" else ())
    with sync.queue.answering(process.game):
        pass
    await process.rests()
    assert process.sent.hints == [hint], "nothing has come of that one"


async def test_while_an_answer_is_made_its_messages_stay_as_they_were_read_and_then_are_read_again() -> None:
    process = await Process.open(owns=False)
    sync = process.sync
    with sync.queue.answering(process.game):
        posts = await sync.tables.posts(process.game)
        assert await sync.tables.posts(process.game) is posts
    assert await sync.tables.posts(process.game) is not posts, "its owner may have posted others"
    assert process.game not in sync.tables, "they are kept by the process that syncs them"


async def test_what_was_drawn_elsewhere_is_known_at_once_also_of_a_table_that_is_elsewhere() -> None:
    process = await Process.open(owns=False)
    sync = process.sync
    with sync.queue.answering(process.game):
        posts = await sync.tables.posts(process.game)
        drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=None, is_certain=True)
        await process.exchange.receive(Hint(game=process.game, sender=8, pressed=(0,), drawn=(drawn,)))
        assert posts.over(MESSAGE) == "new"
    await process.rests()
    assert not process.sent.hints, "its owner has received it too"


async def test_an_answer_elsewhere_that_has_crossed_the_end_of_the_game_is_drawn_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = await Process.open(owns=True)
    process.syncs_nothing(monkeypatch)
    sync = process.sync
    await process.sessions.move(process.game, ADA.user, Resign)
    drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=None, is_certain=True)
    for _ in range(2):  # nobody knows its messages here, and then somebody does
        await process.exchange.receive(Hint(game=process.game, sender=8, drawn=(drawn,)))
        state = sync.tables.pop(process.game)
        assert state is not None
        assert (posts := state.posts) is not None
        assert posts.over(MESSAGE) == "new"
    await process.rests()
    assert process.synced


async def test_a_hint_schedules_a_sync_and_a_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    process = await Process.open(owns=True)
    process.syncs_nothing(monkeypatch)
    sync = process.sync
    probed: list[str] = []
    monkeypatch.setattr(CircuitBreaker, "pressed", lambda _, game: probed.append(game))
    await sync.tables.posts(process.game)
    answer: Any = Answered(ADA.user)
    sync.hands.opened(process.game, answer, 71, Shown(digest="", version=0))
    await process.exchange.receive(Hint(game=process.game, sender=8, pressed=(0, 5)))
    await process.rests()

    assert process.synced == [process.game]
    assert set(probed) == {process.game}
    assert not sync.hands.is_at_the_table(process.game, ADA.user), "they play by DM"


async def test_of_its_own_table_a_process_passes_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    process = await Process.open(owns=True)
    process.syncs_nothing(monkeypatch)
    sync = process.sync
    turns = sync.tables.state(process.game).turns
    with sync.queue.answering(process.game):
        await sync.queue.note_answer(process.game, MESSAGE, Shown(digest="new", version=3))
        await sync.queue.receive_press(process.game, press())
    await process.rests()
    assert not process.synced
    assert turns.pressed_at == {Seat(0): 0.0}


async def test_a_deferred_sync_is_dropped_when_the_table_has_gone() -> None:
    process = await Process.open(owns=True)
    process.presence.lost(0)
    process.sync.queue.schedule(process.game)
    await process.rests()
    assert process.sync.queue.backlog.deferred == 1
    process.sync.queue.evict(process.game)
    assert process.sync.queue.backlog.deferred == 0


@pytest.mark.parametrize("is_unacknowledged", [True, False])
async def test_after_unacknowledged_sends_no_stored_digest_is_trusted(*, is_unacknowledged: bool) -> None:
    """The previous process may have crashed during a sync."""
    process = await Process.open(owns=True)
    process.sync.queue.expect_unacknowledged_sends([process.game] if is_unacknowledged else [])
    posts = await process.sync.tables.posts(process.game)
    assert posts.over(MESSAGE) == ("" if is_unacknowledged else "old")


async def test_a_process_that_ends_passes_on_first_what_it_has_answered() -> None:
    process = await Process.open(owns=False)
    process.sync.queue.schedule(process.game)
    await process.sync.queue.flush(5.0)
    assert process.sent.hints == [Hint(game=process.game, sender=7)]

    process.sent.is_broken = True
    process.sync.queue.schedule(process.game)
    await process.sync.queue.flush(0.05)
    assert len(process.sent.hints) == 1, "it does not wait for ever"
    await process.tasks.close()
