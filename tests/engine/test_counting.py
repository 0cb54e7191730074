"""The show's arithmetic: all 12,994,800 hands with their starters, by the engine and by the computer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
import pytest

from engine import (
    PACK,
    PRESETS,
    TWO_HANDED,
    CannotCount,
    Card,
    Cards,
    Rank,
    Rules,
    Suit,
    card,
    cards,
    count,
)
from engine.computer.numbers import Ranks
from engine.computer.ranks import RANKS, number_of
from engine.computer.scorer import NO_CARD, Scorer
from engine.counting import fifteens, flush, nobs, pairs, runs
from engine.presets import standard
from engine.rules import CribFlush, Flush
from engine.scores import total
from tests.engine.games import PRESET_SEATS
from tests.engine.plain_counting import plain_count
from tests.engine.tables import PlainChance

DISTRIBUTION = """
score     hands  as_crib
    0   1009008  1022208
    1     99792    99792
    2   2813796  2839800
    3    505008   508908
    4   2855676  2868960
    5    697508   703496
    6   1800268  1787176
    7    751324   755320
    8   1137236  1118336
    9    361224   358368
   10    388740   378240
   11     51680    43880
   12    317340   310956
   13     19656    16548
   14     90100    88132
   15      9168     9072
   16     58248    57288
   17     11196    11196
   18      2708     2264
   20      8068     7828
   21      2496     2472
   22       444      444
   23       356      356
   24      3680     3680
   28        76       76
   29         4        4
"""
"""Number of hands with starter by points: S. Lumetta's table, and its counterpart for the crib."""


NO_HANDS = ["", "5H 5H", "5H 6H JD", "2C 3C 4C 6C 7C 8C"]
"""None, a card twice, the starter (a jack of diamonds) in the hand, too many."""


@pytest.mark.deep
@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_all_hands_with_all_starters_are_distributed_as_published(crib: bool) -> None:
    _, *lines = DISTRIBUTION.split("\n")[1:-1]
    table = [tuple(map(int, line.split())) for line in lines]
    distributed = Counter[int]()
    for (hand, orbit), points in zip(hands_up_to_suits(), points_of_hands(crib=crib), strict=True):
        for starter, number in zip(PACK, points, strict=True):
            distributed[number] += 0 if starter in hand else orbit

    assert {score: in_crib if crib else in_hand for score, in_hand, in_crib in table} == +distributed
    assert distributed.total() == 12_994_800
    assert f"{mean(distributed):.6f}" == ("4.734819" if crib else "4.769152")


@lru_cache(maxsize=1)
def hands_up_to_suits() -> tuple[tuple[Cards, int], ...]:
    """One hand for all that differ in the names of their suits only, and how many they are."""
    found = []
    for hand in combinations(PACK, 4):
        by_suit = [tuple(each.rank for each in hand if each.suit is suit) for suit in Suit]
        if by_suit == sorted(by_suit, reverse=True):
            found.append((hand, len(set(permutations(by_suit)))))
    return tuple(found)


@lru_cache(maxsize=2)
def points_of_hands(*, crib: bool) -> list[list[int]]:
    """By hand and starter, in the order of `PACK`; of a starter's suit all bring the same flush and nobs."""
    points = []
    for hand, _ in hands_up_to_suits():
        suited = {}
        for suit in Suit:
            starter = next(each for each in PACK if each.suit is suit and each not in hand)
            suited[suit] = total(
                (*flush(hand, starter, rules=TWO_HANDED, crib=crib), *nobs(hand, starter, rules=TWO_HANDED))
            )
        ranks = [each.rank.value for each in hand]
        ranked = {
            rank: points_of_ranks(tuple(sorted((*ranks, rank.value)))) if ranks.count(rank.value) < 4 else 0
            for rank in Rank
        }
        points.append([ranked[each.rank] + suited[each.suit] for each in PACK])
    return points


@lru_cache(maxsize=8_192)
def points_of_ranks(ranks: tuple[int, ...]) -> int:
    """Points for fifteens, pairs and runs in any five cards of those ranks."""
    five = tuple(Card(Rank(rank), list(Suit)[ranks[:place].count(rank)]) for place, rank in enumerate(ranks))
    return total((*fifteens(five), *pairs(five), *runs(five)))


def mean(counted: Counter[int]) -> float:
    return sum(score * number for score, number in counted.items()) / counted.total()


RULES = [PRESETS[name](seats) for name, seats in PRESET_SEATS]
BY_FLUSH = {(rules.flush, rules.crib_flush, rules.his_nobs): rules for rules in RULES}
"""One of the rules for each way to count: all that counting asks of them."""


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.deep)])
def test_every_set_of_ranks_in_any_suits_counts_as_rule_by_rule(size: int) -> None:
    """The starter is each of the cards in turn, and the hand lies in one of two orders."""
    dice = PlainChance(size)
    for ranks in combinations_with_replacement(Rank, size):
        if max(map(ranks.count, ranks)) > len(Suit):
            continue
        suits: dict[Rank, list[Any]] = {rank: list(PlainChance.shuffled(dice, tuple(Suit))) for rank in ranks}
        every = tuple(Card(rank, suits[rank].pop()) for rank in ranks)
        rules, crib = dice.pick(list(BY_FLUSH.values())), bool(dice.below(2))
        for starter in every:
            hand = tuple(each for each in every if each != starter)
            same_as_rule_by_rule(dice.pick([hand, hand[::-1]]), starter, rules, crib=crib)


@pytest.mark.parametrize("rules", BY_FLUSH.values(), ids=[f"{'-'.join(map(str, key))}" for key in BY_FLUSH])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_hands_dealt_at_random_count_as_rule_by_rule(size: int, rules: Rules) -> None:
    dice = PlainChance(100 + size)
    for _ in range(400):
        starter, *hand = PlainChance.shuffled(dice, PACK)[:size]
        for crib in (False, True):
            same_as_rule_by_rule(tuple(hand), starter, rules, crib=crib)


@pytest.mark.parametrize("rules", BY_FLUSH.values(), ids=[f"{'-'.join(map(str, key))}" for key in BY_FLUSH])
def test_hands_of_nearly_one_suit_count_as_rule_by_rule(rules: Rules) -> None:
    dice = PlainChance(9)
    hearts = tuple(each for each in PACK if each.suit is Suit.HEARTS)
    for _ in range(100):
        for size in (1, 2, 3, 4):
            some = (*PlainChance.shuffled(dice, hearts)[:size], *PlainChance.shuffled(dice, PACK))
            starter, *hand = PlainChance.shuffled(dice, tuple(dict.fromkeys(some))[: size + 1])
            for crib in (False, True):
                same_as_rule_by_rule(tuple(hand), starter, rules, crib=crib)


def same_as_rule_by_rule(hand: Cards, starter: Card, rules: Rules, *, crib: bool) -> None:
    counted = count(hand, starter=starter, rules=rules, crib=crib)

    assert counted.scores == plain_count(hand, starter=starter, rules=rules, crib=crib), (hand, starter)


@pytest.mark.parametrize("hand", NO_HANDS)
def test_cards_that_are_no_hand_with_a_starter_are_refused_without_their_names(hand: str) -> None:
    with pytest.raises(CannotCount) as refusal:
        count(cards(hand), starter=card("JD"))
    assert not {word for word in (hand or "-").split() if word in f"{refusal.value} {refusal.value!r}"}


BY_NUMBER = {number_of(each): each for each in PACK}
IN_THE_PACK = [PACK.index(BY_NUMBER[number]) for number in range(len(PACK))]
"""By the computer's number of a card: its place in the pack."""
STARTERS = np.arange(52, dtype=np.uint8)


@pytest.mark.deep
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


@pytest.mark.parametrize(("size", "crib"), [(4, False), (4, True), (3, True)], ids=["hand", "crib", "three"])
@pytest.mark.parametrize(
    "rules", VARIANTS, ids=lambda rules: f"{rules.flush.value}-{rules.crib_flush.value}-{rules.his_nobs}"
)
def test_flushes_and_nobs_go_by_the_rules_of_the_table(rules: Rules, crib: bool, size: int) -> None:
    """Also of three cards, as the crib has with three players who get nothing from the pack."""
    random = np.random.default_rng([size, crib])
    drawn = [random.permutation(pack)[: size + 1] for pack in (FEW_SUITS, WHOLE_PACK) for _ in range(150)]
    cards_drawn = np.array(drawn, dtype=np.uint8)
    four = np.full((len(drawn), 4), NO_CARD, dtype=np.uint8)
    four[:, :size] = cards_drawn[:, 1:]
    found = Scorer(rules).points(four, cards_drawn[:, 0], crib=crib)
    expected = [
        count(of_numbers(hand), starter=BY_NUMBER[starter], rules=rules, crib=crib).points
        for starter, *hand in cards_drawn.tolist()
    ]

    assert found.tolist() == expected
    assert len(set(expected)) > 8


FEW_SUITS = np.array([4 * rank + suit for rank in (0, 4, 6, 7, 10, 12) for suit in (1, 3)])
"""Few enough cards that flushes, nobs and pairs are common."""
WHOLE_PACK = STARTERS


def of_numbers(those: list[int]) -> Cards:
    return tuple(BY_NUMBER[each] for each in those)


def test_ranks_alone_leave_flushes_and_nobs_out() -> None:
    four = (numbers((cards("5H 6H 7H JH"),)) >> 2).astype(np.uint8)
    starter = np.array([number_of(card("2H")) >> 2], dtype=np.uint8)

    assert Scorer(TWO_HANDED).ranks(four, starter).tolist() == [7]
