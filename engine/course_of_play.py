"""How the play goes on: with the starter, with each card and each go, and at the end of a count.

A part of `engine.evolution`, which alone uses it. All raise `LogError` for what cannot have happened.
"""

from __future__ import annotations

from dataclasses import replace

from engine import pegging
from engine.cards import Rank
from engine.errors import LogError
from engine.events import CardPlayed, StarterCut
from engine.phases import Cutting, Oversight, Played, Playing
from engine.scores import total
from engine.seats import Seat, from_left_of, left_of
from engine.state import State


def begun(state: State, event: StarterCut) -> Playing:
    """The starter is cut, and the play begins."""
    rules = state.rules
    return Playing(
        layout=replace(state.expect(Cutting).layout, starter=event.card),
        turn=left_of(state.dealer, rules.seats),
        heels_open=rules.heels_claimed and rules.his_heels > 0 and event.card.rank is Rank.JACK,
    )


def played(state: State, event: CardPlayed) -> Playing:
    """A card is played."""
    phase = state.expect(Playing)
    closed = (each.closed_to((event.seat,)) for each in phase.oversights)
    phase = replace(
        phase,
        series=(*phase.series, Played(event.seat, event.card, event.called)),
        oversights=tuple(each for each in closed if each.open_to),
    )
    if event.called is not None:
        worth = total(pegging.scores(phase.cards, state.rules))
        fresh = oversight(state, event.seat, missed=worth - event.called)
        phase = replace(phase, oversights=(*phase.oversights, fresh))
    return replace(phase, turn=_next_turn(phase, event.seat, state.rules.seats))


def oversight(state: State, seat: Seat, *, missed: int) -> Oversight:
    """What the opponents of `seat` may now call muggins on; overcalling misses nothing."""
    opponents: frozenset[Seat] = frozenset()
    if state.rules.muggins:
        own_side = state.rules.seats_of(state.rules.side_of(seat))
        opponents = frozenset(from_left_of(seat, state.rules.seats)).difference(own_side)
    return Oversight(seat, max(missed, 0), opponents)


def go_said(state: State, seat: Seat) -> Playing:
    """A seat that cannot play has said go."""
    phase = state.expect(Playing)
    phase = replace(phase, said_go=phase.said_go | {seat})
    return replace(phase, turn=_next_turn(phase, seat, state.rules.seats))


def _next_turn(phase: Playing, seat: Seat, seats: int) -> Seat | None:
    """The first seat to the left that holds cards and has not said go; it may be `seat` itself."""
    for other in from_left_of(seat, seats):
        if other not in phase.said_go and phase.held(other):
            return other
    return None


def series_ended(state: State) -> Playing:
    """The count begins anew, to the left of whoever played last."""
    phase = state.expect(Playing)
    if not phase.series:
        raise LogError("a count ends after its last card")
    last = phase.series[-1].seat
    phase = replace(phase, past=(*phase.past, phase.series), series=(), said_go=frozenset())
    return replace(phase, turn=_next_turn(phase, last, state.rules.seats))
