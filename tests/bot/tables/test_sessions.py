"""Moves: decided, appended to the log, accepted in memory; and logs, read when they are needed."""

from __future__ import annotations

import asyncio
from random import Random
from unittest.mock import MagicMock

import pytest

from bot.background.computer_players import Computers
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import NoTable, StaleButton, StoreUnavailable
from bot.model.table_record import Agreement, Status, TableRecord
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import (
    CameBack,
    CardNotHeld,
    Chance,
    CutForFirstDeal,
    Discard,
    Resign,
    Seat,
    Stage,
    StandIn,
    StarterCut,
    WrongPhase,
)
from engine.computer import Level
from engine.secret_events import LoggedEvent
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import (
    ADA,
    BEN,
    CLEO,
    cut_for_deal,
    desert,
    gather,
    opened,
    room_of,
    sit_down,
)
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE


async def discard(sessions: Sessions, session: Session, seat: int) -> tuple[Session, tuple[LoggedEvent, ...]]:
    """The player in that seat lays away two cards."""
    gift = session.game.view(Seat(seat)).hand[:2]
    user = session.record.occupants[seat].user or 0
    return await sessions.move(session.record.game, user, lambda at: Discard(at, gift))


async def test_a_move_is_durable_before_anybody_is_told() -> None:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store)
    durable: list[int] = []
    sessions = Sessions(store, Chance(Random(1)))
    sessions.subscribe(lambda record: durable.append(len(store.log_of(record.game))))
    session, events = await discard(sessions, session, 0)

    assert len(events) == 1
    assert durable == [session.game.version]


async def test_when_the_store_fails_nothing_has_changed_and_the_move_can_be_made_again() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    before, told = session.game.table, len(news.games)
    store.broken = True

    with pytest.raises(StoreUnavailable):
        await discard(sessions, session, 0)

    assert before == session.game.table
    assert told == len(news.games)

    store.broken = False
    await discard(sessions, session, 0)

    assert session.game.table.has_discarded[0]


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_any_act_of_a_player_wakes_a_game_that_everybody_has_left(is_restarted: bool) -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game = session.record.game
    await desert(sessions, session)
    if is_restarted:
        sessions, _, _ = room_of(store, seed=99)
    before = (await sessions.get(game)).game.table.absences

    await sessions.back_in_play(game, CLEO.user)
    assert (await sessions.get(game)).game.table.absences == before, "they don't play here"
    woken = await sessions.back_in_play(game, BEN.user)

    assert woken.game.table.absences == (before[0], 0)
    assert isinstance(store.log_of(game)[-1], CameBack)
    version = woken.game.version
    await sessions.back_in_play(game, ADA.user)
    assert woken.game.version == version, "it is awake: only a move shows that Ada is back"


async def test_nobody_enters_a_lock_that_somebody_waits_for_already() -> None:
    sessions, _, _ = room_of(MemoryStore())
    inside: list[str] = []
    overlaps: list[tuple[str, ...]] = []

    async def enter(name: str) -> None:
        async with sessions.lock("game"):
            inside.append(name)
            overlaps.append(tuple(inside))
            await asyncio.sleep(0)
            inside.remove(name)

    held = sessions.lock("game")
    await held.acquire()
    waiting = asyncio.create_task(enter("who has waited"))
    await asyncio.sleep(0)
    held.release()
    sessions.forget("game")
    await asyncio.gather(waiting, enter("who comes later"))

    assert overlaps == [("who has waited",), ("who comes later",)]


async def test_a_session_may_be_dropped_though_something_is_done_in_every_game() -> None:
    store = MemoryStore()
    sessions, lobbies = room_of(store, kept=2)[:2]
    games = []
    for channel in range(1, 4):
        record = await gather(lobbies, channel=channel)
        games.append(record.game)
    async with sessions.lock(games[0]), sessions.lock(games[1]), asyncio.timeout(PATIENCE):
        for game in games[:2]:
            await sessions.begin(await store.table(game), None)
        await lobbies.start(games[2], ADA.user)

    assert len(sessions) == 2
    assert (await sessions.get(games[0])).record.status is Status.PLAYING


async def test_a_move_in_a_session_that_is_dropped_meanwhile_is_neither_lost_nor_made_twice() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game = session.record.game
    moving = asyncio.create_task(discard(sessions, session, 0))
    await asyncio.sleep(0)
    sessions.forget(game)
    await discard(sessions, session, 1)
    await moving

    live = await sessions.get(game)
    assert live.game.table.has_discarded == (True, True)
    assert store.log_of(game) == live.game.log


async def test_a_table_is_called_off_in_a_lobby_and_in_play_and_everybody_hears_of_it() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    heard: list[TableRecord] = []
    sessions.subscribe(heard.append)
    gathering, playing = await gather(lobbies), await gather(lobbies, channel=21)
    await lobbies.start(playing.game, ADA.user)
    heard.clear()

    for game in (gathering.game, playing.game):
        await sessions.call_off(game)
        assert (await store.table(game)).status is Status.CANCELLED
        with pytest.raises(NoTable):
            await sessions.call_off(game)

    assert [(each.game, each.status) for each in heard] == [
        (gathering.game, Status.CANCELLED),
        (playing.game, Status.CANCELLED),
    ]
    assert len(sessions) == 0
    with pytest.raises(NoTable):
        await sessions.move(playing.game, ADA.user, Resign)


async def test_a_game_that_is_over_cannot_be_called_off() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    await sessions.move(session.record.game, ADA.user, Resign)
    told = len(news.games)
    with pytest.raises(NoTable):
        await sessions.call_off(session.record.game)
    assert (len(news.games), (await store.table(session.record.game)).status) == (told, Status.OVER)


async def test_when_calling_off_fails_nothing_has_changed_and_nobody_is_told() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    told = len(news.games)
    store.broken = True
    with pytest.raises(StoreUnavailable):
        await sessions.call_off(session.record.game)
    store.broken = False
    assert len(news.games) == told
    await sessions.move(session.record.game, ADA.user, Resign)


async def test_subscribers_hear_of_a_beginning_of_moves_of_seats_and_of_the_end() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    heard: list[TableRecord] = []
    sessions.subscribe(heard.append)
    record = await gather(lobbies, Agreement.of(players=3))
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    assert len(heard) == 1
    await cut_for_deal(sessions, session)
    del heard[1:]
    seat = session.seat_of(BEN.user)
    gift = session.game.view(session.seat_of(ADA.user)).hand[:1]
    await sessions.move(record.game, ADA.user, lambda seat: Discard(seat, gift))
    await sessions.set_substitute(record.game, (seat,), Level.STEADY)
    await sessions.set_substitute(record.game, (seat,), Level.STEADY)
    await sessions.move(record.game, ADA.user, Resign)

    assert [(each.status, each.computers) for each in heard] == [
        (Status.PLAYING, frozenset()),
        (Status.PLAYING, frozenset()),
        (Status.PLAYING, frozenset({seat})),
        (Status.OVER, frozenset({seat})),
    ]
    assert heard[0].version < heard[1].version < heard[3].version


async def test_a_change_by_the_store_is_reloaded_and_notified() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    game, told = session.record.game, len(news.games)
    await store.call_off(game)
    await sessions.changed_elsewhere(game)
    assert (len(sessions), news.games[told:]) == (0, [game])


async def test_no_card_is_chosen_that_is_not_held_nor_for_another_deal_nor_after_discarding() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore())
    game = session.record.game
    theirs = session.game.view(Seat(1)).hand[:1]
    with pytest.raises(CardNotHeld):
        await sessions.choose(game, ADA.user, lambda *_: theirs)
    with pytest.raises(StaleButton):
        await sessions.choose(game, ADA.user, lambda *_: (), 7)
    for user in (ADA.user, BEN.user):
        held = session.game.view(session.seat_of(user)).hand
        await sessions.move(game, user, lambda seat, held=held: Discard(seat, held[:2]))
    with pytest.raises(WrongPhase):
        await sessions.choose(game, ADA.user, lambda *_: ())
    assert session.choices == {}


async def test_the_starter_is_cut_for_a_player_who_always_wants_that() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    game, table = session.record.game, session.game.table
    cutter = session.record.occupants[table.pone].user or 0
    await store.prefer(cutter, always_cut=True)
    told = len(news.games)
    for seat in table.waiting_for:
        _, events = await discard(sessions, session, seat)

    assert session.game.table.starter is not None
    assert any(isinstance(event, StarterCut) and event.by_chance for event in events)
    assert len(news.games) == told + 2, "told with the last discard"
    assert await store.log(game) == session.game.log


async def test_a_player_who_is_away_is_not_back_when_their_starter_is_cut_for_them() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    table = session.game.table
    await store.prefer(session.record.occupants[table.pone].user or 0, always_cut=True)
    for seat in table.waiting_for:
        given = session.game.view(seat).hand[:2]
        await sessions.move_for(session.record.game, StandIn(Discard(seat, given)))

    assert session.game.table.starter is not None
    assert session.game.table.absences == (1, 1)


@pytest.mark.parametrize("players", [2, 4])
async def test_players_cut_for_the_first_deal_and_are_dealt_to_at_once(players: int) -> None:
    store = MemoryStore()
    sessions, lobbies, news = room_of(store)
    record = await gather(lobbies, Agreement.of(players=players, muggins=True))
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    while session.game.table.stage is Stage.CUTTING_FOR_DEAL:
        for seat in session.game.table.waiting_for:
            told = len(news.games)
            await sessions.move(record.game, session.record.occupants[seat].user or 0, CutForFirstDeal)
            assert len(news.games) == told + 1, "the last cut and the deal are told at once"

    table = session.game.table
    assert (table.stage, table.deal_number, table.dealer) == (Stage.DISCARDING, 1, table.first_dealer)
    assert len(table.cuts) >= players
    assert await store.log(record.game) == session.game.log


async def test_the_deal_is_cut_for_by_chance_for_players_who_always_want_that() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    await store.prefer(BEN.user, always_cut=True)
    record = await gather(lobbies)
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    assert [(cut.seat, cut.by_chance) for cut in session.game.table.cuts] == [(1, True)]
    assert session.game.table.waiting_for == (0,)

    await store.prefer(ADA.user, always_cut=True)
    await sessions.move(record.game, ADA.user, CutForFirstDeal)
    assert session.game.table.deal_number == 1
    assert await store.log(record.game) == session.game.log

    both = await gather(lobbies, channel=21)
    await lobbies.start(both.game, ADA.user)
    assert (await sessions.get(both.game)).game.table.stage is Stage.DISCARDING


async def test_a_cut_that_cannot_be_written_leaves_the_discard_and_asks() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game, table = session.record.game, session.game.table
    await store.prefer(session.record.occupants[table.pone].user or 0, always_cut=True)
    append, calls = store.append, []

    async def once(*facts: object, over: bool) -> int:
        calls.append(facts)
        if len(calls) > 2:
            raise StoreUnavailable
        return await append(*facts, over=over)  # type: ignore[arg-type]

    store.append = once  # type: ignore[method-assign, assignment]
    for seat in table.waiting_for:
        await discard(sessions, session, seat)

    assert len(calls) == 3
    assert session.game.table.stage is Stage.CUTTING
    assert await store.log(game) == session.game.log


async def test_a_table_that_has_not_begun_is_not_quarantined_by_a_request_for_its_game() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    record = await gather(lobbies)

    with pytest.raises(NoTable) as refused:
        await sessions.get(record.game)

    assert refused.value.record == record
    assert store.aside == []


def slow_logs() -> tuple[MemoryStore, list[int]]:
    """A store that takes a second for each log, and how many logs it was reading each time."""
    store, reading, at_once = MemoryStore(), set[object](), list[int]()
    read = store.log

    async def log(game: str) -> tuple[LoggedEvent, ...]:
        reading.add(task := asyncio.current_task())
        at_once.append(len(reading))
        await asyncio.sleep(1)
        reading.discard(task)
        return await read(game)

    store.log = log  # type: ignore[method-assign]
    return store, at_once


async def games_in(store: MemoryStore, number: int) -> list[str]:
    """Ids of new games of Ada's against the computer, none of them in memory."""
    _, lobbies, _ = room_of(store)
    return [
        (await opened(lobbies, channel=channel, computers=Level.STEADY)).game
        for channel in range(1, number + 1)
    ]


def test_what_nobody_waits_for_is_read_one_at_a_time_and_a_press_comes_between() -> None:
    async def read() -> None:
        store, at_once = slow_logs()
        games = await games_in(store, 4)
        sessions, loop = Sessions(store, Chance(Random(1))), asyncio.get_running_loop()
        began = loop.time()
        working = [asyncio.create_task(sessions.get_throttled(game)) for game in games]
        await asyncio.sleep(0.5)

        pressed = await sessions.get(games[-1])
        assert loop.time() - began == pytest.approx(1.5)  # the second in which its own log is read

        found = await asyncio.gather(*working)
        assert found[-1] is pressed
        assert max(at_once) == 2  # the press and one other
        assert loop.time() - began == pytest.approx(6.0)  # three logs, and a rest after each

    run_leaping(read())


@pytest.mark.parametrize("which", ["clock", "computer", "next deal"])
def test_logs_are_read_one_at_a_time(which: str) -> None:
    async def start() -> None:
        (store, at_once), tasks, presence, worker = slow_logs(), KeyedTasks(), Presence(), Worker()
        games = await games_in(store, 3)
        sessions = Sessions(store, Chance(Random(1)))
        match which:
            case "clock":
                clock = Clock(
                    store, sessions, MagicMock(), presence, tasks, worker=worker, now=lambda: store.now
                )
                await clock.start()
            case "computer":
                computers = Computers(sessions, worker, presence, tasks, pace=100)
                for record in await store.open_tables():
                    computers.on_change(record)
            case _:
                next_deal = NextDeal(sessions, presence, tasks, pause=100)
                for record in await store.open_tables():
                    next_deal.on_change(record)
        await asyncio.sleep(10)
        await tasks.close()
        worker.close()

        assert max(at_once) == 1
        assert [sessions.peek(game) is not None for game in games] == [True] * 3

    run_leaping(start())


async def test_a_clock_asks_for_the_times_of_all_games_at_once() -> None:
    store, tasks, worker = MemoryStore(), KeyedTasks(), Worker()
    await games_in(store, 5)
    sessions = Sessions(store, Chance(Random(1)))
    before = store.database.calls
    await Clock(store, sessions, MagicMock(), Presence(), tasks, worker=worker, now=lambda: store.now).start()
    assert store.database.calls - before == 2
    await tasks.close()
    worker.close()
