"""Whose phone rings: of those whose turn it is, who has pressed nothing for a while; once a turn."""

from __future__ import annotations

import pytest

from bot.delivery.ringing import Ringing
from engine import Seat

GAME, ADA, BEN = "g", Seat(0), Seat(1)


class Watched:
    """Somebody who knows whom to call, and a clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ringing = Ringing(180.0, clock=lambda: self.now)

    def take(self, now: float) -> set[Seat]:
        self.now = now
        return set(self.ringing.take(GAME))


@pytest.fixture
def watched() -> Watched:
    watched = Watched()
    watched.ringing.waits_for(GAME, {ADA: 1, BEN: 2})
    return watched


def test_who_has_pressed_nothing_is_called_once_a_turn(watched: Watched) -> None:
    assert watched.take(179) == set()
    assert watched.take(180) == {ADA, BEN}
    watched.ringing.waits_for(GAME, {ADA: 1, BEN: 2})
    assert watched.take(1_000) == set()
    watched.ringing.waits_for(GAME, {ADA: 5, BEN: 2})
    assert watched.take(1_179) == set()
    assert watched.take(1_180) == {ADA}, "another turn of Ada's, and still the same of Ben's"


def test_who_was_mentioned_in_this_turn_is_not_called_once_more(watched: Watched) -> None:
    watched.ringing.called(GAME, ADA)
    assert watched.ringing.has_called(GAME, ADA)
    assert not watched.ringing.has_called(GAME, BEN)
    assert watched.take(180) == {BEN}
    assert watched.ringing.due_in(GAME) is None
    watched.ringing.waits_for(GAME, {ADA: 5})
    assert not watched.ringing.has_called(GAME, ADA)
    assert watched.take(360) == {ADA}


def test_a_press_begins_the_time_again(watched: Watched) -> None:
    watched.now = 100
    watched.ringing.pressed(GAME, ADA)
    assert watched.take(180) == {BEN}
    assert watched.take(280) == {ADA}


def test_when_the_next_call_is_due(watched: Watched) -> None:
    assert watched.ringing.due_in(GAME) == 180
    watched.now = 60
    watched.ringing.pressed(GAME, BEN)
    assert watched.ringing.due_in(GAME) == 120
    assert watched.take(180) == {ADA}
    assert watched.ringing.due_in(GAME) == 60
    watched.now = 1_000
    assert watched.ringing.due_in(GAME) == 0
    watched.take(1_000)
    assert watched.ringing.due_in(GAME) is None


def test_nobody_is_called_where_nobody_is_waited_for(watched: Watched) -> None:
    watched.ringing.waits_for(GAME, {})
    assert watched.take(180) == set()
    assert watched.ringing.due_in(GAME) is None
    watched.ringing.pressed(GAME, ADA)
    assert watched.ringing.due_in(GAME) is None
