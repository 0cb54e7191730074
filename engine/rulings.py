"""The rule book: one ruling for each kind of move.

A ruling is a generator. It yields what happens next and is handed the state after it. It never asks
whether the game is over: the referee stops it at the winning peg.
"""

from __future__ import annotations

from engine import pegging, show
from engine.cards import PACK, Rank
from engine.chance import Chance
from engine.counting import heels
from engine.endings import Ending, GameClaimed, GameWon, Resigned
from engine.events import (
    CardPlayed,
    CutForDeal,
    DealBegan,
    DealerChosen,
    GameBegan,
    GoSaid,
    HeelsClaimed,
    HeelsForfeited,
    Pegged,
    PlayEnded,
    SeriesEnded,
    StarterCut,
)
from engine.moves import (
    ClaimGame,
    ClaimHeels,
    CutStarter,
    Deal,
    Discard,
    PlayCard,
    Resign,
    SayGo,
)
from engine.phases import Cutting, Discarding, Playing
from engine.rules import FirstDeal, GoScoring, Rules
from engine.scores import Reason, Score, total
from engine.seats import Seat, Side, from_left_of
from engine.secret_events import CribDealt, Discarded, HandDealt
from engine.show import Paragraph, Ruling
from engine.state import State


def begin(rules: Rules, chance: Chance, dealer: Seat | None) -> Ruling:
    """The players sit down; unless the dealer is known, they cut and the lowest card deals."""
    yield GameBegan(rules)
    seats = tuple(Seat(seat) for seat in range(rules.seats))
    if dealer is None and rules.first_deal is FirstDeal.RANDOM:
        dealer = chance.pick(seats)
    pack = chance.shuffled(PACK)
    while dealer is None:
        cuts = [CutForDeal(seat, pack[place]) for place, seat in enumerate(seats)]
        for cut in cuts:  # noqa: UP028 -- a list cannot be sent the state, as `yield from` would
            yield cut
        lowest = min(cut.card.rank for cut in cuts)
        seats = tuple(cut.seat for cut in cuts if cut.card.rank is lowest)
        if len(seats) == 1:
            dealer = seats[0]
        pack = chance.shuffled(PACK)
    yield DealerChosen(dealer)


def deal(state: State, move: Deal, chance: Chance) -> Ruling:
    """Cards go round one at a time from the dealer's left, then from the pack to the crib."""
    rules = state.rules
    yield DealBegan(move.seat, state.deal_number + 1)
    pack = chance.shuffled(PACK)
    number = rules.seats * rules.dealt
    for place, seat in enumerate(from_left_of(move.seat, rules.seats)):
        yield HandDealt(seat, tuple(sorted(pack[place : number : rules.seats])))
    if rules.crib_from_pack:
        yield CribDealt(pack[number : number + rules.crib_from_pack])


def discard(state: State, move: Discard) -> Ruling:
    """A seat gives cards to the crib, or changes its mind before the crib is complete."""
    if state.expect(Discarding).layout.discarded[move.seat] != move.cards:
        yield Discarded(move.seat, move.cards)


def cut_starter(state: State, move: CutStarter, chance: Chance) -> Ruling:
    """The starter is turned; a jack is two for his heels, pegged before a card is played."""
    rules = state.rules
    starter = chance.pick(state.expect(Cutting).layout.pack)
    yield StarterCut(move.seat, starter)
    if starter.rank is Rank.JACK and rules.his_heels and not rules.heels_claimed:
        yield Pegged(state.dealer, rules.his_heels, (heels(starter, rules),))


def claim_heels(state: State, move: ClaimHeels) -> Ruling:
    """The dealer claims his heels before playing a card."""
    starter = state.expect(Playing).layout.starter
    assert starter is not None, "heels are open only when a jack was turned"
    yield HeelsClaimed(move.seat)
    yield Pegged(move.seat, state.rules.his_heels, (heels(starter, state.rules),))


def play_card(state: State, move: PlayCard) -> Ruling:
    """A card joins the count and scores at once; its last card, when nobody can play on."""
    before = state.expect(Playing)
    if before.heels_open and move.seat == state.dealer:
        state = yield HeelsForfeited(move.seat)
    state = yield CardPlayed(move.seat, move.card, move.points)
    scores = pegging.scores(state.expect(Playing).cards, state.rules)
    if move.points is not None:
        scores = show.as_called(scores, move.points)
    if scores:
        state = yield Pegged(move.seat, total(scores), scores)
    if state.rules.go_scoring is GoScoring.AT_CALL and _comes_to_play_alone(before, state, move.seat):
        state = yield Pegged(move.seat, 1, (Score(Reason.GO, 1, (move.card,)),))
    yield from _end_count(state)


def _comes_to_play_alone(before: Playing, state: State, seat: Seat) -> bool:
    """Whether this card makes `seat` the one to whom the goes of this count were said.

    With more than two players a go can be said while another is still to play; it is his as
    soon as he has played, if nobody else is left (document 000 knows two players only).
    """
    playing = state.expect(Playing)
    others_done = playing.turn in (seat, None)
    return bool(playing.said_go) and others_done and before.series[-1].seat != seat


def say_go(state: State, move: SayGo) -> Ruling:
    """A seat holds cards but can play none; the others play on until nobody can."""
    state = yield GoSaid(move.seat)
    playing = state.expect(Playing)
    last = playing.series[-1].seat
    if state.rules.go_scoring is GoScoring.AT_CALL and playing.turn in (last, None):
        state = yield Pegged(last, 1, (Score(Reason.GO, 1, playing.cards[-1:]),))
    yield from _end_count(state)


def resign(state: State, move: Resign) -> Ruling:
    """A side gives up. No authority rules on this; a resignation is worth one game, whatever the score."""
    yield Resigned(move.seat)
    yield GameWon(_ahead_of(state, {state.rules.side_of(move.seat)}), Ending.RESIGNED)


def claim_game(state: State, move: ClaimGame) -> Ruling:
    """A side that has been away too long has lost, as if it had resigned."""
    own_side = state.rules.side_of(move.seat)
    absent = next(side for side in state.absent_sides if side != own_side)
    yield GameClaimed(move.seat, absent)
    yield GameWon(_ahead_of(state, {absent, *state.absent_sides} - {own_side}), Ending.CLAIMED)


def _ahead_of(state: State, losers: set[Side]) -> Side:
    """The side furthest ahead among the others; of equal ones, the one that would count first."""
    order = [state.rules.side_of(seat) for seat in from_left_of(state.dealer, state.rules.seats)]
    others = [side for side in dict.fromkeys(order) if side not in losers]
    return max(others, key=lambda side: state.pegs[side].front)


def _end_count(state: State) -> Paragraph:
    """The count ends at thirty-one, or when nobody can play on; the last card is one."""
    playing = state.expect(Playing)
    last = playing.series[-1]
    hands_empty = not any(playing.held(Seat(seat)) for seat in range(state.rules.seats))
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
        state = yield from show.begin(state)
    return state


def _goes_on(playing: Playing, last: Seat) -> bool:
    """Whether somebody may still play on, or must say go.

    The player of the last card is not asked for a go when everybody else is done: that he
    can play no more ends the count.
    """
    if playing.turn != last:
        return playing.turn is not None
    return any(pegging.is_playable(each, playing.count) for each in playing.held(last))
