"""The rule book's chapter on the show: hands counted for the players, or aloud, and muggins.

Hands are laid open and counted from the dealer's left, the dealer's last, then the crib, each pegged
before the next is looked at. `rulings` begins the show; the moves that belong to it are ruled here.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from engine.counting import count
from engine.events import (
    CountLetStand,
    CountStood,
    DealEnded,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    Source,
)
from engine.moves import CallMuggins, CountAloud, LetStand
from engine.phases import Playing, Showing, Shown
from engine.rules import Counting
from engine.scores import Reason, Score, total
from engine.seats import from_left_of
from engine.secret_events import LoggedEvent
from engine.state import State

Ruling: TypeAlias = Generator[LoggedEvent, State, None]
"""A ruling yields what happens next, and is handed the state after it."""

Paragraph: TypeAlias = Generator[LoggedEvent, State, State]
"""A part of a ruling, which hands back the state that it ended in."""


def count_aloud(state: State, move: CountAloud) -> Ruling:
    """A player counts his own hand or crib: no more than it is worth is pegged, nor than he says."""
    state = yield from _settle(state)
    state = yield from _count(state, state.expect(Showing).shown[-1], called=move.points)
    if not state.rules.muggins:
        state = yield from _settle(state)
        yield from begin(state)
    elif len(state.expect(Showing).shown) <= state.rules.seats:
        yield from _show_hand(state)


def call_muggins(state: State, move: CallMuggins) -> Ruling:
    """An opponent takes points that were missed, the oldest first, and at most what was missed."""
    phase = state.phase
    assert isinstance(phase, Playing | Showing), "nothing else leaves counts open"
    missed = sum(each.missed for each in phase.oversights if move.seat in each.open_to)
    taken = min(missed, move.points)
    state = yield MugginsCalled(move.seat, move.points, taken)
    if taken:
        state = yield Pegged(move.seat, taken, (Score(Reason.MUGGINS, taken),))
    yield from _after_answer(state)


def let_stand(state: State, move: LetStand) -> Ruling:
    """An opponent leaves the last count as it was said."""
    state = yield CountLetStand(move.seat)
    yield from _after_answer(state)


def begin(state: State) -> Paragraph:
    """Show what is left to show: all of it, or as far as the next hand that its owner must count."""
    while len(state.expect(Showing).shown) <= state.rules.seats:
        state = yield from _show_hand(state)
        if state.rules.counting is Counting.ALOUD:
            return state
        state = yield from _count(state, state.expect(Showing).shown[-1], called=None)
    return (yield DealEnded())


def _show_hand(state: State) -> Paragraph:
    """The next hand to be counted is laid open, or at last the crib."""
    showing = state.expect(Showing)
    order = from_left_of(state.dealer, state.rules.seats)
    place = len(showing.shown)
    if place < len(order):
        return (yield HandShown(order[place], Source.HAND, showing.layout.kept(order[place])))
    return (yield HandShown(state.dealer, Source.CRIB, showing.layout.crib))


def _count(state: State, shown: Shown, *, called: int | None) -> Paragraph:
    starter = state.expect(Showing).layout.starter
    assert starter is not None, "no hand is shown before the starter is cut"
    is_crib = shown.source is Source.CRIB
    scores = count(shown.cards, starter=starter, rules=state.rules, crib=is_crib).scores
    if called is not None:
        scores = as_called(scores, called)
    state = yield HandCounted(shown.seat, shown.source, total(scores), called)
    if scores:
        state = yield Pegged(shown.seat, total(scores), scores)
    return state


def _after_answer(state: State) -> Paragraph:
    """When every opponent has answered the count of the crib, the deal is over."""
    phase = state.phase
    if (
        isinstance(phase, Showing)
        and not phase.current
        and not any(each.open_to for each in phase.oversights)
    ):
        state = yield from _settle(state)
        state = yield DealEnded()
    return state


def _settle(state: State) -> Paragraph:
    """The last hand counted aloud stands as it is; what nobody pegged of it is lost."""
    showing = state.expect(Showing)
    if showing.unsettled:
        missed = sum(each.missed for each in showing.oversights)
        state = yield CountStood(showing.unsettled.seat, showing.unsettled.source, missed)
    return state


def as_called(scores: tuple[Score, ...], called: int) -> tuple[Score, ...]:
    """What is pegged when a player calls the points: the truth, or less if he says less."""
    if called >= total(scores):
        return scores
    return (Score(Reason.CLAIM, called),) if called else ()
