"""Calls of overdue players: once a turn."""

from __future__ import annotations

import pytest

from bot.sync.turns import Turns
from engine import Seat

ADA, BEN = Seat(0), Seat(1)


class Watched:
    """Turns with a clock that tests set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns = Turns()

    def waits_for(self, turns: dict[Seat, int]) -> None:
        self.turns.waits_for(turns, self.now)

    @property
    def due_in(self) -> float | None:
        return self.turns.due_in(180, self.now)

    def take(self, now: float) -> set[Seat]:
        self.now = now
        return set(self.turns.take(180, now))


@pytest.fixture
def watched() -> Watched:
    watched = Watched()
    watched.waits_for({ADA: 1, BEN: 2})
    return watched


def test_who_has_pressed_nothing_is_called_once_a_turn(watched: Watched) -> None:
    assert watched.take(179) == set()
    assert watched.take(180) == {ADA, BEN}
    watched.waits_for({ADA: 1, BEN: 2})
    assert watched.take(1_000) == set()
    watched.waits_for({ADA: 5, BEN: 2})
    assert watched.take(1_179) == set()
    assert watched.take(1_180) == {ADA}, "another turn of Ada's, and still the same of Ben's"


def test_who_was_mentioned_in_this_turn_is_not_called_once_more(watched: Watched) -> None:
    watched.turns.called(ADA)
    assert ADA in watched.turns.all_called
    assert BEN not in watched.turns.all_called
    assert watched.take(180) == {BEN}
    assert watched.due_in is None
    watched.waits_for({ADA: 5})
    assert ADA not in watched.turns.all_called
    assert watched.take(360) == {ADA}


def test_a_press_begins_the_time_again(watched: Watched) -> None:
    watched.now = 100
    watched.turns.pressed(ADA, watched.now)
    assert watched.take(180) == {BEN}
    assert watched.take(280) == {ADA}


def test_when_the_next_call_is_due(watched: Watched) -> None:
    assert watched.due_in == 180
    watched.now = 60
    watched.turns.pressed(BEN, watched.now)
    assert watched.due_in == 120
    assert watched.take(180) == {ADA}
    assert watched.due_in == 60
    watched.now = 1_000
    assert watched.due_in == 0
    watched.take(1_000)
    assert watched.due_in is None


def test_nobody_is_called_where_nobody_is_waited_for(watched: Watched) -> None:
    watched.waits_for({})
    assert watched.take(180) == set()
    assert watched.due_in is None
    watched.turns.pressed(ADA, watched.now)
    assert watched.due_in is None
