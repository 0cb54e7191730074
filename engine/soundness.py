"""Checks that a game could have written a log, which may be damaged on disk.

`evolution` trusts its events, which the referee has made. Here each event is checked against the table before
it happens: the seat exists, the cards are where they are taken from, and no card is there twice. It does not
detect a score or a card changed into another possible one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from engine.cards import Cards
from engine.errors import EngineError, LogError
from engine.events import (
    CardPlayed,
    CountStood,
    DealBegan,
    DealerChosen,
    DeckSealed,
    GameClaimed,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    Source,
    StarterCut,
)
from engine.evolution import evolve
from engine.pegging import THIRTY_ONE, running_count
from engine.phases import Cutting, CuttingForDeal, Dealing, Discarding, Layout, Over, Playing, Showing
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent, PackPutDown
from engine.state import State

_MOST = 60
"""Limit of the points in one event: more than any hand, crib, card or muggins is worth by any rules."""


def examined(log: Iterable[LoggedEvent]) -> State:
    """The state after the events, each of which could have happened there. Raises `LogError`."""
    events = tuple(log)
    if not events:
        raise LogError("a log has at least one event")
    try:
        state = State.begin(events[0])
        for event in events[1:]:
            _examine(state, event)
            state = evolve(state, event)
    except LogError:
        raise
    except (EngineError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Without its message, which may name a card.
        raise LogError(f"no game could have written this log ({type(error).__name__})") from None
    return state


def _examine(state: State, event: LoggedEvent) -> None:
    """Raises `LogError` if the event cannot happen now."""
    if isinstance(state.phase, Over):
        raise LogError("nothing happens after the winning peg")
    seat = getattr(event, "seat", None)
    if seat is not None:
        _require(state.rules.has_seat(seat), "nobody sits there")
    match event:
        case DeckSealed():
            _require(isinstance(state.phase, Dealing | CuttingForDeal) and not state.deal_number, "cards lie")
        case DealerChosen(dealer):
            _require(state.rules.has_seat(dealer), "nobody sits there")
        case DealBegan(dealer, number):
            _require(dealer == state.dealer and number == state.deal_number + 1, "deals follow each other")
        case PackPutDown() | HandDealt() | CribDealt() | Discarded() | StarterCut():
            _examine_cards(state, event)
        case CardPlayed():
            _examine_play(state, event)
        case HandShown():
            _examine_shown(state, event)
        case Pegged(points=points) | HandCounted(points=points) | CountStood(missed=points):
            _require(0 <= points <= _MOST, "nothing is worth so much")
        case MugginsCalled(called=called, taken=taken):
            _require(0 <= called <= _MOST and 0 <= taken <= _MOST, "nothing is worth so much")
        case GameWon(side) | GameClaimed(absent=side):
            _require(0 <= side < state.rules.sides, "there is no such side")
        case _:
            pass  # only its seat could be wrong


def _examine_cards(state: State, event: PackPutDown | HandDealt | CribDealt | Discarded | StarterCut) -> None:
    layout = _layout(state)
    match event:
        case PackPutDown(those):
            _require(_are_apart(those, *(_out(layout) if layout else ())), "a card is there twice")
        case HandDealt(seat, those):
            there = _given(layout)
            others = (hand for other, hand in enumerate(there.dealt) if other != seat)
            _require(len(those) == state.rules.dealt_to(seat, state.dealer), "it is another number of cards")
            _require(_are_apart(those, *others, there.from_pack), "a card is there twice")
        case CribDealt(those):
            _require(len(those) == state.rules.crib_from_pack, "it is another number of cards")
            _require(_are_apart(those, *_given(layout).dealt), "a card is there twice")
        case Discarded(seat, those):
            _require(bool(_given(layout).order), "the pack is not put down")
            _require(
                len(those) == state.rules.discards_of(seat, state.dealer), "it is another number of cards"
            )
            _require(_are_apart(those) and {*those} <= {*_given(layout).dealt[seat]}, "it holds other cards")
        case StarterCut(card=card):
            _require(card in _given(layout).pack, "the starter is not in the pack")


def _examine_play(state: State, event: CardPlayed) -> None:
    phase = state.expect(Playing)
    _require(event.card in phase.held(event.seat), "it holds other cards")
    _require(running_count((*phase.cards, event.card)) <= THIRTY_ONE, "the count is past thirty-one")
    _require(event.called is None or 0 <= event.called <= _MOST, "nothing is worth so much")


def _examine_shown(state: State, event: HandShown) -> None:
    layout = state.expect(Showing).layout
    there = layout.crib if event.source is Source.CRIB else layout.kept(event.seat)
    _require(sorted(event.cards) == sorted(there), "it holds other cards")


def _layout(state: State) -> Layout | None:
    phase = state.phase
    return phase.layout if isinstance(phase, Discarding | Cutting | Playing | Showing) else None


def _given(layout: Layout | None) -> Layout:
    if layout is None:
        raise LogError("no cards lie there")
    return layout


def _out(layout: Layout) -> Sequence[Cards]:
    """The cards that are not in the pack."""
    return (*layout.dealt, layout.from_pack)


def _are_apart(*places: Cards) -> bool:
    """True if no card is there twice."""
    all_cards = tuple(chain.from_iterable(places))
    return len(all_cards) == len({*all_cards})


def _require(holds: bool, otherwise: str) -> None:  # noqa: FBT001 -- what is required comes first
    if not holds:
        raise LogError(otherwise)
