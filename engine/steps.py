"""A finished game step by step with its hands open: its events, and the place of every card.

    for step in steps_of(log):
        step.events, step.table, step.hands

A step begins with a deal, a discard, the cut, a card, a hand at the show, or the end, and includes what
follows from it: points, a go, the answers to a count. A game in progress has no steps, because they hide
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Cards
from engine.errors import LogError
from engine.events import (
    CameBack,
    CardPlayed,
    ComputerChanged,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
    GameBegan,
    GameClaimed,
    HandShown,
    PlayEnded,
    PublicEvent,
    Resigned,
    SeriesEnded,
    StarterCut,
    StoodIn,
    SubstituteMoved,
)
from engine.evolution import evolve
from engine.phases import CuttingForDeal, Dealing, Over, Playing
from engine.seats import Seat
from engine.secret_events import Discarded, LoggedEvent, PackPutDown, public
from engine.soundness import examined
from engine.state import State
from engine.views import TableView, table_view

_BEGINS = (DealBegan, Discarded, StarterCut, CardPlayed, HandShown, Resigned, GameClaimed)
"""The events that begin a step."""
_LEADS_TO = (
    GameBegan,
    CutForDeal,
    DealerChosen,
    DealEnded,
    SeriesEnded,
    PlayEnded,
    StoodIn,
    SubstituteMoved,
    ComputerChanged,
    CameBack,
    PackPutDown,
)
"""Events that belong to the step after them: the last count remains on the table until the next card."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A seat's cards at one moment of a finished game."""

    held: Cards
    """The cards in its hand, sorted; at the show all that it kept."""
    played: Cards = ()
    """The cards of its hand that it has played in this deal, in order; none at the show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a finished game."""

    at: int
    """The index in the log of its first event."""
    deal: int
    """The deal's number, from 1; 0 before the first."""
    events: tuple[PublicEvent, ...]
    """Its events, as the table saw them."""
    given: Cards
    """The cards of the discard with which it begins; else none."""
    table: TableView
    """The table afterwards."""
    hands: tuple[OpenHand, ...]
    """By seat, afterwards; none before a deal."""
    crib: Cards
    """The cards in the crib afterwards, sorted."""


def steps_of(log: Iterable[LoggedEvent]) -> tuple[Step, ...]:
    """The game's steps, in order. Raises `LogError` for a damaged log or a game in progress."""
    events = tuple(log)
    if not isinstance(examined(events).phase, Over):
        raise LogError("the game is not over, and its hands are not open")
    state = State.begin(events[0])
    steps: list[Step] = []
    for first, start, end in _spans(events):
        for event in events[max(first, 1) : end]:
            state = evolve(state, event)
        steps.append(_step(state, events[first:end], start))
    return tuple(steps)


def _spans(events: tuple[LoggedEvent, ...]) -> list[tuple[int, int, int]]:
    """Indices by step: its first event, the event that names it, and its end (exclusive)."""
    starts = [at for at, event in enumerate(events) if isinstance(event, _BEGINS)]
    firsts = []
    for at in starts:
        first = at
        while first and isinstance(events[first - 1], _LEADS_TO):
            first -= 1
        firsts.append(first)
    return list(zip([0, *firsts[1:]], starts, [*firsts[1:], len(events)], strict=True))


def _step(state: State, happened: tuple[LoggedEvent, ...], start: int) -> Step:
    beginning = next(event for event in happened if isinstance(event, _BEGINS))
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    layout = None if isinstance(phase, CuttingForDeal | Dealing) else phase.layout
    hands: tuple[OpenHand, ...] = ()
    if layout is not None:
        seats = tuple(Seat(number) for number in range(state.rules.seats))
        if isinstance(phase, Playing):
            laid = [each for series in (*phase.past, phase.series) for each in series]
            hands = tuple(
                OpenHand(phase.held(seat), tuple(each.card for each in laid if each.seat == seat))
                for seat in seats
            )
        else:
            hands = tuple(OpenHand(layout.kept(seat)) for seat in seats)
    return Step(
        at=start,
        deal=state.deal_number,
        events=public(happened),
        given=beginning.cards if isinstance(beginning, Discarded) else (),
        table=table_view(state),
        hands=hands,
        crib=layout.crib if layout is not None else (),
    )
