"""The simulation finds an obvious best, repeats from its seed, and leaves a close choice in doubt."""

from __future__ import annotations

import numpy as np
import pytest

from engine import PACK, cards
from engine.coach import DailyHand
from engine.coach.simulation import CERTAIN, STEP, Simulation, simulated

SEED = b"a seed"
OBVIOUS = DailyHand(dealt=cards("5H 5C 5D JS 2C 9D"), starter=PACK[0], dealer=True, own=60, other=60)


def steps(hand: DailyHand, *given: str, seed: bytes = SEED) -> list[Simulation]:
    """All steps with these discards as candidates."""
    wanted = [{*cards(each)} for each in given]
    candidates = tuple(next(each for each in hand.throws if {*each.given} == one) for one in wanted)
    return list(simulated(candidates, hand.score, seed))


def test_three_fives_and_a_jack_are_kept_after_the_first_look() -> None:
    for dealer in (True, False):
        hand = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=dealer, own=60, other=60)
        found = steps(hand, "5H 5C", "2C 9D")[-1]
        assert found.is_clear
        assert found.deals == 1_000
        assert found.chances[1] - found.chances[0] == pytest.approx(found.margin)
        assert found.margin > 0.05
        assert found.margin > CERTAIN * found.error > 0


def test_the_same_seed_gives_the_same_and_another_seed_other_deals() -> None:
    first, again, other = (
        steps(OBVIOUS, "5H 5C", "2C 9D", seed=seed)[-1] for seed in (SEED, SEED, b"b seed")
    )
    assert np.array_equal(first.outcomes, again.outcomes)
    assert not np.array_equal(first.outcomes, other.outcomes)


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


def test_who_surely_counts_home_wins_and_who_cannot_count_first_does_not() -> None:
    for dealer in (True, False):
        hand = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=dealer, own=107, other=80)
        home, short = steps(hand, "2C 9D", "5H 5C")[-1].chances
        assert home == 1.0, "three fives and a jack are fourteen, whatever is cut"
        assert short < 1.0
    late = DailyHand(dealt=OBVIOUS.dealt, starter=PACK[0], dealer=True, own=107, other=115)
    assert steps(late, "2C 9D", "5H 5C")[-1].chances[0] < 0.7, "the other counts first"
