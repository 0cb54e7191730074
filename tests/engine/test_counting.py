"""The show's arithmetic: all 12,994,800 hands with their starters, and what must not matter."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    PACK,
    PRESETS,
    TWO_HANDED,
    CannotCount,
    Card,
    Cards,
    Rank,
    Reason,
    Rules,
    Suit,
    card,
    cards,
    count,
)
from engine.counting import MOST_AT_SHOW, fifteens, flush, nobs, pairs, runs
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

PEERS_GET_WRONG = """
2S 2H 3S 3H  4C  16   a double double run low in the pack
4S 4H 5S 5H  6C  24   the same with fifteens
AS 2H 3C 3D  3H  15   a triple run
2H 4H 6H 8H  KS  4    a flush of the hand alone
"""
"""Counts that published programs are known to get wrong."""

NO_HANDS = ["", "5H 5H", "5H 6H JD", "2C 3C 4C 6C 7C 8C"]
"""None, a card twice, the starter (a jack of diamonds) in the hand, too many."""

SUIT_ORDERS = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]


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


@cache
def hands_up_to_suits() -> tuple[tuple[Cards, int], ...]:
    """One hand for all that differ in the names of their suits only, and how many they are."""
    found = []
    for hand in combinations(PACK, 4):
        by_suit = [tuple(each.rank for each in hand if each.suit is suit) for suit in Suit]
        if by_suit == sorted(by_suit, reverse=True):
            found.append((hand, len(set(permutations(by_suit)))))
    return tuple(found)


@cache
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


@cache
def points_of_ranks(ranks: tuple[int, ...]) -> int:
    """Points for fifteens, pairs and runs in any five cards of those ranks."""
    five = tuple(Card(Rank(rank), list(Suit)[ranks[:place].count(rank)]) for place, rank in enumerate(ranks))
    return total((*fifteens(five), *pairs(five), *runs(five)))


def mean(counted: Counter[int]) -> float:
    return sum(score * number for score, number in counted.items()) / counted.total()


def row(line: str) -> tuple[Cards, Card, int]:
    *hand, starter, points = line.split()[:6]
    return cards(" ".join(hand)), card(starter), int(points)


@pytest.mark.parametrize("line", PEERS_GET_WRONG.strip().split("\n"))
def test_what_other_programs_get_wrong_is_right(line: str) -> None:
    hand, starter, points = row(line)

    assert points == count(hand, starter=starter).points


fives = st.permutations(PACK).map(lambda pack: pack[:5])
alike = st.sampled_from([tuple(each for each in PACK if each.rank is rank) for rank in Rank])
"""Four of a rank, so that hands with many pairs are drawn too."""
near = st.tuples(alike, alike, fives).flatmap(
    lambda parts: st.permutations(tuple(dict.fromkeys((*parts[0], *parts[1], *parts[2]))))
)
suited = st.sampled_from(Suit).flatmap(
    lambda suit: st.permutations([each for each in PACK if each.suit is suit] + [card("JC"), card("JS")])
)
any_five = st.one_of(fives, near, suited).map(lambda those: tuple(dict.fromkeys(those))[:5])
any_rules = st.sampled_from([PRESETS[name](seats) for name, seats in PRESET_SEATS])


@given(any_five, any_rules, st.booleans(), st.sampled_from(SUIT_ORDERS))
def test_the_names_of_the_suits_do_not_matter(
    five: Cards, rules: Rules, crib: bool, order: dict[Suit, Suit]
) -> None:
    renamed = tuple(Card(each.rank, order[each.suit]) for each in five)

    assert (
        count(five[1:], starter=five[0], rules=rules, crib=crib).points
        == count(renamed[1:], starter=renamed[0], rules=rules, crib=crib).points
    )


@given(any_five, any_rules, st.booleans(), st.permutations(range(4)))
def test_the_order_of_the_cards_does_not_matter(
    five: Cards, rules: Rules, crib: bool, order: list[int]
) -> None:
    starter, *hand = five
    sorted_otherwise = tuple(hand[place] for place in order)

    assert as_said(tuple(hand), starter, rules, crib=crib) == as_said(
        sorted_otherwise, starter, rules, crib=crib
    )


def as_said(hand: Cards, starter: Card, rules: Rules, *, crib: bool) -> Counter[tuple[Reason, int, Cards]]:
    counted = count(hand, starter=starter, rules=rules, crib=crib)
    return Counter((each.reason, each.points, tuple(sorted(each.cards))) for each in counted.scores)


@given(any_five, any_rules, st.booleans())
def test_the_parts_add_up_to_the_count(five: Cards, rules: Rules, crib: bool) -> None:
    starter, *rest = five
    hand = tuple(rest)
    parts = (
        *fifteens(five),
        *pairs(five),
        *runs(five),
        *flush(hand, starter, rules=rules, crib=crib),
        *nobs(hand, starter, rules=rules),
    )

    assert count(hand, starter=starter, rules=rules, crib=crib).points == total(parts)
    assert total(parts) <= MOST_AT_SHOW


@given(any_five, st.booleans())
def test_no_hand_is_worth_19_25_26_or_27(five: Cards, crib: bool) -> None:
    assert count(five[1:], starter=five[0], crib=crib).points not in {19, 25, 26, 27}


RULES = [PRESETS[name](seats) for name, seats in PRESET_SEATS]
BY_FLUSH = {(rules.flush, rules.crib_flush, rules.his_nobs): rules for rules in RULES}
"""One of the rules for each way to count: all that counting asks of them."""


@pytest.mark.parametrize("size", [2, 3, 4, 5])
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
    for _ in range(1_500):
        starter, *hand = PlainChance.shuffled(dice, PACK)[:size]
        for crib in (False, True):
            same_as_rule_by_rule(tuple(hand), starter, rules, crib=crib)


@pytest.mark.parametrize("rules", BY_FLUSH.values(), ids=[f"{'-'.join(map(str, key))}" for key in BY_FLUSH])
def test_hands_of_nearly_one_suit_count_as_rule_by_rule(rules: Rules) -> None:
    dice = PlainChance(9)
    hearts = tuple(each for each in PACK if each.suit is Suit.HEARTS)
    for _ in range(500):
        for size in (1, 2, 3, 4):
            some = (*PlainChance.shuffled(dice, hearts)[:size], *PlainChance.shuffled(dice, PACK))
            starter, *hand = PlainChance.shuffled(dice, tuple(dict.fromkeys(some))[: size + 1])
            for crib in (False, True):
                same_as_rule_by_rule(tuple(hand), starter, rules, crib=crib)


def same_as_rule_by_rule(hand: Cards, starter: Card, rules: Rules, *, crib: bool) -> None:
    counted = count(hand, starter=starter, rules=rules, crib=crib)

    assert counted.scores == plain_count(hand, starter=starter, rules=rules, crib=crib), (hand, starter)


def test_equal_scores_are_one_object() -> None:
    once, again = (count(cards("5H JD 2C 8S"), starter=card(starter)) for starter in ("KD", "QS"))

    assert once.scores[0] is again.scores[0]
    assert type(once.scores) is tuple


def test_a_score_keeps_its_cards_in_the_order_in_which_a_player_says_them() -> None:
    counted = count(cards("5H 5C 5S JD"), starter=card("5D"))
    said = [each.reason for each in counted.scores]

    assert counted.points == 29
    assert said == [Reason.FIFTEEN] * 8 + [Reason.PAIR] * 6 + [Reason.NOBS]
    assert all(set(each.cards) <= set(cards("5H 5C 5S JD 5D")) for each in counted.scores)


@pytest.mark.parametrize("hand", NO_HANDS)
def test_cards_that_are_no_hand_with_a_starter_are_refused_without_their_names(hand: str) -> None:
    with pytest.raises(CannotCount) as refusal:
        count(cards(hand), starter=card("JD"))
    assert not {word for word in (hand or "-").split() if word in f"{refusal.value} {refusal.value!r}"}
