"""The fold: changes the state by each event; nothing else does.

`evolve` depends only on the state and the event, without chance or decisions, so a log can be replayed
anywhere and by any version of Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from engine import pegging
from engine.cards import Cards, Rank
from engine.counting import count
from engine.errors import LogError
from engine.events import (
    CameBack,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    ComputerChanged,
    CountLetStand,
    CountStood,
    CribCardsDealt,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
    DeckSealed,
    Ending,
    GameBegan,
    GameClaimed,
    GameWon,
    GoSaid,
    HandCounted,
    HandShown,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Pegged,
    PlayEnded,
    Resigned,
    SeriesEnded,
    Source,
    StarterCut,
    StoodIn,
    SubstituteMoved,
)
from engine.phases import (
    Cutting,
    CuttingForDeal,
    Dealing,
    Discarding,
    Layout,
    Over,
    Oversight,
    Phase,
    Played,
    Playing,
    Result,
    Showing,
    Shown,
)
from engine.rules import Skunk
from engine.scores import total
from engine.seats import Seat, Side, from_left_of, left_of
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent, PackPutDown
from engine.state import State


def replay(events: Iterable[LoggedEvent]) -> State:
    """The state after `events`, the first of which began the game. Raises `LogError`."""
    log = iter(events)
    try:
        began = next(log)
    except StopIteration:
        raise LogError("a log has at least one event") from None
    return reduce(evolve, log, State.begin(began))


def evolve(state: State, event: LoggedEvent) -> State:  # noqa: C901, PLR0912 -- one case an event, none with a branch
    """The state after `event`. Raises `LogError` when it could not have happened here."""
    match event:
        case DeckSealed():
            return state
        case GameBegan():
            raise LogError("a game begins once")
        case CutForDeal():
            phase = state.expect(CuttingForDeal)
            return replace(state, cuts=(*state.cuts, event), phase=replace(phase, cuts=(*phase.cuts, event)))
        case DealerChosen(seat):
            return replace(state, dealer=seat, first_dealer=seat, phase=Dealing())
        case PackPutDown(those):
            return _with(state, _put_down(state, those))
        case DealBegan(dealer, number):
            return replace(state, dealer=dealer, deal_number=number, phase=_begun(state))
        case HandDealt() | CribDealt():
            return _with(state, _dealt(state.expect(Discarding), event))
        case Discarded(seat, given):
            return _with(state, _discarded(state, seat, given))
        case StarterCut():
            return _with(state, _play_begun(state, event))
        case HeelsClaimed() | HeelsForfeited():
            return _with(state, replace(state.expect(Playing), heels_open=False))
        case CardPlayed():
            return _with(state, _played(state, event))
        case GoSaid(seat):
            return _with(state, _go_said(state, seat))
        case SeriesEnded():
            return _with(state, _series_ended(state))
        case PlayEnded():
            playing = state.expect(Playing)
            past = (*playing.past, playing.series) if playing.series else playing.past
            return _with(state, Showing(layout=playing.layout, past=past, oversights=playing.oversights))
        case HandShown(seat, source, those):
            showing = state.expect(Showing)
            return _with(state, replace(showing, shown=(*showing.shown, Shown(seat, source, those))))
        case HandCounted():
            return _with(state, _counted(state, event))
        case CountStood():
            return _with(state, _settled(state.expect(Showing), event))
        case MugginsCalled() | CountLetStand():
            return _with(state, _answered(state, event))
        case Pegged():
            return _pegged(state, event)
        case DealEnded():
            return replace(state, dealer=left_of(state.dealer, state.rules.seats), phase=Dealing())
        case Resigned() | GameClaimed() | SubstituteMoved() | ComputerChanged():
            return state
        case StoodIn(seat):
            return replace(state, absences=_absences(state, seat, state.absences_of(seat) + 1))
        case CameBack(seat):
            return replace(state, absences=_absences(state, seat, 0))
        case GameWon():
            return _with(state, _over(state, event))
        case CardsDealt() | CribCardsDealt() | CardsDiscarded():
            raise LogError(f"{type(event).__name__} is told to the table, never logged")


def _absences(state: State, seat: Seat, absences: int) -> tuple[int, ...]:
    before = state.absences or (0,) * state.rules.seats
    after = (*before[:seat], absences, *before[seat + 1 :])
    return after if any(after) else ()


def _with(state: State, phase: Phase) -> State:
    return replace(state, phase=phase)


def _put_down(state: State, those: Cards) -> Phase:
    """The pack is ready to be cut: for the first deal, again after a tie, or for the starter."""
    match state.phase:
        case Dealing() if state.first_dealer is None:
            seats = tuple(Seat(seat) for seat in range(state.rules.seats))
            return CuttingForDeal(number=1, seats=seats, pack=those)
        case CuttingForDeal() as phase if not phase.waiting_for:
            return CuttingForDeal(number=phase.number + 1, seats=phase.lowest, pack=those)
        case Discarding(layout):
            return Discarding(replace(layout, order=those))
        case phase:
            raise LogError(f"nobody puts the pack down while {phase.stage.value}")


def _begun(state: State) -> Discarding:
    empty: tuple[Cards, ...] = ((),) * state.rules.seats
    return Discarding(Layout(dealt=empty, discarded=empty, from_pack=()))


def _dealt(phase: Discarding, event: HandDealt | CribDealt) -> Discarding:
    layout = phase.layout
    match event:
        case HandDealt(seat, those):
            hands = (*layout.dealt[:seat], tuple(sorted(those)), *layout.dealt[seat + 1 :])
            return Discarding(replace(layout, dealt=hands))
        case CribDealt(those):
            return Discarding(replace(layout, from_pack=those))


def _discarded(state: State, seat: Seat, given: Cards) -> Phase:
    layout = state.expect(Discarding).layout.with_discarded(seat, given)
    if any(state.owes_to_crib(layout, Seat(other)) for other in range(state.rules.seats)):
        return Discarding(layout)
    return Cutting(layout)


def _play_begun(state: State, event: StarterCut) -> Playing:
    """The starter is cut, and the play begins."""
    rules = state.rules
    return Playing(
        layout=replace(state.expect(Cutting).layout, starter=event.card),
        turn=left_of(state.dealer, rules.seats),
        heels_open=rules.heels_claimed and rules.his_heels > 0 and event.card.rank is Rank.JACK,
    )


def _played(state: State, event: CardPlayed) -> Playing:
    """A card is played."""
    phase = state.expect(Playing)
    closed = (each.closed_to((event.seat,)) for each in phase.oversights)
    phase = replace(
        phase,
        series=(*phase.series, Played(event.seat, event.card, event.called)),
        oversights=tuple(each for each in closed if each.open_to),
    )
    if event.called is not None:
        worth = total(pegging.scores_in_play(phase.cards, state.rules))
        spent = tuple(caller for caller, opponent in phase.muggins_spent if opponent == event.seat)
        fresh = _oversight(state, event.seat, phase.cards, called=event.called, worth=worth)
        fresh = replace(fresh.closed_to(spent), series=len(phase.past))
        phase = replace(phase, oversights=(*phase.oversights, fresh))
    return replace(phase, turn=_next_turn(phase, event.seat, state.rules.seats))


def _oversight(
    state: State, seat: Seat, cards: Cards, source: Source | None = None, *, called: int, worth: int
) -> Oversight:
    """The count on which the opponents of `seat` may now call muggins.

    Overcalling misses nothing, and everybody hears so where it has its price: nobody is asked then.
    """
    opponents: frozenset[Seat] = frozenset()
    if state.rules.muggins and not (state.rules.wrong_claims and called > worth):
        own_side = state.rules.seats_of(state.rules.side_of(seat))
        opponents = frozenset(from_left_of(seat, state.rules.seats)).difference(own_side)
    return Oversight(seat, called, max(worth - called, 0), opponents, cards, source)


def _go_said(state: State, seat: Seat) -> Playing:
    """A seat that cannot play has said go."""
    phase = state.expect(Playing)
    phase = replace(phase, said_go=phase.said_go | {seat})
    return replace(phase, turn=_next_turn(phase, seat, state.rules.seats))


def _next_turn(phase: Playing, seat: Seat, seats: int) -> Seat | None:
    """The first seat to the left that holds cards and has not said go; it may be `seat` itself."""
    for other in from_left_of(seat, seats):
        if other not in phase.said_go and phase.cards_left(other):
            return other
    return None


def _series_ended(state: State) -> Playing:
    """The next count begins to the left of the last card's player."""
    phase = state.expect(Playing)
    if not phase.series:
        raise LogError("a count ends after its last card")
    last = phase.series[-1].seat
    phase = replace(
        phase,
        past=(*phase.past, phase.series),
        series=(),
        said_go=frozenset(),
        muggins_spent=frozenset(),
    )
    return replace(phase, turn=_next_turn(phase, last, state.rules.seats))


def _counted(state: State, event: HandCounted) -> Showing:
    phase = state.expect(Showing)
    if phase.current is None:
        raise LogError("a hand is counted once, when it is shown")
    last = replace(phase.current, points=event.points, called=event.called)
    phase = replace(phase, shown=(*phase.shown[:-1], last), oversights=(), muggins_spent=frozenset())
    starter = phase.layout.starter
    if event.called is None or starter is None:
        return phase
    worth = count(last.cards, starter=starter, rules=state.rules, crib=last.source is Source.CRIB).points
    counted = _oversight(state, event.seat, last.cards, last.source, called=event.called, worth=worth)
    return replace(phase, oversights=(counted,))


def _settled(phase: Showing, event: CountStood) -> Showing:
    settled = tuple(
        replace(each, settled=True) if (each.seat, each.source) == (event.seat, event.source) else each
        for each in phase.shown
    )
    return replace(phase, shown=settled, oversights=())


def _answered(state: State, event: MugginsCalled | CountLetStand) -> Phase:
    phase = state.phase
    if not isinstance(phase, Playing | Showing):
        raise LogError(f"nobody calls muggins while {phase.stage.value}")
    own_side = state.rules.seats_of(state.rules.side_of(event.seat))
    taken = event.taken if isinstance(event, MugginsCalled) else 0
    was_wrong = isinstance(event, MugginsCalled) and not event.taken
    if state.rules.wrong_claims:  # others may have been first: no call is false for that
        asked = (each for each in phase.oversights if event.seat in each.open_to)
        was_wrong = was_wrong and all(each.missed_nothing for each in asked)
    spent = set(phase.muggins_spent)
    left: list[Oversight] = []
    for each in phase.oversights:
        if event.seat in each.open_to:
            part = min(taken, each.missed)
            taken -= part
            answered = replace(each, missed=each.missed - part, taken=each.taken + part)
            left.append(answered.closed_to(own_side))
            if was_wrong and (isinstance(phase, Showing) or each.series == len(phase.past)):
                spent |= {(caller, each.seat) for caller in own_side}
        else:
            left.append(each)
    return replace(phase, oversights=tuple(left), muggins_spent=frozenset(spent))


def _pegged(state: State, event: Pegged) -> State:
    side = state.rules.side_of(event.seat)
    moved = state.pegs[side].moved(event.points)
    return replace(state, pegs=(*state.pegs[:side], moved, *state.pegs[side + 1 :]))


def _over(state: State, event: GameWon) -> Over:
    if isinstance(state.phase, Over):
        raise LogError("a game ends once")
    rules = state.rules
    scores = tuple(min(pegs.front, rules.target_of(Side(side))) for side, pegs in enumerate(state.pegs))
    is_played_out = event.ending is Ending.PEGGED_OUT
    skunks = rules.skunked(event.side, scores) if is_played_out else (Skunk.NONE,) * rules.sides
    result = Result(
        winner=event.side,
        ending=event.ending,
        scores=scores,
        skunks=skunks,
        games=rules.games_won(event.side, skunks),
        stage=state.phase.stage,
    )
    return Over(state.phase, result)
