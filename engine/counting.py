"""The show: the points of a hand or a crib with the starter, score by score.

Each rule is a small function from cards to scores; counting is one after the other, in the order in which a
player says them: fifteens, pairs, runs, flush, his nobs.

`count` caches the rules' results. Fifteens, pairs and runs depend on ranks alone, and five cards have only
6,175 sets of ranks: the rules run once for each set, and `_Templates` keeps which of the sorted cards score
together. There are only about 23,000 different scores, and a score never changes, so equal ones are one
object (`_Shared`); counts of three cards are cached whole (`_CountsOfFew`). These caches fill as hands are
counted. They make counting seven times (three cards) to thirteen times (six) as fast; a test compares it with
the rules one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, combinations, product
from operator import attrgetter, itemgetter
from typing import TypeAlias

from engine.cards import PACK, Card, Cards, Rank, Suit
from engine.errors import CannotCount
from engine.presets import TWO_HANDED
from engine.rules import CribFlush, Flush, Rules
from engine.scores import Reason, Score, total

MOST_IN_HAND = 5
"""Most cards that `count` takes beside the starter; hands and cribs here have four at most."""

MOST_AT_SHOW = 29
"""Most points of a hand or a crib by any rule here: 5 5 5 J and the right five."""


class Count(tuple[Score, ...]):
    """The scores of a hand or crib, in the order in which players say them."""

    __slots__ = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores as a plain tuple, for an event."""
        return tuple(self)

    @property
    def points(self) -> int:
        """The total."""
        return total(self)


def count(hand: Cards, *, starter: Card, rules: Rules = TWO_HANDED, crib: bool = False) -> Count:
    """The scores of `hand` with `starter`; as the crib if `crib` is true. Raises `CannotCount`."""
    places = [*map(_PLACE, hand), starter.place]
    places.sort()
    key = bytes(places)
    if len(key) <= _FEW:
        has_jack, counted = _COUNTS_OF_FEW[key]
    else:
        has_jack, template = _TEMPLATES[key.translate(_RANK_AT)]
        scores: list[Score] = []
        for choose, shared in template:
            scores.append(shared[choose(places)])
        counted = Count(scores) if scores else _NOTHING
    by_suits: tuple[Score, ...] = ()
    may_flush = hand[0].suit is hand[-1].suit is hand[len(hand) // 2].suit
    if may_flush or rules.flush is _ANY_FOUR:
        by_suits = flush(hand, starter, rules=rules, crib=crib)
    if has_jack and _FIRST_JACK + starter.place % _SUITS in places:
        by_suits += tuple(nobs(hand, starter, rules=rules))
    return Count((*counted, *by_suits)) if by_suits else counted


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


def flush(hand: Cards, starter: Card, *, rules: Rules, crib: bool) -> tuple[Score, ...]:
    """A point for each card of one suit, when there are enough of them (C23, C24).

    The hand's cards come in their own order, the starter last.
    """
    needs_all = crib and rules.crib_flush is CribFlush.FIVE
    if rules.flush is _ANY_FOUR and not needs_all:
        return _any_four((*hand, starter))
    suit = hand[0].suit
    for each in hand:
        if each.suit is not suit:
            return ()
    if starter.suit is suit:
        return _flush_of((*map(_PLACE, hand), starter.place))
    return () if needs_all else _flush_of((*map(_PLACE, hand),))


def _any_four(every: Cards) -> tuple[Score, ...]:
    suits = [each.suit for each in every]
    suit = next((suit for suit in suits[:2] if suits.count(suit) >= 4), None)
    return _flush_of(tuple(each.place for each in every if each.suit is suit)) if suit else ()


@lru_cache(maxsize=1 << 14)
def _flush_of(places: tuple[int, ...]) -> tuple[Score]:
    """The cached score for the cards at these places, in this order."""
    return (Score(Reason.FLUSH, len(places), tuple(_CARDS[place] for place in places)),)


def nobs(hand: Cards, starter: Card, *, rules: Rules) -> Iterator[Score]:
    """One for the jack of the starter's suit, in hand or crib. A starter jack is nobody's nobs."""
    if not rules.his_nobs:
        return
    for each in hand:
        if each.rank is Rank.JACK and each.suit is starter.suit:
            yield Score(Reason.NOBS, rules.his_nobs, (each,))


def heels(starter: Card, rules: Rules) -> Score:
    """The dealer's score for turning a jack."""
    return Score(Reason.HEELS, rules.his_heels, (starter,))


_PLACE = attrgetter("place")
_CARDS = sorted(PACK)
"""Every card at its `Card.place`."""
_RANK_AT = bytes(each.rank.value for each in _CARDS).ljust(256)
"""The rank at each place, padded to 256 for `bytes.translate`."""
_SUITS = len(Suit)
_FIRST_JACK = _SUITS * (Rank.JACK.value - 1)
_ANY_FOUR = Flush.ANY_FOUR


_NOTHING = Count()
_FEW = 3
"""Cards with the starter up to which counts are cached whole: three have only 22,100 sets."""


class _Shared(dict[tuple[int, ...], Score]):
    """Scores for one reason and a number of points, by the places of their cards; made on first use."""

    def __init__(self, reason: Reason, points: int) -> None:
        super().__init__()
        self._reason = reason
        self._points = points

    def __missing__(self, places: tuple[int, ...]) -> Score:
        if len({*places}) < len(places):  # a card that is there twice is a pair with itself
            raise CannotCount(None, MOST_IN_HAND)
        score = Score(self._reason, self._points, tuple(_CARDS[place] for place in places))
        return self.setdefault(places, score)


_Template: TypeAlias = tuple[tuple[Callable[[list[int]], tuple[int, ...]], _Shared], ...]


class _Templates(dict[bytes, tuple[bool, _Template]]):
    """By the ranks of sorted cards: true if there is a jack, and the template of each score.

    A template has a function that chooses the places of its cards, and the shared scores by those places.
    """

    def __init__(self) -> None:
        super().__init__()
        self._shared: dict[tuple[Reason, int], _Shared] = {}

    def __missing__(self, ranks: bytes) -> tuple[bool, _Template]:
        if not 2 <= len(ranks) <= MOST_IN_HAND + 1:
            raise CannotCount(len(ranks) - 1, MOST_IN_HAND)
        if max(map(ranks.count, ranks)) > _SUITS:
            raise CannotCount(None, MOST_IN_HAND)
        some = tuple(_CARDS[_SUITS * (rank - 1) + ranks[:at].count(rank)] for at, rank in enumerate(ranks))
        template = tuple(
            (itemgetter(*map(some.index, score.cards)), self._scores_like(score))
            for score in chain(fifteens(some), pairs(some), runs(some))
        )
        return self.setdefault(ranks, (Rank.JACK in ranks, template))

    def _scores_like(self, score: Score) -> _Shared:
        return self._shared.setdefault((score.reason, score.points), _Shared(score.reason, score.points))


_TEMPLATES = _Templates()


class _CountsOfFew(dict[bytes, tuple[bool, Count]]):
    """By the places of a few sorted cards: true if there is a jack, and the scores of their ranks."""

    def __missing__(self, key: bytes) -> tuple[bool, Count]:
        has_jack, template = _TEMPLATES[key.translate(_RANK_AT)]
        places = list(key)
        return self.setdefault(key, (has_jack, Count(shared[choose(places)] for choose, shared in template)))


_COUNTS_OF_FEW = _CountsOfFew()
