"""Values of four kept cards and of two thrown cards in BSD cribbage, computed from the rules of counting.

The real program has its crib table as constants. They are the points of all cribs that can contain two thrown
cards, so they can be computed: all 169 sums are the same, before rounding.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from engine import Card, Rank, Suit, fifteens, pairs, runs, total

KEY = (0, *(5**step for step in range(13)))
"""By rank: the sum of several cards' keys says how many of each rank there are, in any order."""

_CRIBS = 50 * 49 // 2 * 48
"""Two cards of the opponent and a starter, from the fifty that are not thrown."""
_CRIBS_WITH_STARTER = _CRIBS // 50
"""Of those, the ones with one certain starter."""
_CRIBS_WITH_CARD_AND_STARTER = _CRIBS * 2 // (50 * 49)
"""The ones with one certain card of the opponent, and one certain starter."""
_FLUSHES = 11 * 10 // 2 * (39 * 4 + 9 * 5)
"""The points for flushes with two thrown cards of one suit, as if four cards were enough in the crib."""

_RANKS = tuple(range(1, 14))
_SUITS = tuple(Suit)

CribPoints = dict[tuple[int, int], int]
"""By the two ranks thrown, the lower first."""


@cache
def kept_points() -> dict[int, tuple[int, tuple[int, ...]]]:
    """By key of four ranks: their points over a whole pack of starters, and by the starter's rank.

    Fifteens, pairs and runs; flushes and nobs are not in it.
    """
    of_five = _points_of_five()
    points = {}
    for four in combinations_with_replacement(_RANKS, 4):
        key = sum(KEY[rank] for rank in four)
        by_rank = (0, *(of_five.get(key + KEY[rank], 0) for rank in _RANKS))
        points[key] = (4 * sum(by_rank), by_rank)
    return points


@cache
def crib_points() -> tuple[CribPoints, CribPoints]:
    """Value of the crib in whole points, for two thrown cards of two suits and of one suit."""
    of_two_suits, of_one_suit = {}, {}
    for thrown in combinations_with_replacement(_RANKS, 2):
        points = _fifteens_pairs_and_runs(*thrown)
        of_two_suits[thrown] = _whole(points + _nobs(thrown, (0, 1)))
        of_one_suit[thrown] = _whole(points + _nobs(thrown, (0, 0)) + _FLUSHES)
    return of_two_suits, of_one_suit


@cache
def _points_of_five() -> dict[int, int]:
    """By key of five ranks: their fifteens, pairs and runs."""
    points = {}
    for five in combinations_with_replacement(Rank, 5):
        if five[0] is not five[4]:  # there are only four of a rank
            cards = tuple(Card(rank, _SUITS[five[:place].count(rank)]) for place, rank in enumerate(five))
            scores = (*fifteens(cards), *pairs(cards), *runs(cards))
            points[sum(KEY[rank] for rank in five)] = total(scores)
    return points


def _fifteens_pairs_and_runs(low: int, high: int) -> int:
    """The points of all cribs with these two thrown ranks, as far as ranks alone make them."""
    of_five = _points_of_five()
    left = (0, *(4 - (low, high).count(rank) for rank in _RANKS))
    points = 0
    for one, other in combinations_with_replacement(_RANKS, 2):
        ways = left[one] * (left[one] - 1) // 2 if one == other else left[one] * left[other]
        key = KEY[low] + KEY[high] + KEY[one] + KEY[other]
        for starter in _RANKS:
            starters = left[starter] - (one, other).count(starter)
            if ways and starters > 0:
                points += ways * starters * of_five[key + KEY[starter]]
    return points


def _nobs(thrown: tuple[int, int], suits: tuple[int, int]) -> int:
    """The points for his nobs in all those cribs."""
    points = 0
    for suit in range(4):
        starters = 13 - suits.count(suit)
        if (Rank.JACK.value, suit) in zip(thrown, suits, strict=True):
            points += starters * _CRIBS_WITH_STARTER
        else:  # the opponent must have thrown this jack, which then cannot be the starter
            points += (starters - 1) * _CRIBS_WITH_CARD_AND_STARTER
    return points


def _whole(points: int) -> int:
    return (points + _CRIBS // 2) // _CRIBS
