"""The legal moves of each seat.

`LegalMoves` has a truth value, a list and `in`. The referee refuses moves by the same list from which the
buttons are made, so it never refuses a move on offer; `why_not` only finds the error for a refused move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine import counting, pegging
from engine.cards import CUT_LEAVES, Card, Cards, places_to_cut
from engine.errors import (
    CardNotHeld,
    CutThereAlready,
    CutTooNearTheEnd,
    IllegalMove,
    ImpossibleCount,
    MugginsSpent,
    MustCallPoints,
    MustPlay,
    NoSuchSeat,
    NotYourTurn,
    OverThirtyOne,
    PointsNotCalled,
    SameCardTwice,
    WrongNumberOfCards,
    WrongPhase,
)
from engine.moves import (
    CallMuggins,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    OwnMove,
    PlayCard,
    SayGo,
)
from engine.phases import Cutting, CuttingForDeal, Dealing, Discarding, Over, Oversight, Playing, Showing
from engine.rules import StarterCutter
from engine.seats import Seat, left_of
from engine.state import State


@dataclass(frozen=True, slots=True, repr=False)
class LegalMoves:
    """The moves that one seat may make now. False if there is none; `Resign` is never listed."""

    moves: tuple[OwnMove, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[OwnMove]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves

    def __repr__(self) -> str:
        """Kinds and numbers, as `<LegalMoves: 15 discards>`: the cards in moves are private."""
        discards = sum(isinstance(move, Discard) for move in self.moves)
        words = [
            f"{number} {name}"
            for number, name in ((discards, "discards"), (len(self.playable), "plays"))
            if number
        ]
        words += [name for kind, name in _NAMES.items() if kind in self.kinds]
        return f"<LegalMoves: {', '.join(words) or 'none'}>"

    @property
    def kinds(self) -> frozenset[type[OwnMove]]:
        """The kinds of move among them."""
        return frozenset(map(type, self.moves))

    @property
    def playable(self) -> Cards:
        """The cards that may be played to the count now."""
        return tuple(dict.fromkeys(move.card for move in self.moves if isinstance(move, PlayCard)))

    @property
    def places(self) -> tuple[int, ...]:
        """Places at which the pack may be cut now, from the thinnest packet lifted off to the thickest."""
        cuts = (move for move in self.moves if isinstance(move, CutStarter | CutForFirstDeal))
        return tuple(move.place for move in cuts if move.place is not None)


_NAMES: dict[type[OwnMove], str] = {
    CutForFirstDeal: "cut for deal",
    Deal: "deal",
    CutStarter: "cut",
    SayGo: "go",
    CountAloud: "count",
    CallMuggins: "muggins",
    LetStand: "let stand",
    ClaimHeels: "claim heels",
    ClaimGame: "claim",
}


def legal_moves(state: State, seat: Seat) -> LegalMoves:
    """The legal moves of `seat` now; none for a seat that the game does not have."""
    return LegalMoves(tuple(_moves(state, seat)) if state.rules.has_seat(seat) else ())


def is_legal(state: State, move: OwnMove) -> bool:
    """True if the move is among the legal moves of its seat."""
    return state.rules.has_seat(move.seat) and move in _moves(state, move.seat)


def only_move(state: State, seat: Seat) -> OwnMove | None:
    """The only legal move of `seat`, apart from claiming the game; `None` if it has a choice.

    The place of a cut is no choice: nobody can know a better one, and chance may name it.
    """
    moves = (move for move in _moves(state, seat) if not isinstance(move, ClaimGame))
    first, second = next(moves, None), next(moves, None)
    if isinstance(first, CutStarter | CutForFirstDeal):
        return type(first)(seat)
    return first if second is None else None


def waiting_for(state: State) -> tuple[Seat, ...]:
    """The seats for which the game waits.

    They follow from what the whole table can see, never from hidden cards.
    """
    rules, phase = state.rules, state.phase
    match phase:
        case CuttingForDeal():
            return phase.waiting_for
        case Dealing():
            return (state.dealer,)
        case Discarding(layout):
            return tuple(seat for seat in map(Seat, range(rules.seats)) if state.owes_to_crib(layout, seat))
        case Cutting():
            return (_cutter(state),)
        case Playing(turn=turn):
            return () if turn is None else (turn,)
        case Showing():
            return _waiting_at_show(state, phase)
        case Over():
            return ()


def why_not(state: State, move: OwnMove) -> IllegalMove:
    """The most specific error for `move`, which is not legal."""
    seat, phase = move.seat, state.phase
    if not state.rules.has_seat(seat):
        return NoSuchSeat(seat, state.rules.seats)
    match move, phase:
        case CutForFirstDeal(_, int(place)), CuttingForDeal(pack=pack) if seat in phase.waiting_for:
            return (
                CutThereAlready(seat, place) if place in places_to_cut(pack) else _bad_cut(seat, place, pack)
            )
        case CutStarter(_, int(place)), Cutting(layout) if seat == _cutter(state):
            return _bad_cut(seat, place, layout.pack)
        case Discard(_, given), Discarding(layout) if wanted := state.rules.discards_of(seat, state.dealer):
            return _bad_discard(seat, given, layout.dealt[seat], wanted)
        case PlayCard(), Playing(turn=turn) if turn == seat:
            return _bad_play(move, phase, muggins=state.rules.muggins)
        case SayGo(), Playing(turn=turn) if turn == seat:
            return MustPlay(seat, legal_moves(state, seat).playable)
        case (CountAloud(_, points), _) if CountAloud in legal_moves(state, seat).kinds:
            return ImpossibleCount(seat, points, counting.MOST_AT_SHOW)
        case (CallMuggins(_, points), _) if CallMuggins in legal_moves(state, seat).kinds:
            return ImpossibleCount(seat, points, counting.MOST_AT_SHOW)
    if isinstance(move, CallMuggins) and _has_spent_muggins(state, seat):
        return MugginsSpent(seat)
    if _belongs_here(state, move):
        return NotYourTurn(seat, waiting_for(state))
    return WrongPhase(seat, phase.stage.value, type(move), waiting_for(state))


def _moves(state: State, seat: Seat) -> Iterator[OwnMove]:
    own_side = state.rules.side_of(seat)
    if not isinstance(state.phase, Over) and any(side != own_side for side in state.absent_sides):
        yield ClaimGame(seat)
    match state.phase:
        case CuttingForDeal() as cutting:
            if seat in cutting.waiting_for:
                yield from _cuts(CutForFirstDeal, seat, cutting.places)
        case Dealing():
            if seat == state.dealer:
                yield Deal(seat)
        case Discarding(layout):
            yield from _discards(seat, layout.dealt[seat], state.rules.discards_of(seat, state.dealer))
        case Cutting(layout):
            if seat == _cutter(state):
                yield from _cuts(CutStarter, seat, places_to_cut(layout.pack))
        case Playing() as playing:
            yield from _moves_in_play(state, playing, seat)
        case Showing() as showing:
            yield from _moves_at_show(state, showing, seat)
        case Over():
            return


def _discards(seat: Seat, dealt: Cards, number: int) -> Iterator[Discard]:
    """Every way to give that many cards; none where the seat is spared."""
    return (Discard(seat, given) for given in combinations(dealt, number) if given)


def _cuts(
    kind: type[CutStarter | CutForFirstDeal], seat: Seat, places: Sequence[int]
) -> Iterator[CutStarter | CutForFirstDeal]:
    """The cut at each place, and last the cut at a place that chance names."""
    for place in places:
        yield kind(seat, place)
    yield kind(seat)


def _moves_in_play(state: State, playing: Playing, seat: Seat) -> Iterator[OwnMove]:
    if playing.heels_open and seat == state.dealer:
        yield ClaimHeels(seat)
    if seat == playing.turn:
        count = playing.count
        playable = [each for each in playing.held(seat) if pegging.is_playable(each, count)]
        calls = range(pegging.MOST_IN_PLAY + 1) if state.rules.muggins else (None,)
        for each in playable:
            for points in calls:
                yield PlayCard(seat, each, points)
        if not playable:
            yield SayGo(seat)
    if _may_answer(playing.oversights, seat):
        for points in range(1, counting.MOST_AT_SHOW + 1):
            yield CallMuggins(seat, points)


def _moves_at_show(state: State, showing: Showing, seat: Seat) -> Iterator[OwnMove]:
    current = showing.current
    if current and current.seat == seat and not _to_answer_first(state, showing, seat):
        for points in range(counting.MOST_AT_SHOW + 1):
            yield CountAloud(seat, points)
    if _may_answer(showing.oversights, seat):
        for points in range(1, counting.MOST_AT_SHOW + 1):
            yield CallMuggins(seat, points)
        yield LetStand(seat)


def _may_answer(oversights: tuple[Oversight, ...], seat: Seat) -> bool:
    return any(seat in each.open_to for each in oversights)


def _to_answer_first(state: State, showing: Showing, seat: Seat) -> tuple[Seat, ...]:
    """The seats that must answer the last count before `seat` counts the next.

    Counting next lets the last count stand; all other opponents must answer, so that nobody can rush a count
    past them.
    """
    own_side = state.rules.seats_of(state.rules.side_of(seat))
    open_to = frozenset[Seat]().union(*(each.open_to for each in showing.oversights))
    return tuple(sorted(open_to.difference(own_side)))


def _waiting_at_show(state: State, showing: Showing) -> tuple[Seat, ...]:
    current = showing.current
    if current is None:
        return tuple(sorted(frozenset[Seat]().union(*(each.open_to for each in showing.oversights))))
    return _to_answer_first(state, showing, current.seat) or (current.seat,)


def _cutter(state: State) -> Seat:
    if state.rules.starter_cut is StarterCutter.DEALER:
        return state.dealer
    return left_of(state.dealer, state.rules.seats)


def _bad_cut(seat: Seat, place: int, pack: Cards) -> IllegalMove:
    return CutTooNearTheEnd(seat, place, first=CUT_LEAVES, last=len(pack) - CUT_LEAVES)


def _has_spent_muggins(state: State, seat: Seat) -> bool:
    phase = state.phase
    return isinstance(phase, Playing | Showing) and any(caller == seat for caller, _ in phase.muggins_spent)


def _bad_discard(seat: Seat, given: Cards, dealt: Cards, wanted: int) -> IllegalMove:
    for each in given:
        if each not in dealt:
            return CardNotHeld(seat, each)
    if twice := _named_twice(given):
        return SameCardTwice(seat, twice)
    return WrongNumberOfCards(seat, len(given), wanted)


def _bad_play(move: PlayCard, playing: Playing, *, muggins: bool) -> IllegalMove:
    if move.card not in playing.held(move.seat):
        return CardNotHeld(move.seat, move.card)
    if not pegging.is_playable(move.card, playing.count):
        return OverThirtyOne(
            move.seat,
            move.card,
            playing.count,
            tuple(each for each in playing.held(move.seat) if pegging.is_playable(each, playing.count)),
        )
    if not muggins:
        return PointsNotCalled(move.seat)
    if move.points is None:
        return MustCallPoints(move.seat, move.card)
    return ImpossibleCount(move.seat, move.points, pegging.MOST_IN_PLAY)


def _belongs_here(state: State, move: OwnMove) -> bool:
    """True if another seat could make such a move now."""
    in_play = isinstance(move, PlayCard | SayGo) and isinstance(state.phase, Playing)
    at_show = isinstance(move, CountAloud) and _counts_now(state)
    return (
        in_play
        or at_show
        or any(type(move) in legal_moves(state, Seat(seat)).kinds for seat in range(state.rules.seats))
    )


def _counts_now(state: State) -> bool:
    return isinstance(state.phase, Showing) and state.phase.current is not None


def _named_twice(those: Cards) -> Card | None:
    return next((each for each in those if those.count(each) > 1), None)
