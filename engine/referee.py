"""The referee: decides if a move is legal, which events follow, and if the game is over.

One driver folds the events of a ruling, watches the pegs, and stops at the winning one, so nothing can be
scored after it. It returns the last state, so that nobody needs to fold the same events again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from engine import rulings
from engine.chance import Chance
from engine.errors import GameIsOver, NoSuchSeat
from engine.events import CameBack, ComputerChanged, Ending, GameWon, Pegged, StoodIn, SubstituteMoved
from engine.evolution import evolve
from engine.legal import is_legal, why_not
from engine.moves import (
    BySubstitute,
    CallMuggins,
    ChangeComputer,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    OwnMove,
    PlayCard,
    PreArranged,
    Resign,
    SayGo,
    StandIn,
)
from engine.phases import Over
from engine.rules import Rules
from engine.rulings import Ruling
from engine.seats import Seat
from engine.secret_events import LoggedEvent
from engine.state import State


@dataclass(frozen=True, slots=True)
class Verdict:
    """The events of a decision, and the state after them."""

    events: tuple[LoggedEvent, ...]
    state: State


def open_game(rules: Rules, chance: Chance, dealer: Seat | None = None) -> Verdict:
    """Begins a game; `dealer` deals first if given, else the players cut for it."""
    if dealer is not None and not rules.has_seat(dealer):
        raise NoSuchSeat(dealer, rules.seats)
    ruling = rulings.begin(rules, chance, dealer)
    began = next(ruling)
    return _drive(State.begin(began), ruling, happened=[began])


def decide(state: State, move: Move, chance: Chance) -> Verdict:
    """The events of the move; none if it changes nothing.

    Raises `IllegalMove` if the seat may not make the move now, and `GameIsOver`.
    """
    if isinstance(state.phase, Over):
        raise GameIsOver
    if isinstance(move, ComeBack):
        return _return(state, move.seat)
    if isinstance(move, ChangeComputer):
        changed = ComputerChanged(move.player)
        return Verdict((changed,), evolve(state, changed))
    own = move.move if isinstance(move, StandIn | PreArranged | BySubstitute) else move
    if not _is_allowed(state, own):
        raise why_not(state, own)
    moving = state
    presence = _presence(state, move)
    for event in presence:
        moving = evolve(moving, event)
    verdict = _drive(moving, _ruling(moving, own, chance), happened=presence)
    return verdict if len(verdict.events) > len(presence) else Verdict((), state)


def _return(state: State, seat: Seat) -> Verdict:
    """The seat's player is back; nothing if they were not away, or there is no such seat."""
    if not state.rules.has_seat(seat) or not state.absences_of(seat):
        return Verdict((), state)
    event = CameBack(seat)
    return Verdict((event,), evolve(state, event))


def _is_allowed(state: State, move: OwnMove) -> bool:
    if isinstance(move, Resign):
        return state.rules.has_seat(move.seat)
    return is_legal(state, move)


def _presence(state: State, move: OwnMove | StandIn | PreArranged | BySubstitute) -> list[LoggedEvent]:
    """The events that say who makes the move for its player, or that they are back, if that is new.

    Anybody at the table may deal for the dealer, so a deal shows nothing about its player; nor does a
    pre-arranged move.
    """
    if isinstance(move, StandIn):
        return [StoodIn(move.seat)]
    if isinstance(move, Deal | PreArranged):
        return []
    back: list[LoggedEvent] = [CameBack(move.seat)] if state.absences_of(move.seat) else []
    return [*back, SubstituteMoved(move.seat, move.level)] if isinstance(move, BySubstitute) else back


def _ruling(state: State, move: OwnMove, chance: Chance) -> Ruling:  # noqa: C901, PLR0912 -- one case a move
    match move:
        case CutForFirstDeal():
            return rulings.cut_for_first_deal(state, move, chance)
        case Deal():
            return rulings.deal(state, move, chance)
        case Discard():
            return rulings.discard(state, move)
        case CutStarter():
            return rulings.cut_starter(state, move, chance)
        case ClaimHeels():
            return rulings.claim_heels(state, move)
        case PlayCard():
            return rulings.play_card(state, move)
        case SayGo():
            return rulings.say_go(state, move)
        case CountAloud():
            return rulings.count_aloud(state, move)
        case CallMuggins():
            return rulings.call_muggins(state, move)
        case LetStand():
            return rulings.let_stand(state, move)
        case ClaimGame():
            return rulings.claim_game(state, move)
        case Resign():
            return rulings.resign(state, move)
        case _:
            assert_never(move)


def _drive(state: State, ruling: Ruling, *, happened: Iterable[LoggedEvent]) -> Verdict:
    """The events `happened` and the ruling's, up to its end or the winning peg, and the state after."""
    events = [*happened]
    event = next(ruling, None)
    while event is not None:
        state = evolve(state, event)
        events.append(event)
        if isinstance(event, Pegged) and state.winner is not None:
            won = GameWon(state.winner, Ending.PEGGED_OUT)
            return Verdict((*events, won), evolve(state, won))
        try:
            event = ruling.send(state)
        except StopIteration:
            break
    return Verdict(tuple(events), state)
