"""The rule book: one ruling for each kind of move.

A ruling is a generator. It yields the next event and receives the state after it. It never checks for the end
of the game: the referee stops it at the winning peg.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from engine import pegging
from engine.cards import PACK, Rank, places_to_cut
from engine.chance import Chance
from engine.counting import count, heels
from engine.events import (
    CardPlayed,
    CountLetStand,
    CountStood,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
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
    PlayCard,
    Resign,
    SayGo,
)
from engine.phases import Cutting, CuttingForDeal, Discarding, Playing, Showing, Shown
from engine.rules import Counting, FirstDeal, GoScoring, Rules
from engine.scores import Reason, Score, total
from engine.seats import Seat, Side, from_left_of, left_of
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent, PackPutDown
from engine.state import State

Ruling: TypeAlias = Generator[LoggedEvent, State, None]
"""Yields the next event and receives the state after it."""

Paragraph: TypeAlias = Generator[LoggedEvent, State, State]
"""A part of a ruling, which returns its last state."""


def begin(rules: Rules, chance: Chance, dealer: Seat | None) -> Ruling:
    """The players sit down; unless the dealer is known, a pack is put down for them to cut."""
    yield GameBegan(rules)
    if chance.sealed is not None:
        yield chance.sealed
    if dealer is None and rules.first_deal is FirstDeal.RANDOM:
        dealer = chance.pick(tuple(Seat(seat) for seat in range(rules.seats)), "dealer")
    if dealer is None:
        yield PackPutDown(chance.shuffled(PACK, "cut/1"))
    else:
        yield DealerChosen(dealer)


def cut_for_first_deal(state: State, move: CutForFirstDeal, chance: Chance) -> Ruling:
    """A seat turns a card; when all have, the lowest deals, and those who tie for it cut a new pack."""
    cutting = state.expect(CuttingForDeal)
    label = f"cut/{cutting.number}/{move.seat}"
    place = chance.pick(cutting.places, label) if move.place is None else move.place
    state = yield CutForDeal(move.seat, cutting.pack[place], place, by_chance=move.place is None)
    cutting = state.expect(CuttingForDeal)
    if cutting.waiting_for:
        return
    if len(cutting.lowest) == 1:
        yield DealerChosen(cutting.lowest[0])
    else:
        yield PackPutDown(chance.shuffled(PACK, f"cut/{cutting.number + 1}"))


def deal(state: State, move: Deal, chance: Chance) -> Ruling:
    """Cards go round one at a time from the dealer's left, then from the pack to the crib.

    The rest is put down, so that its order is fixed before anybody discards or cuts.
    """
    rules = state.rules
    state = yield DealBegan(move.seat, state.deal_number + 1)
    pack = chance.shuffled(PACK, f"deal/{state.deal_number}")
    order = from_left_of(move.seat, rules.seats)
    to = [seat for turn in range(rules.dealt) for seat in order if turn < rules.dealt_to(seat, move.seat)]
    number = len(to)
    for seat in order:
        hand = (each for each, owner in zip(pack[:number], to, strict=True) if owner == seat)
        yield HandDealt(seat, tuple(sorted(hand)))
    if rules.crib_from_pack:
        yield CribDealt(pack[number : number + rules.crib_from_pack])
    yield PackPutDown(pack[number + rules.crib_from_pack :])
    if rules.three_for_last and state.deal_number == 1:
        pone, points = left_of(move.seat, rules.seats), rules.three_for_last
        yield Pegged(pone, points, (Score(Reason.THREE_FOR_LAST, points),))


def discard(state: State, move: Discard) -> Ruling:
    """A seat gives cards to the crib, or chooses again before the crib is complete."""
    if state.expect(Discarding).layout.discarded[move.seat] != move.cards:
        yield Discarded(move.seat, move.cards)


def cut_starter(state: State, move: CutStarter, chance: Chance) -> Ruling:
    """The card at the place is the starter; for a jack the dealer pegs his heels before a card is played."""
    rules = state.rules
    pack = state.expect(Cutting).layout.order
    label = f"place/{state.deal_number}"
    place = chance.pick(places_to_cut(pack), label) if move.place is None else move.place
    starter = pack[place]
    yield StarterCut(move.seat, starter, place, by_chance=move.place is None)
    if starter.rank is Rank.JACK and rules.his_heels and not rules.heels_claimed:
        yield Pegged(state.dealer, rules.his_heels, (heels(starter, rules),))


def claim_heels(state: State, move: ClaimHeels) -> Ruling:
    """The dealer claims his heels before playing a card."""
    starter = state.expect(Playing).layout.starter
    assert starter is not None, "heels are open only when a jack was turned"
    yield HeelsClaimed(move.seat)
    yield Pegged(move.seat, state.rules.his_heels, (heels(starter, state.rules),))


def play_card(state: State, move: PlayCard) -> Ruling:
    """A card joins the count and scores; the last card of the count scores when nobody can play on."""
    before = state.expect(Playing)
    if before.heels_open and move.seat == state.dealer:
        state = yield HeelsForfeited(move.seat)
    state = yield CardPlayed(move.seat, move.card, move.points)
    scores = pegging.scores_in_play(state.expect(Playing).cards, state.rules)
    if move.points is not None:
        scores = _as_called(scores, move.points)
    if scores:
        state = yield Pegged(move.seat, total(scores), scores)
    if move.points is not None and move.points > total(scores):
        state = yield from _pay_for_wrong_claim(state, left_of(move.seat, state.rules.seats))
    if state.rules.go_scoring is GoScoring.AT_CALL and _comes_to_play_alone(before, state, move.seat):
        state = yield Pegged(move.seat, 1, (Score(Reason.GO, 1, (move.card,)),))
    yield from _end_count(state)


def _comes_to_play_alone(before: Playing, state: State, seat: Seat) -> bool:
    """True if this card makes `seat` the one left to play on after the goes of this count.

    With more than two players a go can be said while another is still to play; that player
    pegs it as soon as they have played, if nobody else is left (document 000 knows two players only).
    """
    playing = state.expect(Playing)
    others_done = playing.turn in (seat, None)
    return bool(playing.said_go) and others_done and before.series[-1].seat != seat


def say_go(state: State, move: SayGo) -> Ruling:
    """A seat that holds cards can play none; the others play on until nobody can."""
    state = yield GoSaid(move.seat)
    playing = state.expect(Playing)
    last = playing.series[-1].seat
    if state.rules.go_scoring is GoScoring.AT_CALL and playing.turn in (last, None):
        state = yield Pegged(last, 1, (Score(Reason.GO, 1, playing.cards[-1:]),))
    yield from _end_count(state)


def count_aloud(state: State, move: CountAloud) -> Ruling:
    """A player counts their own hand or crib, and pegs no more than it is worth, nor than they say."""
    state = yield from _settle(state)
    state = yield from _count(state, state.expect(Showing).shown[-1], called=move.points)
    if not any(each.open_to for each in state.expect(Showing).oversights):
        state = yield from _settle(state)
        yield from _show_hands(state)
    elif len(state.expect(Showing).shown) <= state.rules.seats:
        yield from _show_hand(state)


def call_muggins(state: State, move: CallMuggins) -> Ruling:
    """An opponent takes missed points, the oldest first, and at most all of them.

    Where nothing was missed the call is false; the accused (of several, the last to count) pegs its price.
    """
    phase = state.phase
    assert isinstance(phase, Playing | Showing), "nothing else leaves counts open"
    asked = [each for each in phase.oversights if move.seat in each.open_to]
    taken = min(sum(each.missed for each in asked), move.points)
    state = yield MugginsCalled(move.seat, move.points, taken)
    if taken:
        state = yield Pegged(move.seat, taken, (Score(Reason.MUGGINS, taken),))
    elif all(each.missed_nothing for each in asked):
        state = yield from _pay_for_wrong_claim(state, asked[-1].seat)
    yield from _after_answer(state)


def let_stand(state: State, move: LetStand) -> Ruling:
    """An opponent accepts the last count."""
    state = yield CountLetStand(move.seat)
    yield from _after_answer(state)


def resign(state: State, move: Resign) -> Ruling:
    """A side gives up. No rule book covers this; here a resignation is worth one game, at any score."""
    yield Resigned(move.seat)
    yield GameWon(_ahead_of(state, {state.rules.side_of(move.seat)}), Ending.RESIGNED)


def claim_game(state: State, move: ClaimGame) -> Ruling:
    """A side that has been away too long loses, as if it had resigned."""
    own_side = state.rules.side_of(move.seat)
    absent = next(side for side in state.absent_sides if side != own_side)
    yield GameClaimed(move.seat, absent)
    yield GameWon(_ahead_of(state, {absent, *state.absent_sides} - {own_side}), Ending.CLAIMED)


def _ahead_of(state: State, losers: set[Side]) -> Side:
    """The side furthest ahead among the others; of equals, the one that would count first."""
    order = [state.rules.side_of(seat) for seat in from_left_of(state.dealer, state.rules.seats)]
    others = [side for side in dict.fromkeys(order) if side not in losers]
    return max(others, key=lambda side: state.pegs[side].front)


def _end_count(state: State) -> Paragraph:
    """The count ends at thirty-one, or when nobody can play on; the last card is one."""
    playing = state.expect(Playing)
    last = playing.series[-1]
    hands_empty = not any(playing.cards_left(Seat(seat)) for seat in range(state.rules.seats))
    if playing.count < pegging.THIRTY_ONE and _goes_on(playing, last.seat):
        return state

    at_call = state.rules.go_scoring is GoScoring.AT_CALL and not hands_empty
    is_thirty_one = playing.count == pegging.THIRTY_ONE
    if state.rules.thirty_one_plus_last if is_thirty_one else not at_call:
        reason = Reason.LAST if hands_empty else Reason.GO
        state = yield Pegged(last.seat, 1, (Score(reason, 1, (last.card,)),))

    state = yield SeriesEnded()
    if hands_empty or not state.rules.play_out:
        state = yield PlayEnded()
        state = yield from _show_hands(state)
    return state


def _goes_on(playing: Playing, last: Seat) -> bool:
    """True if somebody may still play on, or must say go.

    The player of the last card says no go when everybody else is done: the count ends if they cannot play on.
    """
    if playing.turn != last:
        return playing.turn is not None
    so_far = playing.count
    return any(pegging.is_playable(each, so_far) for each in playing.held(last))


def _show_hands(state: State) -> Paragraph:
    """Shows the remaining hands, up to the next one that its owner must count."""
    while len(state.expect(Showing).shown) <= state.rules.seats:
        state = yield from _show_hand(state)
        if state.rules.counting is Counting.ALOUD:
            return state
        state = yield from _count(state, state.expect(Showing).shown[-1], called=None)
    return (yield DealEnded())


def _show_hand(state: State) -> Paragraph:
    """Shows the next hand, or at last the crib."""
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
        scores = _as_called(scores, called)
    state = yield HandCounted(shown.seat, shown.source, total(scores), called)
    if scores:
        state = yield Pegged(shown.seat, total(scores), scores)
    if called is not None and called > total(scores):
        state = yield from _pay_for_wrong_claim(state, left_of(shown.seat, state.rules.seats))
    return state


def _pay_for_wrong_claim(state: State, seat: Seat) -> Paragraph:
    """The price of a wrong claim, if it has one, to `seat`."""
    price = state.rules.wrong_claims
    if price:
        state = yield Pegged(seat, price, (Score(Reason.WRONG_CLAIM, price),))
    return state


def _after_answer(state: State) -> Paragraph:
    """Ends the deal when every opponent has answered the count of the crib."""
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
    """Settles the last hand counted aloud: points that nobody pegged are lost."""
    showing = state.expect(Showing)
    if showing.unsettled:
        missed = sum(each.missed for each in showing.oversights)
        state = yield CountStood(showing.unsettled.seat, showing.unsettled.source, missed)
    return state


def _as_called(scores: tuple[Score, ...], called: int) -> tuple[Score, ...]:
    """The scores pegged when a player calls the points: the true ones, or less if they say less."""
    if called >= total(scores):
        return scores
    return (Score(Reason.CLAIM, called),) if called else ()
