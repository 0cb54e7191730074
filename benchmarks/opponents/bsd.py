"""A player that decides exactly as the computer in BSD cribbage (Debian's `bsdgames` 2.17) does.

It is a fixed list of rules without randomness or memory, which makes it a good yardstick.

Discarding: of the fifteen throws the first, in sorted order, whose sum over the 46 unseen starters is the
highest. A starter counts for what it makes of the four kept cards, and the crib adds or takes off a whole
number of points that depends on nothing but the two cards thrown. Two oddities are part of how it plays and
are kept: it counts its own hand like a crib, so a flush needs the starter's suit too; and it values two cards
of one suit as if a flush of four counted in the crib.

The play: the card that scores most now, the first in sorted order if several do. If none scores it goes by
the count alone: to 4 or 3 on a new count, then to where a card that it still holds would make 15, or 31 after
a ten, else the highest card that leaves no 5, 10 or 21. It never asks what its opponent may hold, nor what
the score is.

A discard takes about 21 microseconds and a card 4, once the tables are made (0.3 s, at the first discard).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from benchmarks.opponents.bsd_tables import KEY, crib_points, kept_points
from engine import Card, Cards, Rank, Suit

_SUIT_ORDER = {Suit.SPADES: 0, Suit.HEARTS: 1, Suit.DIAMONDS: 2, Suit.CLUBS: 3}
"""Its order of cards of one rank."""

_PIPS = (0, *(rank.pips for rank in Rank))
_JACK = Rank.JACK.value
_STARTERS = 46

_THROWS = tuple(combinations(range(6), 2))
_KEEPS = tuple(tuple(place for place in range(6) if place not in throw) for throw in _THROWS)

_FIFTEEN_LATER = (8, 7, 9, 6, 11, 12, 13, 14, 10)
"""The counts that it likes to leave when another card that it holds makes fifteen of them; best first."""

_SHUNNED = {5, 10, 21}
"""The counts that it would rather not leave."""


class BsdPlayer:
    """Decides as BSD cribbage does."""

    def discard(self, hand: Cards, *, is_dealer: bool) -> Cards:
        """The two of these six cards that it discards."""
        six = sorted(hand, key=_place)
        ranks = [int(each.rank) for each in six]
        suits = [_SUIT_ORDER[each.suit] for each in six]
        unseen_of = [13 - suits.count(suit) for suit in range(4)]
        of_kept, of_crib = kept_points(), crib_points()
        weight = _STARTERS if is_dealer else -_STARTERS
        sums = []
        for (first, second), keep in zip(_THROWS, _KEEPS, strict=True):
            with_any, with_rank = of_kept[sum([KEY[ranks[place]] for place in keep])]
            points = with_any - sum([with_rank[rank] for rank in ranks])  # none of the six can be the starter
            points += sum([unseen_of[suits[place]] for place in keep if ranks[place] == _JACK])
            if len({suits[place] for place in keep}) == 1:
                points += 5 * unseen_of[suits[keep[0]]]
            is_of_one_suit = suits[first] == suits[second]
            sums.append(points + weight * of_crib[is_of_one_suit][ranks[first], ranks[second]])
        first, second = _THROWS[sums.index(max(sums))]
        return six[first], six[second]

    def play(self, hand: Cards, series: Cards) -> Card | None:
        """The card that it plays on `series` from the cards it still holds; none if it says go."""
        held = sorted(hand, key=_place)
        played = [int(each.rank) for each in series]
        count = sum(_PIPS[rank] for rank in played)
        ranks = [int(each.rank) for each in held]
        if not held or count + _PIPS[ranks[0]] > 31:
            return None
        most, best = 0, -1
        for place, rank in enumerate(ranks):
            points = _pegged(rank, played, count + _PIPS[rank])
            if points > most:
                most, best = points, place
        if best < 0:
            best = _without_score([_PIPS[rank] for rank in ranks], count)
        return held[best]


def _place(one: Card) -> int:
    return 4 * one.rank + _SUIT_ORDER[one.suit]


def _pegged(rank: int, played: Sequence[int], count: int) -> int:
    """Score of a card of `rank` that makes `count` on the ranks played; 0 beyond 31."""
    if count > 31:
        return 0
    points = 2 if count in {15, 31} else 0
    alike = 0
    while alike < len(played) and played[-1 - alike] == rank:
        alike += 1
    if alike:
        return points + alike * (alike + 1)
    for before in range(len(played), 1, -1):
        run = {rank, *played[-before:]}
        if len(run) == before + 1 and max(run) - min(run) == before:
            return points + before + 1
    return points


def _without_score(values: Sequence[int], count: int) -> int:
    """The one of the sorted `values` that it plays when none scores. At least the first can be played."""
    if len(values) == 1:
        return 0
    for wanted in _counts_to_lead(count):
        if wanted - count in values:
            return values.index(wanted - count)
    if 0 < count < 20 and (place := _set_up(values, count, range(20, 10, -1), 21)) is not None:
        return place
    if count < 15 and (place := _set_up(values, count, _FIFTEEN_LATER, 15)) is not None:
        return place
    playable = [place for place, value in enumerate(values) if count + value <= 31]
    return max(playable, key=lambda place: (count + values[place] not in _SHUNNED, place))


def _counts_to_lead(count: int) -> tuple[int, ...]:
    if count == 0:
        return (4, 3)
    return (4,) if count < 4 else ()


def _set_up(values: Sequence[int], count: int, wanted: Sequence[int], end: int) -> int | None:
    """The first card that makes one of the `wanted` counts of which another held card makes `end`.

    For 31 the `end` is 21, because it expects a ten in between.
    """
    for each in wanted:
        value, answer = each - count, end - each
        if value in values and values.count(answer) > (value == answer):
            return values.index(value)
    return None
