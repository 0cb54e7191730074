"""The crib as one seat knows it in the play: its own discards, the starter, and what the others may give.

For two the opponent's pair follows from the four cards that it kept, world by world: who kept the fives has
given none. For partners the other three cards are weighted by how often good players discard each rank.
Flushes and his nobs are counted by the table's rules, over the cards that are still unseen.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from engine.cards import Rank
from engine.computer.chances import MOST_POINTS, ScoreState
from engine.computer.memory import Memory, ranks_left
from engine.computer.numbers import Floats, Ints, Ranks, Shares
from engine.computer.ranks import counts_by_rank, counts_of, holdings, number_of
from engine.computer.scorer import Scorer
from engine.computer.splits import splits_at
from engine.computer.tables import discarding_of, family_of
from engine.pegging import THIRTY_ONE, running_count, scores_in_play
from engine.scores import total
from engine.views import PlayerView


class OpponentsCards:
    """What one opponent kept and discarded, as far as the other seat of a table for two can know."""

    def __init__(self, view: PlayerView, memory: Memory) -> None:
        table = view.table
        rules = table.rules
        self._other = 1 - view.seat
        before = needs_at_discard(view)
        now = ScoreState(before[self._other], before[view.seat], dealing=self._other == table.dealer)
        self._splits = splits_at(rules, now)
        played = counts_of(list(memory.played_by(self._other)))
        self._left = np.array(ranks_left(memory.seen)) + played
        self._played = played

    def keeps(self) -> Floats:
        """By hand of four ranks: how often it is kept, for each way to hold it; 0 if it cannot be held."""
        counts = holdings(4).counts
        possible = np.flatnonzero(((counts >= self._played) & (counts <= self._left)).all(axis=1))
        result = np.zeros(len(counts))
        result[possible] = self._likely(possible).sum(axis=1)
        return result

    def given(self, kept: Ints) -> Shares:
        """[row, pair]: the chance of each pair discarded, by the number of the four ranks kept."""
        likely = self._likely(kept)
        sums = likely.sum(axis=1, keepdims=True)
        equal = np.full_like(likely, 1 / likely.shape[1])
        return np.asarray(np.divide(likely, sums, out=equal, where=sums > 0))

    def _likely(self, kept: Ints) -> Shares:
        """[row, pair]: the chance to be dealt the pair and discard it, up to a factor by hand."""
        left = (self._left - holdings(4).counts[kept]).astype(np.float32)
        low, high = holdings(2).ranks.T
        ways = left[:, high] - (low == high).astype(np.float32)
        ways *= left[:, low]
        ways *= np.where(low == high, np.float32(0.5), np.float32(1.0))
        np.maximum(ways, 0, out=ways)
        ways *= self._splits[kept]
        return np.asarray(ways)


def needs_at_discard(view: PlayerView) -> tuple[int, ...]:
    """By side: the holes that it needed when the cards of this deal were discarded.

    The points of goes and last cards are those of standard rules.
    """
    table = view.table
    rules = table.rules
    needs = [rules.target - score for score in table.scores]
    if table.starter is not None and table.starter.rank is Rank.JACK and not table.heels_open:
        needs[rules.side_of(table.dealer)] += rules.his_heels
    for series in (*table.past_series, table.series):
        played = tuple(each.card for each in series)
        for place, each in enumerate(series):
            needs[rules.side_of(each.seat)] += total(scores_in_play(played[: place + 1], rules))
        if series is not table.series and running_count(played) < THIRTY_ONE:
            needs[rules.side_of(series[-1].seat)] += 1
    return tuple(min(need, rules.target) for need in needs)


def crib_by_pair(view: PlayerView, unseen: Ranks) -> Shares:
    """[pair, points]: the distribution of the crib's points with each pair from the opponent.

    `unseen` are the numbers of the cards that may be the pair. Pairs that cannot be have zeros.
    """
    points, others = _crib_points(view, unseen, 2)
    pairs = holdings(2)
    number = pairs.find(counts_by_rank(np.right_shift(others, 2, dtype=np.uint8)))
    table = np.bincount(number * MOST_POINTS + points, minlength=len(pairs) * MOST_POINTS)
    by_pair = table.reshape(len(pairs), MOST_POINTS).astype(np.float32)
    return np.asarray(by_pair / np.maximum(by_pair.sum(axis=1, keepdims=True), 1))


def crib_of_partners(view: PlayerView, unseen: Ranks) -> Floats:
    """[points]: the distribution of the crib's points, where each of four players gives one card."""
    points, others = _crib_points(view, unseen, 3)
    dealer, other = discarding_of(family_of(view.table.rules)).throws
    first, second, third = np.right_shift(others, 2, dtype=np.uint8).T
    if view.seat == view.table.dealer:
        weights = other[first] * other[second] * other[third]
    else:
        weights = (
            dealer[first] * other[second] * other[third]
            + other[first] * dealer[second] * other[third]
            + other[first] * other[second] * dealer[third]
        )
    crib = np.bincount(points, weights=weights, minlength=MOST_POINTS)
    return np.asarray(crib / crib.sum())


def _crib_points(view: PlayerView, unseen: Ranks, size: int) -> tuple[Ints, Ranks]:
    """The points of the crib with every set of `size` unseen cards, and these sets."""
    table = view.table
    assert table.starter is not None, "there is a starter before there is a play"
    others = unseen[_sets(len(unseen), size)]
    own = np.array([number_of(each) for each in view.discarded], dtype=np.uint8)
    four = np.concatenate([np.broadcast_to(own, (len(others), len(own))), others], axis=1)
    starter = np.full(len(others), number_of(table.starter), dtype=np.uint8)
    return Scorer(table.rules).points(four, starter, crib=True).astype(np.intp), others


@cache
def _sets(number: int, size: int) -> Ints:
    """Every set of `size` places of `number`."""
    return np.array(list(combinations(range(number), size)), dtype=np.intp)
