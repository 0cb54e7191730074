"""Reasons: true facts by a plain recount, shares that add up, and enough of them told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from random import Random

import pytest

from engine import PACK, PRESETS, Card, Cards, Chance, Discard, Game, PlayerView, Rank, Rules, Seat
from engine.coach.advice import CardChoice, Choice, advice
from engine.coach.daily import DailyHand, Reckoned, close_hands
from engine.coach.reasons import (
    AtScore,
    Crib,
    Cuts,
    Fact,
    Gift,
    Hole,
    Kept,
    Later,
    Nobs,
    Now,
    Owner,
    Pegger,
    Pegging,
    Place,
    Plan,
    Reasons,
    Reply,
    Simulated,
    Wait,
    discard_reasons,
    reasons_of,
)
from engine.computer import Level, Throw, choose
from engine.state import State
from engine.views import player_view
from tests.engine.pencil import in_play
from tests.engine.plain_counting import plain_count, plain_points_of
from tests.engine.tables import PlainChance
from tests.engine.test_hidden_cards import interferes, known_to

MANY, FEW = {2: 60, 3: 25, 4: 25}, {2: 4, 3: 1, 4: 1}
"""Number of moments by number of players."""

few_and_many = pytest.mark.parametrize(
    "few", [True, pytest.param(False, marks=pytest.mark.deep)], ids=["few", "many"]
)


@lru_cache(maxsize=2)
def moments(*, few: bool) -> tuple[tuple[PlayerView, State, tuple[Choice, ...]], ...]:
    """Choices of random games: the view, the state behind it, and every choice."""
    return tuple(
        found for seats, number in (FEW if few else MANY).items() for found in _moments(seats, number)
    )


def _moments(seats: int, number: int) -> Iterator[tuple[PlayerView, State, tuple[Choice, ...]]]:
    random = Random(seats)
    found = 0
    while True:
        game = Game.new(PRESETS["standard"](seats), chance=Chance(random))
        while not game.is_over:
            view = game.view(game.table.waiting_for[0])
            moves = view.legal_moves
            is_choice = Discard in moves.kinds or len({each.rank for each in moves.playable}) > 1
            if is_choice and random.random() < 0.1:
                yield view, game.state, advice(view)
                found += 1
                if found == number:
                    return
            game.apply(choose(view, random.choice([Level.BEGINNER, Level.STEADY]), seed=3))


@lru_cache(maxsize=2)
def every_reason(*, few: bool = False) -> tuple[tuple[PlayerView, Choice, Choice, Reasons], ...]:
    """The reasons for the best choice against each other one, and against the next what speaks for that."""
    found = []
    for view, _, choices in moments(few=few):
        best, *others = choices
        found += [(view, best, other, reasons_of(view, best, other, choices)) for other in others]
        found.append((view, others[0], best, reasons_of(view, others[0], best, choices)))
    return tuple(found)


@few_and_many
def test_the_shares_are_the_whole_difference(few: bool) -> None:
    for _, better, other, why in every_reason(few=few):
        difference = better.points - other.points
        if better.winning is not None and other.winning is not None:
            difference = better.winning - other.winning
        assert why.difference == pytest.approx(difference)
        assert sum(each.share for each in why.facts) == pytest.approx(difference, abs=1e-6)
        weights = [abs(each.share) for each in why.facts]
        assert weights == sorted(weights, reverse=True)


@pytest.mark.deep
def test_what_is_told_explains_most_of_nine_in_ten_choices_half_a_point_apart() -> None:
    explained = []
    for _, better, other, why in every_reason():
        points = better.points - other.points
        if why.difference > 1e-9 and points >= 0.5:
            assert 1 <= len(why.told) <= 3
            explained.append(sum(each.share for each in why.told) / why.difference)
    assert len(explained) > 300
    assert sum(each >= 0.6 for each in explained) >= 0.9 * len(explained)
    assert sum(each <= 1.5 for each in explained) >= 0.9 * len(explained), "concessions are told"


@few_and_many
def test_no_fact_is_false(few: bool) -> None:
    seen: set[object] = set()
    for view, better, other, why in every_reason(few=few):
        for fact in why.facts:
            if isinstance(better, Throw) and isinstance(other, Throw):
                seen.add(_discard_is_true(fact, better, other, view))
            else:
                assert isinstance(better, CardChoice)
                assert isinstance(other, CardChoice)
                seen.add(_card_is_true(fact, better.card, other.card, view))
    if not few:
        assert seen >= {Kept, Cuts, Pegger.LOW, Now, Plan.ON, Gift.FIVE, Gift.TOUCHING}
        assert seen >= {Hole.FEWER, Hole.SAFE, Hole.FIVE, Wait.LOW, Wait.PAIR, Plan.OFTEN}


def _discard_is_true(fact: Fact, better: Throw, other: Throw, view: PlayerView) -> object:
    """Recounts the fact, and returns its kind."""
    rules = view.table.rules
    starters = [each for each in PACK if each not in better.kept and each not in better.given]
    worth, instead = (
        {each: _shown(throw.kept, each, rules) for each in starters} for throw in (better, other)
    )
    before = [plain_points_of(throw.kept) for throw in (better, other)]
    nobs = [sum(_is_nobs(throw.kept, each) for each in starters) for throw in (better, other)]
    helped = [
        sum(points - _is_nobs(throw.kept, each) > kept for each, points in counted.items())
        for throw, counted, kept in zip((better, other), (worth, instead), before, strict=True)
    ]
    match fact:
        case Kept(points=points, instead=less, scores=scores):
            assert [points, less] == before
            assert sum(each.points for each in scores) == points
        case Nobs(starters=number, instead=less):
            assert [number, less] == nobs
        case Cuts(helping=number, instead=less, rank=rank, gain=gain):
            assert [number, less] == helped
            added = [
                worth[each] - before[0] - _is_nobs(better.kept, each)
                for each in starters
                if each.rank is rank
            ]
            assert min(added) == gain
        case Crib(owner=owner, gift=gift, given=given, is_given=is_given):
            dealer = view.table.dealer
            partners = rules.side_of(dealer) == rules.side_of(view.seat)
            assert owner is (
                Owner.SELF if dealer == view.seat else Owner.PARTNER if partners else Owner.OPPONENT
            )
            assert given == (better if is_given else other).given
            assert gift is Gift.NONE or (_has(gift, given) and better.crib > other.crib)
            return gift
        case Pegging(pegger=pegger):
            low, less = (sum(each.rank <= 4 for each in one.kept) for one in (better, other))
            assert low > less or pegger is not Pegger.LOW
            alike = [len(Counter(each.rank for each in one.kept)) for one in (better, other)]
            assert alike[0] < alike[1] or pegger is not Pegger.PAIR
            return pegger
        case AtScore(plan=plan, mine=mine, theirs=theirs):
            assert (mine, theirs) == _needed(view)
            if plan is Plan.HOME:
                assert min(worth.values()) >= mine > min(instead.values())
            elif plan is Plan.ON:
                assert sum(worth.values()) > sum(instead.values())
            elif plan is Plan.OFF:
                assert view.seat != view.table.dealer
                assert better.crib > other.crib
            return plan
        case _:
            raise AssertionError(fact)
    return type(fact)


def _is_nobs(kept: Cards, starter: Card) -> bool:
    return Card(Rank.JACK, starter.suit) in kept


def _has(gift: Gift, given: Cards) -> bool:
    if gift is Gift.FIVE:
        return any(each.pips == 5 for each in given)
    low, high = sorted(each.rank.value for each in given)
    return {
        Gift.PAIR: low == high,
        Gift.FIFTEEN: sum(each.pips for each in given) == 15,
        Gift.TOUCHING: high - low == 1,
        Gift.NEAR: high - low == 2,
        Gift.APART: high - low > 4,
    }[gift]


def _needed(view: PlayerView) -> tuple[int, int]:
    rules, scores = view.table.rules, view.table.scores
    side = rules.side_of(view.seat)
    return rules.target - scores[side], rules.target - scores[1 - side]


def _shown(kept: Cards, starter: Card, rules: Rules) -> int:
    return sum(each.points for each in plain_count(kept, starter=starter, rules=rules))


def _card_is_true(fact: Fact, better: Card, other: Card, view: PlayerView) -> object:
    """Recounts the fact, and returns its kind."""
    series = [each.card for each in view.table.series]
    match fact:
        case Now(points=points, instead=instead, scores=scores):
            assert (points, instead) == (in_play([*series, better]), in_play([*series, other]))
            assert sum(each.points for each in scores) == points
            return Now
        case Reply():
            _reply_is_true(fact, better, other, view)
            return fact.hole
        case Later(wait=Wait.LOW, answer=answer):
            assert answer == other == min(view.hand, key=lambda each: each.rank)
            assert other.pips < better.pips
            return Wait.LOW
        case Later(wait=wait, reply=reply, answer=answer, points=points) if answer is not None:
            taker = next(each for each in _fitting(view, better) if each.rank is reply)
            assert answer in view.hand
            assert answer != better
            assert _count(view, better) + taker.pips + answer.pips <= 31
            assert points == in_play([*series, better, taker, answer])
            assert points > in_play([*series, better, taker]) > 0
            assert (wait is Wait.PAIR) == (answer.rank is better.rank is reply)
            return wait
        case Later(wait=wait):
            assert wait is Wait.NONE
            return wait
        case AtScore(plan=plan, mine=mine, theirs=theirs):
            assert (mine, theirs) == _needed(view)
            return plan
        case _:
            raise AssertionError(fact)


def _unseen(view: PlayerView) -> list[Card]:
    table = view.table
    known = {*view.hand, *view.discarded, table.starter}
    known |= {each.card for series in (*table.past_series, table.series) for each in series}
    return [each for each in PACK if each not in known]


def _count(view: PlayerView, card: Card) -> int:
    """The count that the card leaves."""
    return card.pips + sum(each.card.pips for each in view.table.series)


def _is_answered(view: PlayerView) -> bool:
    """True if anybody else may still play to this count."""
    table = view.table
    others = [seat for seat in range(table.rules.seats) if seat != view.seat]
    return any(table.hand_sizes[seat] and seat not in table.said_go for seat in others)


def _fitting(view: PlayerView, card: Card) -> list[Card]:
    """The unseen cards that may be played on it."""
    count = _count(view, card)
    if not _is_answered(view) or count == 31:
        return []
    return [each for each in _unseen(view) if count + each.pips <= 31]


def _scoring(view: PlayerView, card: Card) -> int:
    series = [*(each.card for each in view.table.series), card]
    return sum(in_play([*series, each]) > 0 for each in _fitting(view, card))


def _reply_is_true(fact: Reply, better: Card, other: Card, view: PlayerView) -> None:
    assert (fact.scoring, fact.instead) == (_scoring(view, better), _scoring(view, other))
    assert fact.unseen == len(_unseen(view))
    match fact.hole:
        case Hole.FIVE | Hole.TWENTY_ONE:
            assert _count(view, other) == (5 if fact.hole is Hole.FIVE else 21) != _count(view, better)
            assert fact.scoring < fact.instead
        case Hole.SAFE:
            assert all(each.rank is not better.rank for each in _fitting(view, better))
            assert any(each.rank is other.rank for each in _fitting(view, other))
        case Hole.FEWER:
            assert fact.scoring < fact.instead
        case Hole.MORE:
            assert fact.scoring > fact.instead
        case Hole.STUCK:
            assert _is_answered(view)
            assert fact.stuck == len(_unseen(view)) - len(_fitting(view, better)) > fact.stuck_instead
        case Hole.NONE:
            pass


@pytest.mark.deep
def test_the_rest_of_the_play_is_told_in_points_and_only_if_it_matters() -> None:
    idle, alone = 0, 0
    for _, better, other, why in every_reason():
        later = next((each for each in why.facts if isinstance(each, Later)), None)
        if later is None or not isinstance(better, CardChoice) or not isinstance(other, CardChoice):
            continue
        rest = (better.points - better.soon) - (other.points - other.soon)
        assert later.gain == pytest.approx(rest)
        if later.wait is Wait.NONE and later in why.told and later.share > 0:
            pros = [each for each in why.facts if each.share > 0]
            assert later.share >= 0.35 * why.difference or pros == [later]
            alone += pros == [later]
        elif later.wait is Wait.NONE and later.share > 0:
            idle += 1
    assert idle
    assert alone


@pytest.mark.deep
def test_no_reason_depends_on_a_card_that_its_seat_cannot_know() -> None:
    def look(state: State, seat: Seat) -> object:
        view = player_view(state, seat)
        choices = advice(view)
        return [reasons_of(view, choices[0], each, choices) for each in choices[1:]]

    for view, state, _ in moments(few=False)[::6]:
        known = known_to(state, view.seat)
        assert not interferes(partial(look, seat=view.seat), state, known, PlainChance(1))


def test_no_reason_prints_a_private_card() -> None:
    for view, _, _, why in every_reason(few=True):
        printed = repr(why) + repr(why.told)
        assert "Card(" not in printed
        assert "Rank." not in printed
        assert not any(str(each) in printed.split("'") for each in view.hand)


def test_a_discard_that_simulation_prefers_says_so() -> None:
    hand: DailyHand = next(close_hands(b"0"))
    reckoned = Reckoned.of(hand)
    better, other, *_ = reckoned.throws
    rules: Rules = PRESETS["standard"](2)
    place = Place(rules=rules, owner=Owner.SELF, score=(60, 60), is_simulated=True)
    why = discard_reasons(better, other, reckoned.throws, place)
    assert any(isinstance(each, Simulated) for each in why.facts)
    assert not any(isinstance(each, AtScore) for each in why.facts)
