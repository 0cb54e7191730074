"""The turn clock: it reminds, moves for absent players, and is fair after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bot.background.autoplay import stand_in_move
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.table_record import Agreement, Pace
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Session
from engine import (
    PRESETS,
    Chance,
    Counting,
    CutForFirstDeal,
    CutStarter,
    Discard,
    Game,
    PlayCard,
    Played,
    Rank,
    Resign,
    Seat,
    card,
    cards,
)
from tests.bot.seating import ADA, sit_down
from tests.bot.store.memory import MemoryStore

QUICK = Agreement.of(seconds=1)


class Reminders:
    """Remembers who was reminded, instead of writing to anybody."""

    def __init__(self) -> None:
        self.of: list[tuple[str, int]] = []
        self.faults = 0

    def remind(self, game: str, due: int) -> None:
        if self.faults:
            self.faults -= 1
            raise RuntimeError("a fault of ours")
        self.of.append((game, due))


async def watched(
    store: Store, agreement: Agreement = QUICK, presence: Presence | None = None
) -> tuple[Clock, Session, Reminders]:
    sessions, _, session, _ = await sit_down(store, agreement)
    reminders = Reminders()
    clock = Clock(store, sessions, reminders, presence or Presence(), KeyedTasks(), now=lambda: store.now)  # type: ignore[arg-type, attr-defined]
    sessions.subscribe(clock.heard)
    await clock.start()
    return clock, session, reminders


async def until(is_so: Callable[[], bool], patience: float = 10.0) -> None:
    async with asyncio.timeout(patience):
        while not is_so():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.02)


async def test_who_does_not_move_is_reminded_and_then_moved_for() -> None:
    store = MemoryStore()
    clock, session, reminders = await watched(store)

    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()

    assert reminders.of[0] == (session.record.game, store.now)
    assert session.game.table.has_discarded == (True, True)
    assert store._logs[session.record.game] == session.game.log


async def test_a_whole_game_of_absent_players_comes_to_its_end() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store, Agreement.of(preset="short", aloud=True, muggins=True))

    async with asyncio.timeout(30):
        while not session.game.is_over:
            await clock._stand_in(session.record.game)
    await clock._tasks.close()

    assert session.game.table.result is not None


async def test_who_moves_in_time_has_the_next_time_whole() -> None:
    store = MemoryStore()
    clock, session, reminders = await watched(store, Agreement.of(seconds=2))
    gift = session.game.view(Seat(0)).hand[:2]
    await asyncio.sleep(1.0)
    await clock._sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))
    await asyncio.sleep(0.6)
    await clock._tasks.close()

    assert reminders.of == []
    assert session.game.table.absences == (0, 0)


@pytest.mark.parametrize(("ran", "reminded"), [(0, False), (80, True), (500, False), (-50, False)])
async def test_after_a_restart_the_turn_goes_on_or_is_given_anew(ran: int, *, reminded: bool) -> None:
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


async def test_a_clock_goes_on_after_an_unexpected_error(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    clock, session, reminders = await watched(store)
    reminders.faults = 1

    await until(lambda: session.game.table.absences == (1, 1))
    await clock._tasks.close()

    [record] = caplog.records
    assert f"clock {session.record.game}" in record.getMessage()
    assert record.exc_info is not None


async def test_no_clock_is_left_of_a_game_that_is_over() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    await clock._sessions.move(session.record.game, ADA.user, Resign)
    assert len(clock._tasks) == 0


async def test_a_store_that_fails_is_tried_again_and_stops_nothing() -> None:
    store = MemoryStore()
    clock, session, _ = await watched(store)
    store.broken = True
    await asyncio.sleep(1.3)
    store.broken = False

    await until(lambda: session.game.table.absences != (0, 0))
    await clock._tasks.close()


def test_the_time_for_a_move_is_the_pace_s_or_another() -> None:
    assert (Agreement().time_to_reminder, Agreement().time_to_move) == (60, 90)
    slow = Agreement.of(pace=Pace.SLOW)
    assert (slow.time_to_reminder, slow.time_to_move) == (43_200, 86_400)
    assert (Agreement.of(seconds=30).time_to_reminder, Agreement.of(seconds=30).time_to_move) == (20, 30)


KEEPS = [
    ("5H 5C 5S JD 2C 9D", "2C 9D"),
    ("AH 2H 3H 4H 9C KD", "9C KD"),
    ("4H 5C 6D 6S TC QH", "TC QH"),
]


@pytest.mark.parametrize(("dealt", "given"), KEEPS)
def test_what_leaves_the_most_points_in_the_hand_is_discarded(dealt: str, given: str) -> None:
    game = _dealt(dealt)

    assert stand_in_move(game.view(Seat(1))) == Discard(Seat(1), cards(given))


def test_the_card_that_scores_most_is_played_and_its_points_are_called_with_muggins() -> None:
    game = _dealt("4H 4D 4S JD QD KD", counting=Counting.ALOUD, muggins=True)
    game.apply(stand_in_move(game.view(Seat(1))))
    game.apply(stand_in_move(game.view(Seat(0))))
    game.apply(stand_in_move(game.view(Seat(1))))
    view = game.view(Seat(1))
    on_the_table = (Played(Seat(1), card("8S")), Played(Seat(0), card("3C")))

    move = stand_in_move(replace(view, table=replace(view.table, series=on_the_table)))

    assert isinstance(move, PlayCard)
    assert (move.card.rank, move.points) == (Rank.FOUR, 2)


def test_where_the_clock_cuts_is_left_to_chance() -> None:
    cutting = Game.new(PRESETS["standard"](2), chance=Chance(Random(1)))

    assert stand_in_move(cutting.view(Seat(1))) == CutForFirstDeal(Seat(1))

    game = _dealt("5H 5S TC JD 2C 9H")
    for seat in (Seat(0), Seat(1)):
        game.apply(stand_in_move(game.view(seat)))

    assert stand_in_move(game.view(Seat(1))) == CutStarter(Seat(1))


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


async def test_no_clock_runs_while_a_table_rests_and_a_whole_turn_is_given_when_it_goes_on() -> None:
    store, presence = MemoryStore(), Presence()
    presence.fill(())
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
    assert reminders.of[0] == (game, store.now)
