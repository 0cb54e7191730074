"""What an opponent keeps and gives: by points far from home, by the chance to win near it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine import PACK
from engine.computer.chances import ScoreState
from engine.computer.numbers import Shares
from engine.computer.ranks import counts_of, holdings
from engine.computer.splits import splits_at
from engine.computer.throws import thrower_for
from engine.presets import standard
from tests.engine.tables import PlainChance

RULES = standard(2)
FAR = {dealing: ScoreState(121, 121, dealing=dealing) for dealing in (True, False)}


def ways(splits: Shares, six: list[int]) -> dict[tuple[int, ...], float]:
    """The chance of each of the fifteen ways, by the places of the cards given."""
    result: dict[tuple[int, ...], float] = {}
    for gone in combinations(range(6), 2):
        kept = [six[place] for place in range(6) if place not in gone]
        four, pair = (
            int(holdings(size).find(counts_of(ranks)[None, :])[0])
            for size, ranks in ((4, kept), (2, [six[place] for place in gone]))
        )
        result[gone] = float(splits[four, pair])
    return result


def dealt_from(seed: int) -> list[int]:
    return sorted(each.rank.value - 1 for each in PlainChance(seed).shuffled(PACK)[:6])


@pytest.mark.parametrize("dealing", [True, False])
@pytest.mark.parametrize("needs", [(121, 121), (11, 16), (16, 11), (1, 1)])
def test_one_of_the_fifteen_ways_is_always_chosen(needs: tuple[int, int], dealing: bool) -> None:
    splits = splits_at(RULES, ScoreState(*needs, dealing=dealing))

    for seed in range(20):
        chances = ways(splits, dealt_from(seed))
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-5)
        assert min(chances.values()) > 0.001, "nothing that a person may give is ruled out"


@pytest.mark.parametrize("dealing", [True, False])
def test_far_from_home_a_good_player_s_choice_is_expected(dealing: bool) -> None:
    """Suits, which the expectation leaves out, decide some close choices."""
    splits = splits_at(RULES, FAR[dealing])
    expected = []
    for seed in range(100):
        dealt = tuple(sorted(PlainChance(seed).shuffled(PACK)[:6]))
        throws = thrower_for(RULES).throws(dealt, own_crib=dealing, dealer=dealing, score=None)
        best = max(throws, key=lambda each: each.points)
        chances = ways(splits, [each.rank.value - 1 for each in dealt])
        expected.append(chances[tuple(dealt.index(each) for each in best.given)])

    assert np.mean(expected) > 0.6
    assert np.median(expected) > 0.7


@pytest.mark.parametrize("near", [(9, 40), (11, 16)])
def test_near_home_a_pone_keeps_what_is_enough_whatever_the_crib_gets(near: tuple[int, int]) -> None:
    """Of 2 3 4 4 5 J far from home nobody gives the dealer five and jack; the double run is ten for sure."""
    six, five_and_jack = [1, 2, 3, 3, 4, 10], (4, 5)
    far = ways(splits_at(RULES, FAR[False]), six)
    close = ways(splits_at(RULES, ScoreState(*near, dealing=False)), six)

    assert far[five_and_jack] < 0.05
    assert close[five_and_jack] > 0.8
