"""The turn clock: reminders, moves for absent players, games that sleep, and restarts."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from bot.background.turn_clock import OUT_OF_SIGHT, Clock, time_for
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import DamagedGame, StaleGame
from bot.model.table_record import STAND_IN, Agreement, Pace, TableRecord, is_deserted
from bot.model.venue import Venue
from bot.store import Store
from bot.sync.presses import Presses
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import (
    PRESETS,
    Chance,
    ComeBack,
    CountAloud,
    Counting,
    CountStood,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    EngineError,
    Game,
    MugginsCalled,
    NoComputerFamily,
    Pegged,
    PlayCard,
    Played,
    Rank,
    Reason,
    Resign,
    Seat,
    Stage,
    card,
    cards,
)
from engine.computer import Level, choose, family_of, plain_move
from engine.duties import choices_for_the_absent
from tests.bot.leaping_loop import leaping, run_leaping
from tests.bot.seating import ADA, BEN, cut_for_deal, opened, room_of, sit_down
from tests.bot.store.memory import MemoryStore

QUICK = Agreement.of(seconds=1)


class Reminders:
    """Records reminders instead of sending them."""

    def __init__(self) -> None:
        self.of: list[tuple[str, int]] = []
        self.faults = 0

    def remind(self, game: str, due: int) -> None:
        if self.faults:
            self.faults -= 1
            raise RuntimeError("a fault of ours")
        self.of.append((game, due))


class Inline(Worker):
    """Runs work on the event loop, whose time may be simulated."""

    async def run(self, work, *args):  # type: ignore[no-untyped-def, override]
        await asyncio.sleep(0)
        return work(*args)


def clock_of(
    store: Store, sessions: Sessions, reminders: Reminders, presence: Presence | None = None
) -> Clock:
    clock = Clock(
        store,
        sessions,
        Mock(queue=reminders, presses=Presses()),
        presence or Presence(),
        KeyedTasks(final=(DamagedGame,)),
        worker=Inline(),
        now=lambda: store.now,  # type: ignore[attr-defined]
    )
    sessions.subscribe(clock.on_change)
    return clock


async def watched(
    store: Store, agreement: Agreement = QUICK, presence: Presence | None = None
) -> tuple[Clock, Session, Reminders]:
    sessions, _, session, _ = await sit_down(store, agreement)
    reminders = Reminders()
    clock = clock_of(store, sessions, reminders, presence)
    await clock.start()
    return clock, session, reminders


async def until(is_so: Callable[[], bool], patience: float = 10.0) -> None:
    async with asyncio.timeout(patience):
        while not is_so():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.02)


@leaping
async def test_a_clock_that_waits_for_days_keeps_no_game_in_memory() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store, Agreement.of(seconds=86_400))
    clock = clock_of(store, sessions, Reminders())
    await clock.start()
    game, kept = session.record.game, weakref.ref(session)
    await until(lambda: game in clock._turns)
    sessions.forget(game)
    del session

    assert kept() is None
    assert game in clock._turns


@leaping
async def test_who_does_not_move_is_reminded_and_then_moved_for() -> None:
    store = MemoryStore()
    clock, session, reminders = await watched(store)

    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()

    assert reminders.of[0] == (session.record.game, store.now + 1)
    assert session.game.table.has_discarded == (True, True)
    assert store.log_of(session.record.game) == session.game.log


@leaping
async def test_a_whole_game_of_absent_players_comes_to_its_end() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store, Agreement.of(target=31, aloud=True, muggins=True))

    while not session.game.is_over:
        await clock._move_for_the_absent(session.record.game)
    await clock._tasks.close()

    assert session.game.table.result is not None


def test_who_moves_in_time_has_the_next_time_whole() -> None:
    store = MemoryStore()

    async def move_in_time() -> None:
        clock, session, reminders = await watched(store, Agreement())
        await asyncio.sleep(50)
        for person in (ADA, BEN):
            seat = session.seat_of(person.user)
            gift = session.game.view(seat).hand[:2]
            await clock._sessions.move(
                session.record.game, person.user, lambda seat, gift=gift: Discard(seat, gift)
            )
        await asyncio.sleep(59)
        assert reminders.of == []
        await asyncio.sleep(60)
        assert (len(reminders.of), session.game.table.absences) == (1, (0, 0))
        await clock._tasks.close()

    run_leaping(move_in_time())


@pytest.mark.parametrize(("ran", "reminded"), [(0, False), (290, True), (500, False), (-50, False)])
@leaping
async def test_after_a_restart_the_turn_goes_on_or_is_given_whole(ran: int, *, reminded: bool) -> None:
    store = MemoryStore()
    clock, _, reminders = await watched(store, Agreement.of(pace=Pace.LIVE))
    await clock._tasks.close()
    store.now += ran

    clock._tasks = KeyedTasks()
    await clock.start()
    await asyncio.sleep(0.1)
    await clock._tasks.close()

    assert bool(reminders.of) is reminded


@pytest.mark.parametrize("pace", list(Pace))
@leaping
async def test_a_clock_ends_in_silence_with_a_game_that_is_called_off(
    pace: Pace, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    agreement = Agreement(pace=pace) if pace is Pace.SLOW else QUICK
    clock, session, reminders = await watched(store, agreement)
    assert len(clock._tasks) == 1

    await clock._sessions.call_off(session.record.game)
    assert len(clock._tasks) == 0
    await asyncio.sleep(1.3)

    assert (reminders.of, caplog.records) == ([], [])
    await clock._tasks.close()


@leaping
async def test_a_clock_that_runs_out_as_its_game_is_called_off_elsewhere_says_so_in_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    await store.call_off(session.record.game)
    clock._sessions.forget(session.record.game)

    with caplog.at_level("INFO"):
        await until(lambda: len(clock._tasks) == 0)

    assert [record.exc_info for record in caplog.records] == [None]


@leaping
async def test_a_quarantined_game_has_no_clock_and_is_not_tried_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)

    async def unreadable(_: str) -> Session:
        raise DamagedGame(session.record.game, "its log", "LogError")

    monkeypatch.setattr(clock._sessions, "get", unreadable)
    clock.on_change(session.record)
    await until(lambda: len(clock._tasks) == 0)

    assert caplog.records == []  # it was said where the game was read


@leaping
async def test_a_move_that_is_refused_gives_the_time_again_and_its_cards_are_in_no_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    real = clock._sessions.move_for
    faults = [StaleGame(session.record.game, 3), EngineError("nobody can discard 5H")]

    async def refused(*facts: Any, **options: Any) -> None:
        if faults:
            raise faults.pop()
        await real(*facts, **options)

    monkeypatch.setattr(clock._sessions, "move_for", refused)
    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()

    game = session.record.game
    assert [record.getMessage() for record in caplog.records] == [
        f"the clock of {game} gives the time again: EngineError",
        f"the clock of {game} gives the time again: StaleGame",
    ]


@leaping
async def test_nothing_is_moved_for_a_player_who_moves_while_the_other_s_move_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    before = session.game.version
    waiting = session.game.table.waiting_for
    real, moved = clock._sessions.move_for, []

    async def frees_both(game: str, move: Any, *, version: int) -> None:
        moved.append(move.move.seat)
        await real(game, move, version=version)
        other = next(seat for seat in waiting if seat != move.move.seat)
        gift = session.game.view(other).hand[:2]
        await clock._sessions.move(game, (ADA, BEN)[other].user, lambda seat: Discard(seat, gift))

    monkeypatch.setattr(clock._sessions, "move_for", frees_both)
    await clock._move_for_the_absent(session.record.game)
    await clock._tasks.close()

    assert (len(waiting), len(moved)) == (2, 1)
    assert session.game.version > before


@leaping
async def test_a_clock_goes_on_after_an_unexpected_error(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    clock, session, reminders = await watched(store)
    reminders.faults = 1

    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()

    [record] = caplog.records
    assert f"clock {session.record.game}" in record.getMessage()
    assert record.exc_info is not None


@leaping
async def test_no_clock_is_left_of_a_game_that_is_over() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    await clock._sessions.move(session.record.game, ADA.user, Resign)
    assert len(clock._tasks) == 0


@leaping
async def test_a_store_that_fails_is_tried_again_and_stops_nothing() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    store.broken = True
    await asyncio.sleep(1.3)
    store.broken = False

    await until(lambda: session.game.table.absences != (0, 0))
    await clock._tasks.close()


def test_a_first_turn_has_five_minutes_the_next_two_and_the_reminder_comes_after_one() -> None:
    store = MemoryStore()
    times: list[int | tuple[int, int]] = []

    async def wait() -> None:
        clock, session, reminders = await watched(store, Agreement())
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(0.5)
        while len(times) < 4:
            before = len(reminders.of), session.game.version
            await asyncio.sleep(1)
            if before[0] != len(reminders.of):
                times.append((int(loop.time() - began), reminders.of[-1][1] - store.now))
            elif before[1] != session.game.version:
                times.append(int(loop.time() - began))
        await clock._tasks.close()

    run_leaping(wait())
    assert times == [(60, 240), 300, (360, 60), 420]


def test_who_discards_gives_the_other_no_more_time() -> None:
    store = MemoryStore()

    async def discard_late() -> None:
        clock, session, reminders = await watched(store, Agreement())
        gift = session.game.view(Seat(0)).hand[:2]
        await asyncio.sleep(200)
        await clock._sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))
        await asyncio.sleep(99)
        assert (session.game.table.has_discarded, len(reminders.of)) == ((True, False), 1)
        await asyncio.sleep(2)
        assert session.game.table.has_discarded == (True, True)
        await clock._tasks.close()

    run_leaping(discard_late())


def test_the_clock_chooses_what_the_steady_computer_would() -> None:
    game = Game.new(PRESETS["standard"](2), chance=Chance(Random(1)), dealer=Seat(0), automatic={Deal})
    view = game.view(Seat(1))

    assert choices_for_the_absent(view, STAND_IN, 7)[0] == choose(view, Level.STEADY, seed=7)
    assert choices_for_the_absent(view, STAND_IN, 7)[0] != plain_move(view)


@pytest.mark.parametrize("dealt", [{}, {"dealt": 5, "discarded": 1}], ids=["computer", "plain"])
def test_the_clock_overlooks_nothing_of_an_absent_players_points(dealt: dict[str, Any]) -> None:
    """Nor does it claim too much, and it takes what an opponent who always counts none has missed."""
    changes: dict[str, Any] = {"counting": Counting.ALOUD, "muggins": True, "wrong_claims": 2}
    rules = PRESETS["short"](2, **changes, **dealt)
    missed, taken = 0, [0, 0]
    for seed in range(4):
        game = Game.new(rules, chance=Chance(Random(seed)), dealer=Seat(0))
        while not game.is_over:
            seat = game.table.waiting_for[0]
            is_none = seat == Seat(0) and CountAloud in game.legal_moves(seat).kinds
            move = (
                CountAloud(seat, 0) if is_none else choices_for_the_absent(game.view(seat), STAND_IN, seed)[0]
            )
            for event in game.apply(move):
                match event:
                    case CountStood(missed=number):
                        missed += number
                    case MugginsCalled(caller, taken=number):
                        taken[caller] += number
                    case Pegged(scores=scores):
                        assert Reason.WRONG_CLAIM not in {score.reason for score in scores}

    assert missed == taken[0] == 0
    assert taken[1] > 20


@pytest.mark.parametrize(
    "changes", [{}, {"counting": Counting.ALOUD}, {"counting": Counting.ALOUD, "muggins": True}]
)
def test_where_the_computer_does_not_play_the_rules_a_legal_move_is_made(changes: dict[str, Any]) -> None:
    rules = PRESETS["standard"](2, dealt=5, discarded=1, **changes)
    game = Game.new(rules, chance=Chance(Random(1)), dealer=Seat(0))
    game.apply(game.legal_moves(Seat(0)).moves[0])
    with pytest.raises(NoComputerFamily):
        family_of(rules)

    while not game.is_over:
        seat = game.table.waiting_for[0]
        misses_all = seat == Seat(0) and CountAloud in game.legal_moves(seat).kinds
        game.apply(
            CountAloud(seat, 0) if misses_all else choices_for_the_absent(game.view(seat), STAND_IN, 7)[0]
        )

    missed = [each.missed for each in game.log if isinstance(each, CountStood) and each.seat == Seat(1)]
    assert bool(missed) is ("counting" in changes)
    assert not any(missed), "the hands that are counted for somebody are counted whole"


def test_alone_against_the_computer_no_clock_runs() -> None:
    store = MemoryStore()

    async def sleep_long() -> None:
        sessions, lobbies, _ = room_of(store)
        reminders = Reminders()
        clock = clock_of(store, sessions, reminders)
        record = await opened(lobbies, computers=Level.STEADY)
        session = await sessions.get(record.game)
        await cut_for_deal(sessions, session)
        move = choices_for_the_absent(session.game.view(Seat(1)), STAND_IN, 1)[0]
        await sessions.move_for(record.game, move, version=session.game.version)
        assert session.game.table.waiting_for == (Seat(0),)
        await asyncio.sleep(6 * 86_400)
        assert (session.game.table.absences, reminders.of, len(clock._tasks)) == ((0, 0), [], 0)

        gift = session.game.view(Seat(0)).hand[:2]
        await sessions.move(record.game, ADA.user, lambda seat: Discard(seat, gift))
        waiting = session.game.table.waiting_for
        await asyncio.sleep(130)
        is_stuck = Seat(1) in waiting
        assert session.game.table.absences == (0, int(is_stuck)), "a computer that fails holds nobody up"
        await clock._tasks.close()

    run_leaping(sleep_long())


def test_a_person_who_waits_for_one_who_is_back_beside_computers_has_a_clock_again() -> None:
    store = MemoryStore()

    async def come_back() -> None:
        sessions, _, session, _ = await sit_down(store)
        clock = clock_of(store, sessions, Reminders())
        await sessions.set_substitute(session.record.game, (Seat(1),), Level.STEADY)
        gift = session.game.view(Seat(1)).hand[:2]
        await sessions.move_for(session.record.game, Discard(Seat(1), gift), version=session.game.version)
        await asyncio.sleep(10_000)
        assert session.game.table.absences == (0, 0)
        await sessions.back_in_play(session.record.game, BEN.user)
        await asyncio.sleep(310)
        assert session.game.table.absences[0] == 1
        await clock._tasks.close()

    run_leaping(come_back())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_turn_of_each_player_ends_with_their_first_discard(players: int) -> None:
    agreement = Agreement.of(players=players)
    game = Game.new(agreement.rules, chance=Chance(Random(1)), automatic={Deal})
    while game.table.deal_number < 2:
        is_first = not any(game.table.has_discarded) if game.table.deal_number else True
        if game.table.stage is Stage.DISCARDING or not game.table.deal_number:
            assert not is_first or time_for(agreement, game.table) == 300
        else:
            assert time_for(agreement, game.table) == 120
        game.apply(plain_move(game.view(game.table.waiting_for[0])))
    assert time_for(agreement, game.table) == 120


def test_the_time_for_a_move_is_the_pace_s_or_another() -> None:
    assert (Agreement().time_to_reminder, Agreement().time_to_move) == (60, 120)
    slow = Agreement.of(pace=Pace.SLOW)
    assert (slow.time_to_reminder, slow.time_to_move) == (43_200, 86_400)
    assert (Agreement.of(seconds=30).time_to_reminder, Agreement.of(seconds=30).time_to_move) == (15, 30)
    assert (Agreement().time_to_first_move, slow.time_to_first_move) == (300, 86_400)


KEEPS = [
    ("5H 5C 5S JD 2C 9D", "2C 9D"),
    ("AH 2H 3H 4H 9C KD", "9C KD"),
    ("4H 5C 6D 6S TC QH", "TC QH"),
]


@pytest.mark.parametrize(("dealt", "given"), KEEPS)
def test_what_leaves_the_most_points_in_the_hand_is_discarded(dealt: str, given: str) -> None:
    game = _dealt(dealt)

    assert plain_move(game.view(Seat(1))) == Discard(Seat(1), cards(given))


def test_the_card_that_scores_most_is_played_and_its_points_are_called_with_muggins() -> None:
    game = _dealt("4H 4D 4S JD QD KD", counting=Counting.ALOUD, muggins=True)
    game.apply(plain_move(game.view(Seat(1))))
    game.apply(plain_move(game.view(Seat(0))))
    game.apply(plain_move(game.view(Seat(1))))
    view = game.view(Seat(1))
    on_the_table = (Played(Seat(1), card("8S")), Played(Seat(0), card("3C")))

    move = plain_move(replace(view, table=replace(view.table, series=on_the_table)))

    assert isinstance(move, PlayCard)
    assert (move.card.rank, move.points) == (Rank.FOUR, 2)


def test_where_the_clock_cuts_is_left_to_chance() -> None:
    cutting = Game.new(PRESETS["standard"](2), chance=Chance(Random(1)))

    assert plain_move(cutting.view(Seat(1))) == CutForFirstDeal(Seat(1))

    game = _dealt("5H 5S TC JD 2C 9H")
    for seat in (Seat(0), Seat(1)):
        game.apply(plain_move(game.view(seat)))

    assert plain_move(game.view(Seat(1))) == CutStarter(Seat(1))


class _FirstHand(Chance):
    """Deals pone a given hand."""

    def __init__(self, hand: str) -> None:
        self._hand = cards(hand)

    def shuffled(self, pack, label):
        rest = iter([each for each in pack if each not in self._hand])
        dealt = [each for mine in self._hand for each in (mine, next(rest))]
        return (*dealt, *rest)

    def pick(self, choices, label):
        return choices[0]


def _dealt(hand: str, **changes: object) -> Game:
    game = Game.new(PRESETS["standard"](2, **changes), chance=_FirstHand(hand), dealer=Seat(0))
    game.apply(game.legal_moves(Seat(0)).moves[0])
    return game


@leaping
async def test_no_clock_runs_while_a_table_rests_and_a_whole_turn_is_given_when_it_goes_on() -> None:
    store, presence = MemoryStore(), Presence()
    presence.listed(0, ())
    clock, session, reminders = await watched(store, presence=presence)
    game = session.record.game

    await until(lambda: not len(clock._tasks))
    assert reminders.of == []
    assert session.game.table.absences == (0, 0)

    presence.joined(session.record.guild or 0)
    clock.go_on(game)
    clock.go_on(game)
    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()
    assert reminders.of[0] == (game, store.now + 1)


def test_time_offline_is_given_back_and_a_turn_that_ran_out_meanwhile_begins_again() -> None:
    async def lose_the_shard() -> None:
        loop, store, presence = asyncio.get_running_loop(), MemoryStore(), Presence()
        clock, session, reminders = await watched(store, Agreement(), presence=presence)
        game, due = session.record.game, session.record.agreement.time_to_reminder
        await asyncio.sleep(due - 10)
        presence.lost(0)
        await asyncio.sleep(5)
        presence.resumed(0)
        clock.give_back(game, 5)
        clock.go_on(game)
        await asyncio.sleep(9)
        assert not reminders.of, "five seconds more"
        await asyncio.sleep(2)
        assert len(reminders.of) == 1

        presence.lost(0)
        await asyncio.sleep(10_000)
        assert not len(clock._tasks)
        assert session.game.table.absences == (0, 0)
        presence.resumed(0)
        clock.give_back(game, 10_000)
        clock.go_on(game)
        began = loop.time()
        await until(lambda: session.game.table.absences == (1, 1), patience=10_000)
        assert loop.time() - began >= time_for(session.record.agreement, session.game.table)
        await clock._tasks.close()

    run_leaping(lose_the_shard())


def test_a_game_that_everybody_has_left_sleeps_until_one_comes_back() -> None:
    async def leave() -> None:
        store, reminders = MemoryStore(), Reminders()
        sessions, _, session, _ = await sit_down(store, Agreement.of(seconds=60))
        await clock_of(store, sessions, reminders).start()
        while not is_deserted(session.record, session.game.table.absences):  # noqa: ASYNC110 -- simulated time
            await asyncio.sleep(30)
        version, told = session.game.version, len(reminders.of)
        await asyncio.sleep(86_400)
        assert (session.game.version, len(reminders.of)) == (version, told)

        await sessions.move(session.record.game, ADA.user, ComeBack)
        assert session.game.version == version + 1
        await asyncio.sleep(600)
        assert session.game.version > version + 1

    run_leaping(leave())


# Where only tokens reach the table


def pressed(clock: Clock, user: int, ago: float, *, is_alive: bool = False) -> None:
    """Note a press of that person at the table, which was so long `ago` (s)."""
    press: Any = Mock(user=user, pressed_at=clock._now() - ago, is_alive=is_alive)
    clock._sync.presses.note(20, press)


async def watched_anywhere(
    venue: Venue = Venue.ANYWHERE, agreement: Agreement = QUICK
) -> tuple[MemoryStore, Clock, Session]:
    """A game whose players are to discard; the store's time is the loop's."""
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store, agreement, venue=venue)
    clock = clock_of(store, sessions, Reminders())
    loop, began, now = asyncio.get_running_loop(), asyncio.get_running_loop().time(), store.now
    clock._now = lambda: now + loop.time() - began
    return store, clock, session


async def moved_after(clock: Clock, session: Session, absences: tuple[int, ...] = (1, 1)) -> float:
    """Time (s) from the clock's start until it has moved for those players."""
    loop, has_moved = asyncio.get_running_loop(), asyncio.Event()

    def look(_: TableRecord) -> None:
        if session.game.table.absences == absences:
            has_moved.set()

    clock._sessions.subscribe(look)
    began = loop.time()
    await clock.start()
    await has_moved.wait()
    took = loop.time() - began
    await clock._tasks.close()
    return took


@pytest.mark.parametrize(
    ("adas", "bens", "time"),
    [
        ((100, True), (50, True), 1),
        ((1_000, False), (50, True), OUT_OF_SIGHT - 1_000),
        ((1_700, False), (1_000, False), OUT_OF_SIGHT - 1_000),
        ((5_000, False), (2_000, False), 1),
    ],
    ids=["both see the table", "one does not", "who has pressed last counts", "both are long gone"],
)
@leaping
async def test_who_sees_nothing_has_half_an_hour_from_their_last_press(
    adas: tuple[float, bool], bens: tuple[float, bool], time: float
) -> None:
    _, clock, session = await watched_anywhere()
    for person, (ago, is_alive) in ((ADA, adas), (BEN, bens)):
        pressed(clock, person.user, ago, is_alive=is_alive)
    assert await moved_after(clock, session) == pytest.approx(time, abs=2)


@leaping
async def test_after_a_restart_who_sees_nothing_has_half_an_hour_from_the_beginning_of_the_turn() -> None:
    _, clock, session = await watched_anywhere()
    pressed(clock, ADA.user, 10, is_alive=True)
    assert await moved_after(clock, session) == pytest.approx(OUT_OF_SIGHT, abs=2)


@leaping
async def test_a_press_meanwhile_gives_half_an_hour_again() -> None:
    _, clock, session = await watched_anywhere()
    for person in (ADA, BEN):
        pressed(clock, person.user, 1_000)

    async def press() -> None:
        await asyncio.sleep(700)
        pressed(clock, ADA.user, 0)

    pressing = asyncio.create_task(press())
    assert await moved_after(clock, session) == pytest.approx(700 + OUT_OF_SIGHT, abs=2)
    await pressing


@leaping
async def test_who_is_not_in_turn_is_not_waited_for() -> None:
    _, clock, session = await watched_anywhere()
    gift = session.game.view(session.seat_of(BEN.user)).hand[:2]
    await clock._sessions.move(session.record.game, BEN.user, lambda seat: Discard(seat, gift))
    pressed(clock, ADA.user, 100, is_alive=True)
    pressed(clock, BEN.user, 1_000)
    absences = (1, 0) if session.seat_of(ADA.user) == Seat(0) else (0, 1)
    assert await moved_after(clock, session, absences) == pytest.approx(1, abs=2)


@pytest.mark.parametrize(
    ("venue", "agreement", "time"),
    [
        (Venue.SERVER, QUICK, 1),
        (Venue.ANYWHERE, Agreement(pace=Pace.SLOW), Agreement(pace=Pace.SLOW).time_to_first_move),
    ],
    ids=["in a server", "in slow play"],
)
@leaping
async def test_elsewhere_and_in_slow_play_nobody_has_more_time(
    venue: Venue, agreement: Agreement, time: float
) -> None:
    _, clock, session = await watched_anywhere(venue, agreement)
    for person in (ADA, BEN):
        pressed(clock, person.user, -time)
    assert await moved_after(clock, session) == pytest.approx(time, abs=2)
