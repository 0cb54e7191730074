"""The scorer that the computer uses agrees with `engine.counting` on every hand and crib that there is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

from engine import PACK, TWO_HANDED, Cards, Rules, card, cards, count
from engine.computer.numbers import Ranks
from engine.computer.ranks import RANKS, number_of
from engine.computer.scorer import NO_CARD, Scorer
from engine.presets import standard
from engine.rules import CribFlush, Flush
from tests.engine.test_counting import hands_up_to_suits, points_of_hands

BY_NUMBER = {number_of(each): each for each in PACK}
IN_THE_PACK = [PACK.index(BY_NUMBER[number]) for number in range(len(PACK))]
"""By the computer's number of a card: its place in the pack."""
STARTERS = np.arange(52, dtype=np.uint8)


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_every_hand_and_crib_with_every_starter_is_worth_what_count_says(crib: bool) -> None:
    """Every hand is one of these with its suits renamed; each suit gets each name."""
    four = numbers(hand for hand, _ in hands_up_to_suits())
    expected = np.array(points_of_hands(crib=crib), dtype=np.uint8)[:, IN_THE_PACK]
    there = (four[:, :, None] != STARTERS).all(axis=1)
    scorer = Scorer(TWO_HANDED)
    for order in ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (1, 0, 3, 2)):
        names = np.array([4 * rank + suit for rank in range(RANKS) for suit in order], dtype=np.uint8)
        found = scorer.points(names[four][:, None, :], names[STARTERS][None, :], crib=crib)

        assert ((found == expected) | ~there).all()


def numbers(hands: Iterable[Cards]) -> Ranks:
    return np.array([[number_of(each) for each in hand] for hand in hands], dtype=np.uint8)


VARIANTS = [
    standard(2, flush=any_four, crib_flush=crib_flush, his_nobs=his_nobs)
    for any_four, crib_flush, his_nobs in product(Flush, CribFlush, (0, 1))
]


@pytest.mark.parametrize("size", [4, 3])
@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
@pytest.mark.parametrize(
    "rules", VARIANTS, ids=lambda rules: f"{rules.flush.value}-{rules.crib_flush.value}-{rules.his_nobs}"
)
def test_flushes_and_nobs_go_by_the_rules_of_the_table(rules: Rules, crib: bool, size: int) -> None:
    """Also of three cards, as the crib has with three players who get nothing from the pack."""
    random = np.random.default_rng([size, crib])
    drawn = [random.permutation(pack)[: size + 1] for pack in (FEW_SUITS, WHOLE_PACK) for _ in range(700)]
    cards_drawn = np.array(drawn, dtype=np.uint8)
    four = np.full((len(drawn), 4), NO_CARD, dtype=np.uint8)
    four[:, :size] = cards_drawn[:, 1:]
    found = Scorer(rules).points(four, cards_drawn[:, 0], crib=crib)
    expected = [
        count(of_numbers(hand), starter=BY_NUMBER[starter], rules=rules, crib=crib).points
        for starter, *hand in cards_drawn.tolist()
    ]

    assert found.tolist() == expected
    assert len(set(expected)) > 10


FEW_SUITS = np.array([4 * rank + suit for rank in (0, 4, 6, 7, 10, 12) for suit in (1, 3)])
"""Few enough cards that flushes, nobs and pairs are common."""
WHOLE_PACK = STARTERS


def of_numbers(those: list[int]) -> Cards:
    return tuple(BY_NUMBER[each] for each in those)


def test_many_hands_are_worth_what_each_is_worth_alone() -> None:
    random = np.random.default_rng(3)
    five = random.permuted(np.tile(STARTERS, (40_000, 1)), axis=1)[:, :5]
    scorer = Scorer(TWO_HANDED)
    together = scorer.points(five[:, 1:], five[:, 0])
    some = range(0, len(five), 97)

    assert [int(together[row]) for row in some] == [
        int(scorer.points(five[row, 1:], five[row, 0])) for row in some
    ]
    assert [int(together[row]) for row in some] == [
        count(of_numbers(hand), starter=BY_NUMBER[starter]).points
        for starter, *hand in (five[row].tolist() for row in some)
    ]


def test_ranks_alone_leave_flushes_and_nobs_out() -> None:
    four = (numbers((cards("5H 6H 7H JH"),)) >> 2).astype(np.uint8)
    starter = np.array([number_of(card("2H")) >> 2], dtype=np.uint8)

    assert Scorer(TWO_HANDED).ranks(four, starter).tolist() == [7]
