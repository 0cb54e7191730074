"""The daily hand: the same for the same seed, a close choice, proved by simulation, graded by its cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from random import Random

import numpy as np
import pytest

from engine import PACK, TWO_HANDED, Suit, card, cards
from engine.coach import (
    DailyHand,
    Grade,
    Reckoned,
    clear_hand,
    close_hands,
    daily,
    grade_of,
    practice_hand,
    proved_hands,
    throws_for,
)
from engine.coach.daily import CLOSE, COST_UNIT, GRADE_LIMITS, PLAIN, is_interesting, kept_points
from engine.coach.simulation import CERTAIN, STEP, Simulation, simulated
from engine.computer import Throw
from engine.computer.chances import ScoreState
from tests.engine.plain_counting import plain_points_of


@lru_cache(maxsize=2)
def hands(number: int = 1) -> tuple[DailyHand, ...]:
    """The hands of that many seeds."""
    return tuple(next(close_hands(b"test %d" % seed)) for seed in range(number))


def ranks(throw: Throw) -> tuple[int, ...]:
    """The ranks that are given away, which tell one choice from another."""
    return tuple(sorted(each.rank for each in throw.given))


def of_different_ranks(throws: Sequence[Throw]) -> list[Throw]:
    """The first of each two ranks."""
    return [
        each
        for place, each in enumerate(throws)
        if ranks(each) not in {ranks(other) for other in throws[:place]}
    ]


def test_the_same_seed_gives_the_same_hand_with_every_version_of_python() -> None:
    hand = next(close_hands(b"2026-11-23"))
    assert (hand.dealt, hand.starter, hand.dealer, hand.own, hand.other) == (
        cards("6C 6H 8H TH JH QD"),
        card("JD"),
        True,
        22,
        31,
    )


@pytest.mark.deep
def test_a_hand_is_six_cards_and_another_for_the_starter_and_nobody_is_home() -> None:
    for hand in hands(16):
        assert len({*hand.dealt, hand.starter}) == 7
        assert max(hand.own, hand.other) < TWO_HANDED.target
    assert {hand.dealer for hand in hands(16)} == {True, False}
    assert len({hand.dealt for hand in hands(16)}) == 16


def test_the_two_best_are_close_both_ways_and_neither_keeps_most_before_the_cut() -> None:
    for hand in hands():
        throws = hand.throws
        assert len(throws) == 15
        assert [each.winning for each in throws] == sorted(
            (each.winning or 0 for each in throws), reverse=True
        )
        first, second = of_different_ranks(throws)[:2]
        assert abs(first.points - second.points) < CLOSE
        assert abs(throws[0].points - throws[1].points) < CLOSE
        by_points = of_different_ranks(sorted(throws, key=lambda each: -each.points))
        assert {ranks(first), ranks(second)} == {ranks(each) for each in by_points[:2]}
        most = max(kept_points(each.kept) for each in throws)
        assert max(kept_points(each.kept) for each in (first, *throws[:2], second)) < most
        assert 0.25 <= (first.winning or 0) <= 0.75


def test_a_choice_without_a_chance_and_one_whose_count_tells_it_are_not_interesting() -> None:
    random, found = Random(5), 0
    for _ in range(100):
        found += is_interesting(throws_for(tuple(random.sample(PACK, 6)), TWO_HANDED, dealer=True))
    assert found == 0, "without a score no chance is known, and no game is open"
    plain = DailyHand(dealt=cards("5H 5C 5D JS 2C 9D"), starter=PACK[0], dealer=True, own=50, other=50)
    assert not is_interesting(plain.throws)


def test_what_is_kept_counts_without_a_starter() -> None:
    random = Random(3)
    suited = [tuple(each for each in PACK if each.suit is suit)[:4] for suit in Suit]
    for kept in (*suited, *(tuple(random.sample(PACK, 4)) for _ in range(300))):
        assert kept_points(kept) == plain_points_of(kept)


def test_a_discard_costs_what_it_loses_against_the_best_in_any_order_of_its_cards() -> None:
    reckoned = Reckoned.of(hands()[0])
    best, worst = reckoned.throws[0], reckoned.throws[-1]
    assert reckoned.cost_of(best.given) == 0
    lost = (best.winning or 0) - (worst.winning or 0)
    assert reckoned.cost_of((worst.given[1], worst.given[0])) == round(lost * COST_UNIT)
    other = next(each for each in PACK if each not in hands()[0].dealt)
    for wrong in ((best.given[0], other), (best.given[0],), (best.given[0], best.given[0]), ()):
        with pytest.raises(ValueError, match="no such discard"):
            reckoned.cost_of(wrong)


@pytest.mark.deep
def test_grades_go_by_what_is_lost_and_each_can_be_had() -> None:
    assert [grade_of(limit) for limit, _ in GRADE_LIMITS] == list(Grade)[1:]
    assert [grade_of(limit - 1) for limit, _ in GRADE_LIMITS] == list(Grade)[:-1]
    assert grade_of(0) is Grade.TWENTY_NINE
    had = {
        grade_of(reckoned.cost_of(each.given))
        for reckoned in map(Reckoned.of, hands(16))
        for each in reckoned.throws
    }
    assert had == set(Grade)


def test_the_cards_do_not_print() -> None:
    shown = repr((hands()[0], Reckoned.of(hands()[0])))
    for each in (*hands()[0].dealt, hands()[0].starter):
        assert str(each) not in shown


@pytest.mark.deep
def test_a_proved_hand_has_a_best_three_standard_errors_above_the_next() -> None:
    *steps, hand = proved_hands(b"proof 1")
    assert steps
    assert {*steps} == {None}
    assert hand is not None
    assert list(proved_hands(b"proof 1"))[-1] == hand
    assert hand.evidence is not None
    chances = [chance for _, chance in hand.evidence.chances]
    assert chances == sorted(chances, reverse=True)
    assert hand.evidence.margin >= 3 * hand.evidence.error > 0
    assert chances[0] - chances[1] <= hand.evidence.margin + 1e-9
    assert hand.is_possible


@pytest.mark.deep
def test_a_proved_hand_is_graded_by_its_evidence_and_not_by_the_expert_of_the_day() -> None:
    *_, hand = proved_hands(b"proof 1")
    assert hand is not None
    assert hand.evidence is not None
    turned = tuple((given, 0.9 - chance) for given, chance in reversed(hand.evidence.chances))
    other = replace(hand, evidence=replace(hand.evidence, chances=turned))
    first, last = turned[0], turned[-1]
    assert Reckoned.of(other).throws[0].given == first[0]
    assert Reckoned.of(other).cost_of(last[0]) == round((first[1] - last[1]) * COST_UNIT)
    lacking = replace(hand, evidence=replace(hand.evidence, chances=turned[1:]))
    assert not lacking.is_possible


@pytest.mark.deep
def test_hands_in_doubt_are_passed_over_until_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = islice(close_hands(b"proof 1"), 2)
    known: list[ScoreState] = []

    def at_once(candidates: tuple[Throw, ...], score: ScoreState, _: bytes) -> Iterator[Simulation]:
        outcomes = np.tile([0.5, 0.4, 0.3] if score in known else [0.5, 0.5, 0.5], (4_000, 1))
        yield Simulation(tuple(each.given for each in candidates), outcomes)

    monkeypatch.setattr(daily, "simulated", at_once)
    monkeypatch.setattr(daily, "BUDGET", 8_000)
    assert list(proved_hands(b"proof 1")) == [None, None], "two of 4,000 deals spend the budget"
    known.append(second.score)
    *steps, hand = proved_hands(b"proof 1")
    assert steps == [None, None]
    assert hand is not None
    assert (hand.dealt, hand.dealt == first.dealt) == (second.dealt, False)


def test_a_hand_for_practice_has_a_best_discard_half_a_point_above_all_others() -> None:
    for number in range(10):
        hand = practice_hand(b"test %d" % number)
        first, *others = of_different_ranks(hand.throws)
        assert all(first.points - each.points >= PLAIN for each in others)
        assert all((first.winning or 0.0) >= (each.winning or 0.0) for each in others)
        assert 0.25 <= (first.winning or 0.0) <= 0.75
    assert practice_hand(b"test 1") == practice_hand(b"test 1") != practice_hand(b"test 2")


@pytest.mark.deep
def test_a_hand_made_at_once_has_its_two_best_a_point_apart() -> None:
    for number in range(1):
        hand = clear_hand(b"test %d" % number)
        first, second = of_different_ranks(hand.throws)[:2]
        assert first.points - second.points >= CLOSE
        assert hand.evidence is None
        assert is_interesting(hand.throws, is_clear=True)
        assert not is_interesting(hand.throws)


SEED = b"a seed"
OBVIOUS = DailyHand(dealt=cards("5H 5C 5D JS 2C 9D"), starter=PACK[0], dealer=True, own=60, other=60)


def steps(hand: DailyHand, *given: str, seed: bytes = SEED) -> list[Simulation]:
    """All steps with these discards as candidates."""
    wanted = [{*cards(each)} for each in given]
    candidates = tuple(next(each for each in hand.throws if {*each.given} == one) for one in wanted)
    return list(simulated(candidates, hand.score, seed))


@pytest.mark.deep
def test_three_fives_and_a_jack_are_kept_after_the_first_look() -> None:
    for dealer in (True, False):
        hand = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=dealer, own=60, other=60)
        found = steps(hand, "5H 5C", "2C 9D")[-1]
        assert found.is_clear
        assert found.deals == 1_000
        assert found.chances[1] - found.chances[0] == pytest.approx(found.margin)
        assert found.margin > 0.05
        assert found.margin > CERTAIN * found.error > 0


@pytest.mark.deep
def test_the_same_seed_gives_the_same_and_another_seed_other_deals() -> None:
    first, again, other = (
        steps(OBVIOUS, "5H 5C", "2C 9D", seed=seed)[-1] for seed in (SEED, SEED, b"b seed")
    )
    assert np.array_equal(first.outcomes, again.outcomes)
    assert not np.array_equal(first.outcomes, other.outcomes)


@pytest.mark.deep
def test_two_cards_of_one_rank_and_no_suit_that_matters_stay_in_doubt() -> None:
    hand = DailyHand(dealt=cards("5H 5C 4D 6S JC 9D"), starter=PACK[0], dealer=True, own=60, other=60)
    found = steps(hand, "5H 9D", "5C 9D")
    assert not found[-1].is_clear
    assert [each.deals for each in found] == list(range(STEP, 8_000 + STEP, STEP))


def test_the_best_must_be_clear_of_every_other_candidate() -> None:
    outcomes = np.zeros((100, 3))
    outcomes[:, 0] = 0.5
    outcomes[:, 1] = 0.4
    outcomes[::2, 2] = 0.78
    found = Simulation((cards("2C 9D"), cards("2C JS"), cards("9D JS")), outcomes)
    assert found.margin == pytest.approx(0.1)
    assert not found.is_clear, "the third differs too much from deal to deal"
    assert Simulation(found.candidates[:2], outcomes[:, :2]).is_clear


@pytest.mark.deep
def test_who_surely_counts_home_wins_and_who_cannot_count_first_does_not() -> None:
    for dealer in (True, False):
        hand = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=dealer, own=107, other=80)
        home, short = steps(hand, "2C 9D", "5H 5C")[-1].chances
        assert home == 1.0, "three fives and a jack are fourteen, whatever is cut"
        assert short < 1.0
    late = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=True, own=107, other=115)
    assert steps(late, "2C 9D", "5H 5C")[-1].chances[0] < 0.7, "the other counts first"
