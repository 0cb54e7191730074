"""The positions that a game can reach, and the view that such a position gives.

`Facts` is what one seat sees, without what follows from it. `view_of` checks it: the number of cards in each
place, no card twice, the order of the play with its goes, the points counted, the scores. Then it lays unseen
cards where the seat cannot look and asks the engine for the seat's view, so that its legal moves are those of
a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from typing import Any, Final

from engine import pegging
from engine.cards import PACK, Card, Cards, Rank, places_to_cut
from engine.counting import MOST_AT_SHOW, count
from engine.errors import PositionError
from engine.events import CutForDeal, Ending, GameWon, Source
from engine.evolution import evolve
from engine.phases import (
    Cutting,
    CuttingForDeal,
    Dealing,
    Discarding,
    Layout,
    Oversight,
    Phase,
    Playing,
    Series,
    Showing,
    Shown,
    Stage,
)
from engine.rules import Counting, Rules
from engine.scores import total
from engine.seats import Seat, Side, from_left_of, left_of
from engine.state import Pegs, State
from engine.views import PlayerView, player_view


@dataclass(frozen=True, slots=True)
class OpenAt:
    """A count that is open to muggins."""

    card: int
    """The number, from 1 in the deal's play, of the card that it was claimed for; 0 for the last hand."""
    seats: tuple[Seat, ...]
    """The opponents who have neither called nor let it stand."""
    taken: int = 0
    """The points that opponents have taken."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Facts:
    """One seat's sight of a game, without what follows from it; the fields are those of a line."""

    rules: Rules
    stage: Stage
    """The stage of the deal, in a game that is over the one in which it ended; never `OVER`."""
    seat: Seat
    dealer: Seat
    deal: int = 1
    scores: tuple[int, ...] = ()
    """By side: the front peg; none if nobody has pegged."""
    back: tuple[int, ...] = ()
    """By side: the back peg."""
    cuts: tuple[CutForDeal, ...] = ()
    hand: Cards = ()
    discarded: Cards = ()
    given: tuple[Seat, ...] = ()
    """While players discard: the seats that have."""
    starter: Card | None = None
    heels: bool = False
    play: tuple[Series, ...] = ()
    """The series of the deal, the current one last, which may be empty; none before the first card."""
    count: int | None = None
    go: tuple[Seat, ...] = ()
    shown: tuple[Shown, ...] = ()
    open: tuple[OpenAt, ...] = ()
    """The counts that are open to muggins, the oldest first."""
    spent: tuple[tuple[Seat, Seat], ...] = ()
    away: tuple[int, ...] = ()
    won: tuple[Side, Ending] | None = None

    @property
    def series(self) -> Series:
        """The cards of the current count."""
        return self.play[-1] if self.play else ()

    @property
    def past(self) -> tuple[Series, ...]:
        """The former series of the deal."""
        return self.play[:-1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat."""
        return tuple(Seat(seat) for seat in range(self.rules.seats))

    def played_by(self, seat: Seat) -> Cards:
        """The cards that the seat has played in this deal."""
        return tuple(each.card for each in chain.from_iterable(self.play) if each.seat == seat)

    def shown_by(self, seat: Seat) -> Cards:
        """The seat's hand, if it lies open at the show."""
        return next(
            (each.cards for each in self.shown if (each.seat, each.source) == (seat, Source.HAND)), ()
        )


def view_of(facts: Facts) -> PlayerView:
    """The view that the facts give. Raises `PositionError` if no game could reach them."""
    _check_seats(facts)
    _check_stage(facts)
    _check_scores(facts)
    cutting = _cutting(facts)
    _check_cards(facts)
    turn = _turn(facts) if facts.stage in _AFTER_STARTER else None
    _check_show(facts)
    _check_muggins(facts)
    state = State(
        rules=facts.rules,
        pegs=tuple(map(Pegs, _by_side(facts, facts.scores), _by_side(facts, facts.back))),
        cuts=facts.cuts,
        first_dealer=None if facts.stage is Stage.CUTTING_FOR_DEAL else _first_dealer(facts),
        dealer=facts.dealer,
        deal_number=facts.deal,
        phase=_phase(facts, cutting, turn),
        absences=facts.away,
    )
    if facts.won:
        state = evolve(state, GameWon(*facts.won))
    return player_view(state, facts.seat)


_DEALT: Final = frozenset({Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.SHOWING})
_AFTER_STARTER: Final = frozenset({Stage.PLAYING, Stage.SHOWING})

_STAGES: Final[dict[str, frozenset[Stage]]] = {
    "hand": _DEALT - {Stage.SHOWING},
    "discarded": _DEALT,
    "given": frozenset({Stage.DISCARDING}),
    "starter": _AFTER_STARTER,
    "heels": frozenset({Stage.PLAYING}),
    "play": _AFTER_STARTER,
    "count": frozenset({Stage.PLAYING}),
    "go": frozenset({Stage.PLAYING}),
    "shown": frozenset({Stage.SHOWING}),
    "open": _AFTER_STARTER,
    "spent": _AFTER_STARTER,
}
"""By field: the stages in which it can say something."""


def _check_seats(facts: Facts) -> None:
    named: dict[str, Iterable[Seat]] = {
        "seat": (facts.seat,),
        "dealer": (facts.dealer,),
        "cuts": (each.seat for each in facts.cuts),
        "given": facts.given,
        "play": (each.seat for each in chain.from_iterable(facts.play)),
        "go": facts.go,
        "open": chain.from_iterable(each.seats for each in facts.open),
        "spent": chain.from_iterable(facts.spent),
    }
    for field, seats in named.items():
        _require(field, all(map(facts.rules.has_seat, seats)), "nobody sits there")
    lists: dict[str, tuple[Any, ...]] = {
        "given": facts.given,
        "go": facts.go,
        "spent": facts.spent,
    }
    for field, each in lists.items():
        _require(field, list(each) == sorted({*each}), "seats come in their order, each once")
    for one in facts.open:
        _require("open", list(one.seats) == sorted({*one.seats}), "seats come in their order, each once")
    _require("away", len(facts.away) in {0, facts.rules.seats}, "it has a number for each seat")


def _check_stage(facts: Facts) -> None:
    stage = facts.stage
    _require(
        "stage", stage is not Stage.OVER, "a game that is over has the stage in which it ended, and `won`"
    )
    for field, stages in _STAGES.items():
        _require(field, stage in stages or not getattr(facts, field), f"it has no place while {stage.value}")
    if stage is Stage.CUTTING_FOR_DEAL:
        _require("deal", facts.deal == 0, "it is 0 while players cut for the first")
        _require("dealer", facts.dealer == 0, "it is seat 0 while players cut for the first deal")
    elif stage is not Stage.DEALING:
        _require("deal", facts.deal > 0, "deals are numbered from 1")


def _check_scores(facts: Facts) -> None:
    rules = facts.rules
    for field, holes in (("scores", facts.scores), ("back", facts.back)):
        _require(field, len(holes) in {0, rules.sides}, f"there are {rules.sides} sides")
        _require(field, all(each >= rules.start for each in holes), f"the game begins at {rules.start}")
    fronts, backs = _by_side(facts, facts.scores), _by_side(facts, facts.back)
    out: list[Side] = []
    for side, (front, back) in enumerate(zip(fronts, backs, strict=True)):
        target = rules.target_of(Side(side))
        _require("back", back < front or back == rules.start, "a back peg is behind its front peg")
        _require("back", back < target, "the game was over before the last points")
        pegged_out = facts.won is not None and facts.won[1] is Ending.PEGGED_OUT
        _require("scores", pegged_out or front < target, f"the game is over at {target}")
        if front >= target:
            out.append(Side(side))
    if facts.won is None:
        return
    winner, ending = facts.won
    _require("won", 0 <= winner < rules.sides, "there is no such side")
    if ending is not Ending.PEGGED_OUT:
        return
    _require("won", facts.stage in _AFTER_STARTER, f"nobody pegs while {facts.stage.value}")
    if rules.low_wins:
        _require("won", out == [1 - winner], f"the loser alone has {rules.target}")
    else:
        _require("won", out == [winner], f"the winner alone has {rules.target_of(winner)}")


def _by_side(facts: Facts, holes: tuple[int, ...]) -> tuple[int, ...]:
    return holes or (facts.rules.start,) * facts.rules.sides


def _first_dealer(facts: Facts) -> Seat:
    passed = facts.deal - (0 if facts.stage is Stage.DEALING else 1)
    return Seat((facts.dealer - passed) % facts.rules.seats)


def _cutting(facts: Facts) -> CuttingForDeal:
    """The cut for the first deal after the cuts so far."""
    phase = CuttingForDeal(number=1, seats=facts.seats, pack=PACK)
    for cut in facts.cuts:
        _require("cuts", len(phase.seats) > 1, "the first dealer was known")
        _require("cuts", cut.seat in phase.waiting_for, "a seat cuts that is not waited for")
        _require("cuts", cut.card not in {each.card for each in phase.cuts}, "a card is there twice")
        _require("cuts", cut.place in places_to_cut(PACK), "it is too near an end of the pack")
        _require("cuts", cut.place in phase.places, "two seats cut at one place")
        phase = replace(phase, cuts=(*phase.cuts, cut))
        if not phase.waiting_for:
            phase = CuttingForDeal(number=phase.number + 1, seats=phase.lowest, pack=PACK)
    if facts.stage is Stage.CUTTING_FOR_DEAL:
        _require("cuts", len(phase.seats) > 1, "the first dealer is known")
    elif facts.cuts:
        _require("cuts", phase.seats == (_first_dealer(facts),), "another seat dealt first")
    return phase


def _check_cards(facts: Facts) -> None:
    rules, stage = facts.rules, facts.stage
    played = tuple(each.card for each in chain.from_iterable(facts.play))
    starter = (facts.starter,) if facts.starter else ()
    _check_apart("hand", facts.hand)
    _check_apart("discarded", facts.hand, facts.discarded)
    _check_apart("play", facts.hand, facts.discarded, played)
    _check_apart("starter", facts.hand, facts.discarded, played, starter)
    if stage not in _DEALT:
        return
    has_given = stage is not Stage.DISCARDING or facts.seat in facts.given
    owing = [seat for seat in facts.seats if rules.discards_of(seat, facts.dealer)]
    _require(
        "given", {*facts.given} < {*owing}, "the crib is complete, or a seat gives that has nothing to give"
    )
    _require_number("discarded", facts.discarded, rules.discards_of(facts.seat, facts.dealer) * has_given)
    for seat in facts.seats:
        _require("play", len(facts.played_by(seat)) <= rules.kept, f"seat {seat} has played too many cards")
    if stage is not Stage.SHOWING:
        own = rules.kept if has_given else rules.dealt_to(facts.seat, facts.dealer)
        _require_number("hand", facts.hand, own - len(facts.played_by(facts.seat)))
    if stage in _AFTER_STARTER:
        _require("starter", facts.starter is not None, "it is missing")


def _turn(facts: Facts) -> Seat | None:
    """The seat to play or say go, after following the play card by card; `None` if nobody is."""
    for played in chain.from_iterable(facts.play):
        _check_call(facts, played.called, pegging.MOST_IN_PLAY)
    left = dict.fromkeys(facts.seats, facts.rules.kept)
    leader: Seat | None = left_of(facts.dealer, facts.rules.seats)
    gone: set[Seat] = set()
    for series in facts.play:
        gone = _follow(facts, series, leader, left)
        if series is not facts.play[-1]:
            leader = _end(facts, series, left)
    _require("count", facts.count in {None, _count_of(facts.series)}, f"it is {_count_of(facts.series)}")
    _check_heels(facts)
    _require("play", facts.rules.play_out or len(facts.past) < 2, "the play stops after its first count")
    if facts.stage is Stage.SHOWING:
        _require("play", bool(facts.past) and not facts.series, "the last count is not over")
        _require("play", not facts.rules.play_out or not any(left.values()), "cards are left to play")
        return None
    _require("play", facts.rules.play_out or not facts.past, "the play is over")
    return _turn_of(facts, leader, left, gone)


def _follow(facts: Facts, series: Series, leader: Seat | None, left: dict[Seat, int]) -> set[Seat]:
    """Plays a series, and returns the seats that were passed over with cards in hand: they have said go."""
    gone: set[Seat] = set()
    count, turn = 0, leader
    for played in series:
        for seat in _between(turn, played.seat, facts):
            if left[seat] and seat not in gone:
                _check_stuck(facts, seat, left, count)
                gone.add(seat)
        _require("play", played.seat not in gone, f"seat {played.seat} plays on after its go")
        _require("play", left[played.seat] > 0, f"seat {played.seat} has no cards left")
        _require("play", pegging.is_playable(played.card, count), "a count is past thirty-one")
        count += played.card.pips
        left[played.seat] -= 1
        turn = left_of(played.seat, facts.rules.seats)
    return gone


def _between(turn: Seat | None, seat: Seat, facts: Facts) -> Iterator[Seat]:
    """The seats from `turn` up to `seat`, which are passed over when it plays."""
    while turn is not None and turn != seat:
        yield turn
        turn = left_of(turn, facts.rules.seats)


def _end(facts: Facts, series: Series, left: dict[Seat, int]) -> Seat | None:
    """Ends a count, which nobody can join any more, and returns the next leader."""
    _require("play", bool(series), "a count has a card")
    count = _count_of(series)
    holders = [seat for seat in from_left_of(series[-1].seat, facts.rules.seats) if left[seat]]
    if count < pegging.THIRTY_ONE:
        for seat in holders:
            _check_stuck(facts, seat, left, count)
    return holders[0] if holders else None


def _check_stuck(facts: Facts, seat: Seat, left: dict[Seat, int], count: int) -> None:
    """Checks that the seat could not play to the count, by all that is known of the cards it held."""
    played = facts.played_by(seat)
    gone = played[: facts.rules.kept - left[seat]]
    own = facts.hand if seat == facts.seat else ()
    held = {*played, *own, *facts.shown_by(seat)} - {*gone}
    could = count + _MOST_PIPS <= pegging.THIRTY_ONE or any(pegging.is_playable(each, count) for each in held)
    _require("play", not could, f"seat {seat} could play to {count}, and did not")


def _turn_of(facts: Facts, leader: Seat | None, left: dict[Seat, int], gone: set[Seat]) -> Seat | None:
    """The seat to play, after the goes that followed the last card."""
    _require("go", gone <= {*facts.go}, "a seat that was passed over has said go")
    said = {*facts.go} - gone
    turn = leader
    if facts.series:
        last = facts.series[-1].seat
        turn = None
        for seat in from_left_of(last, facts.rules.seats):
            if not left[seat] or seat in gone:
                continue
            if seat not in said or seat == last:
                turn = seat
                break
            _check_stuck(facts, seat, left, _count_of(facts.series))
            said.remove(seat)
    _require("go", not said, "a seat says go out of turn")
    if facts.won is None:
        _require("play", turn is not None, "the play is over")
        _require("play", _count_of(facts.series) < pegging.THIRTY_ONE, "the count is over")
        if facts.series and turn == facts.series[-1].seat == facts.seat:
            can = any(pegging.is_playable(each, _count_of(facts.series)) for each in facts.hand)
            _require("play", can, "nobody can play on, and the count is over")
    return turn


def _check_heels(facts: Facts) -> None:
    if facts.heels:
        rules = facts.rules
        _require("heels", rules.heels_claimed and rules.his_heels > 0, "nobody claims them by these rules")
        _require("heels", facts.starter is not None and facts.starter.rank is Rank.JACK, "no jack was turned")
        _require("heels", not facts.played_by(facts.dealer), "the dealer has played a card")


def _check_call(facts: Facts, called: int | None, most: int) -> None:
    _require(
        "play", (called is not None) == facts.rules.muggins, "points are called with muggins, and only then"
    )
    _require("play", called is None or called <= most, f"no card is worth more than {most}")


def _check_show(facts: Facts) -> None:
    if facts.stage is not Stage.SHOWING:
        return
    rules, shown = facts.rules, facts.shown
    order = [(seat, Source.HAND) for seat in from_left_of(facts.dealer, rules.seats)]
    order.append((facts.dealer, Source.CRIB))
    _require("shown", len(shown) <= len(order), "every hand and the crib are shown once")
    for each, expected in zip(shown, order, strict=False):
        _require("shown", (each.seat, each.source) == expected, "hands are shown from the dealer's left")
        _check_shown_cards(facts, each)
    if facts.won is None:
        _require("shown", bool(shown) and rules.counting is Counting.ALOUD, "the machine counts at once")
        waits = shown[-1].points is None or (rules.muggins and shown[-1].source is Source.CRIB)
        _require("shown", waits, "the next hand is not shown")
    counted = [each for each in shown if each.points is not None]
    _require("shown", [*shown[:-1]] == [*counted][: len(shown) - 1], "hands are counted in their order")
    for each in shown:
        _check_points(facts, each, is_latest=each == counted[-1] if counted else False)


def _check_shown_cards(facts: Facts, each: Shown) -> None:
    rules = facts.rules
    is_crib = each.source is Source.CRIB
    others = [other.cards for other in facts.shown if other is not each]
    starter = (facts.starter,) if facts.starter else ()
    _require_number("shown", each.cards, rules.crib_size if is_crib else rules.kept)
    _check_apart("shown", each.cards, starter, *others)
    if is_crib:
        played = tuple(played.card for played in chain.from_iterable(facts.play))
        _check_apart("shown", each.cards, played)
        _require("shown", {*facts.discarded} <= {*each.cards}, "the crib lacks what the seat gave")
        return
    played_by_others = (played.card for played in chain.from_iterable(facts.play) if played.seat != each.seat)
    _check_apart("shown", each.cards, tuple(played_by_others), facts.discarded)
    own = {*facts.played_by(each.seat)}
    _require("shown", own <= {*each.cards}, f"seat {each.seat} has played another card")


def _check_points(facts: Facts, each: Shown, *, is_latest: bool) -> None:
    rules = facts.rules
    aloud = rules.counting is Counting.ALOUD
    _require(
        "shown",
        (each.called is not None) == (aloud and each.points is not None),
        "points are said by those who count aloud",
    )
    _require(
        "shown",
        each.called is None or each.called <= MOST_AT_SHOW,
        f"no hand is worth more than {MOST_AT_SHOW}",
    )
    if each.points is not None and facts.starter is not None:
        worth = count(each.cards, starter=facts.starter, rules=rules, crib=each.source is Source.CRIB).points
        pegged = worth if each.called is None else min(each.called, worth)
        _require("shown", each.points == pegged, f"{pegged} were pegged, not {each.points}")
    may_be_settled = aloud and each.points is not None and not (is_latest and rules.muggins)
    must_be_settled = may_be_settled and not (is_latest and facts.won)
    _require("shown", may_be_settled or not each.settled, "it is not settled before the next count")
    _require("shown", each.settled or not must_be_settled, "it was settled by the next count")


def _check_muggins(facts: Facts) -> None:
    rules = facts.rules
    _require("open", rules.muggins or not facts.open, "nobody calls muggins by these rules")
    _require("spent", rules.muggins or not facts.spent, "nobody calls muggins by these rules")
    cards = [each.card for each in facts.open]
    _require("open", cards == sorted({*cards}), "counts come in their order, each once")
    for each in _oversights(facts):
        own_side = rules.side_of(each.seat)
        _require("open", bool(each.open_to), "a count that nobody may call on is left out")
        for seat in each.open_to:
            _require("open", rules.side_of(seat) != own_side, f"no count is open to seat {seat}")
        missed = _worth(facts, each) - each.called
        _require("open", each.taken <= max(missed, 0), "more was taken than was missed")
        _require("open", missed >= 0 or not rules.wrong_claims, "nobody is asked about too high a claim")
    for caller, opponent in facts.spent:
        _require("spent", rules.side_of(caller) != rules.side_of(opponent), "they are on one side")
    if facts.shown and facts.shown[-1].source is Source.CRIB and facts.shown[-1].points is not None:
        _require("open", bool(facts.open) or facts.won is not None, "the deal is over")


def _oversights(facts: Facts) -> tuple[Oversight, ...]:
    """The open counts. Raises `PositionError` where there is no such count."""
    return tuple(_oversight(facts, each) for each in facts.open)


def _oversight(facts: Facts, at: OpenAt) -> Oversight:
    if at.card == 0:
        counted = [each for each in facts.shown if each.called is not None][-1:]
        _require("open", bool(counted), "no hand is counted")
        shown = counted[0]
        called, seat, cards, source = shown.called or 0, shown.seat, shown.cards, shown.source
        return Oversight(seat, called, 0, frozenset(at.seats), cards, source, taken=at.taken)
    before = 0
    for number, series in enumerate(facts.play):
        if at.card <= before + len(series):
            counted_for = series[: at.card - before]
            last = counted_for[-1]
            return Oversight(
                last.seat,
                last.called or 0,
                0,  # what a count missed is in no view
                frozenset(at.seats),
                tuple(each.card for each in counted_for),
                series=number,
                taken=at.taken,
            )
        before += len(series)
    raise PositionError("open", f"no {at.card} cards are played")


def _worth(facts: Facts, counted: Oversight) -> int:
    """The points of a count."""
    if counted.source is None:
        return total(pegging.scores_in_play(counted.cards, facts.rules))
    assert facts.starter is not None, "it was checked before"
    is_crib = counted.source is Source.CRIB
    return count(counted.cards, starter=facts.starter, rules=facts.rules, crib=is_crib).points


def _phase(facts: Facts, cutting: CuttingForDeal, turn: Seat | None) -> Phase:
    oversights = _oversights(facts)
    match facts.stage:
        case Stage.CUTTING_FOR_DEAL:
            return cutting
        case Stage.DISCARDING:
            return Discarding(_layout(facts))
        case Stage.CUTTING:
            return Cutting(_layout(facts))
        case Stage.PLAYING:
            return Playing(
                layout=_layout(facts),
                turn=turn,
                series=facts.series,
                past=facts.past,
                said_go=frozenset(facts.go),
                heels_open=facts.heels,
                oversights=oversights,
                muggins_spent=frozenset(facts.spent),
            )
        case Stage.SHOWING:
            return Showing(
                layout=_layout(facts),
                past=facts.past,
                shown=facts.shown,
                oversights=oversights,
                muggins_spent=frozenset(facts.spent),
            )
        case _:
            return Dealing()


def _layout(facts: Facts) -> Layout:
    """The cards of the deal, with unseen ones where the seat cannot look."""
    rules = facts.rules
    crib = next((each.cards for each in facts.shown if each.source is Source.CRIB), ())
    starter = (facts.starter,) if facts.starter else ()
    played = (each.card for each in chain.from_iterable(facts.play))
    hands = chain.from_iterable(each.cards for each in facts.shown)
    seen = {*facts.hand, *facts.discarded, *starter, *played, *hands}
    unseen = (each for each in PACK if each not in seen)
    to_crib = chain((each for each in crib if each not in facts.discarded), unseen)
    kept = [{*facts.played_by(seat), *facts.shown_by(seat)} for seat in facts.seats]
    kept[facts.seat] |= {*facts.hand}
    given = [facts.discarded if seat == facts.seat else () for seat in facts.seats]
    for seat in facts.seats:
        number = rules.dealt_to(seat, facts.dealer) - len(kept[seat]) - len(given[seat])
        lacking = min(rules.discards_of(seat, facts.dealer) - len(given[seat]), number)
        given[seat] = tuple(sorted((*given[seat], *islice(to_crib, lacking))))
        kept[seat] |= {*islice(unseen, number - lacking)}
    from_pack = tuple(islice(to_crib, rules.crib_from_pack))
    has_given = facts.given if facts.stage is Stage.DISCARDING else facts.seats
    return Layout(
        dealt=tuple(tuple(sorted((*kept[seat], *given[seat]))) for seat in facts.seats),
        discarded=tuple(given[seat] if seat in has_given else () for seat in facts.seats),
        from_pack=from_pack,
        starter=facts.starter,
    )


def _count_of(series: Series) -> int:
    return pegging.running_count(tuple(each.card for each in series))


def _check_apart(field: str, *places: Cards) -> None:
    every = tuple(chain.from_iterable(places))
    _require(field, len(every) == len({*every}), "a card is there twice")


def _require_number(field: str, those: Cards, wanted: int) -> None:
    _require(field, len(those) == wanted, f"cards there: {len(those)}, not {wanted}")


def _require(field: str, holds: bool, otherwise: str) -> None:  # noqa: FBT001 -- what is required comes first
    assert field in _FIELDS, "a refusal names a field of the position"
    if not holds:
        raise PositionError(field, otherwise)


_MOST_PIPS: Final = 10

_FIELDS: Final = frozenset(each.name for each in fields(Facts))
