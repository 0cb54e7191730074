"""The show counted rule by rule for every hand, as plainly as can be: what `engine.counting` must agree with.

The benchmarks time counting against it, in the same run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product

from engine.cards import Card, Cards, Rank
from engine.presets import TWO_HANDED
from engine.rules import CribFlush, Flush, Rules
from engine.scores import Reason, Score


def plain_count(
    hand: Cards, *, starter: Card, rules: Rules = TWO_HANDED, crib: bool = False
) -> tuple[Score, ...]:
    """Points of `hand` with `starter`; as the crib if `crib` is true."""
    five = tuple(sorted((*hand, starter)))
    return (
        *fifteens(five),
        *pairs(five),
        *runs(five),
        *flush(hand, starter, rules=rules, crib=crib),
        *nobs(hand, starter, rules=rules),
    )


def plain_points_of(kept: Cards) -> int:
    """Points of cards before the starter is cut."""
    flush = len(kept) if len({each.suit for each in kept}) == 1 else 0
    return flush + sum(each.points for each in (*fifteens(kept), *pairs(kept), *runs(kept)))


def fifteens(five: Cards) -> Iterator[Score]:
    """Two for each set of cards that adds up to fifteen."""
    for size in range(2, len(five) + 1):
        for some in combinations(five, size):
            if sum(each.pips for each in some) == 15:
                yield Score(Reason.FIFTEEN, 2, some)


def pairs(five: Cards) -> Iterator[Score]:
    """Two for each two cards of one rank; three alike are three pairs, four are six."""
    for pair in combinations(five, 2):
        if pair[0].rank is pair[1].rank:
            yield Score(Reason.PAIR, 2, pair)


def runs(five: Cards) -> Iterator[Score]:
    """The longest run of three or more, its length for every way to choose the cards."""
    by_rank: defaultdict[int, list[Card]] = defaultdict(list)
    for each in five:
        by_rank[each.rank.value].append(each)
    for low in by_rank:
        if low - 1 in by_rank:
            continue
        length = 1
        while low + length in by_rank:
            length += 1
        if length >= 3:
            for run in product(*(by_rank[low + step] for step in range(length))):
                yield Score(Reason.RUN, length, run)


def flush(hand: Cards, starter: Card, *, rules: Rules, crib: bool) -> Iterator[Score]:
    """A point for each card of one suit, when there are enough of them (C23, C24)."""
    if crib and rules.crib_flush is CribFlush.FIVE:
        suited = _of_one_suit((*hand, starter), at_least=len(hand) + 1)
    elif rules.flush is Flush.ANY_FOUR:
        suited = _of_one_suit((*hand, starter), at_least=4)
    else:
        suited = _of_one_suit(hand, at_least=len(hand))
        if suited and starter.suit is hand[0].suit:
            suited = (*suited, starter)
    if suited:
        yield Score(Reason.FLUSH, len(suited), suited)


def nobs(hand: Cards, starter: Card, *, rules: Rules) -> Iterator[Score]:
    """The jack of the starter's suit, in hand or crib. A starter jack is nobody's nobs."""
    if not rules.his_nobs:
        return
    for each in hand:
        if each.rank is Rank.JACK and each.suit is starter.suit:
            yield Score(Reason.NOBS, rules.his_nobs, (each,))


def _of_one_suit(those: Cards, *, at_least: int) -> Cards:
    """All cards of the suit that has `at_least` that many among `those`; none if no suit has."""
    for each in those:
        suited = tuple(other for other in those if other.suit is each.suit)
        if len(suited) >= at_least:
            return suited
    return ()
