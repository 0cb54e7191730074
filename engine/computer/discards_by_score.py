"""The cards that an opponent may have discarded at this score, and the crib that they make with one's own.

With two players half of the crib is one's own discard, and the other half follows from the opponent's six
cards: a good player who needs four points keeps other cards than one who needs forty. So every set of six
ranks makes the discard that wins most often at its owner's score (`Chances.by_hand_and_crib`, suits and
pegging left out), and a hand that is kept tells which pairs were discarded from it.

Near home this moves the chance to win by a quarter: of 105 to 110 with the starter 5S, two fives in one's own
crib or KD 9S in it are 33 points apart by simulation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np

from engine.cards import Card, Cards, Rank
from engine.computer.chances import MOST_POINTS, ScoreState
from engine.computer.crib_values import crib_chances, crib_points
from engine.computer.deals import every_deal
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.ranks import RANKS, counts_of, holdings, rank_of
from engine.computer.scorer import Scorer
from engine.computer.suits import nobs_of_each
from engine.computer.tables import DEALER, OTHER, Family, discarding_of
from engine.computer.throws import chances_of
from engine.counting import MOST_AT_SHOW
from engine.presets import TWO_HANDED

_SOFTNESS = 0.0075
"""Chance to win by which a choice must be worse to be made e times less often: 0.3 points in mid-game, as
`making.discarding` has it."""
_LEAST = 0.002
"""Least frequency of any choice."""
_BLOCKS = 32
"""Parts of the hands that are multiplied at once."""
_SCORES = 8
"""Scores whose choices are cached (1.3 MB each): a deal asks for one of either seat."""


@dataclass(frozen=True, slots=True)
class HiddenDiscards:
    """The opponent's discards, by the four ranks that it kept (`holdings(4)`)."""

    weights: Floats = field(repr=False)
    """[discarded, kept]: the relative likelihood of the discard, for each way to hold the four.

    In this order a row has an entry for each hand, and numpy takes half the time of the other order.
    """

    @classmethod
    def of(cls, family: Family, score: ScoreState, left: Ints) -> HiddenDiscards:
        """Those of an opponent whose `score` was this before the deal.

        `left` has by rank the cards that are neither one's own nor the starter: the opponent's played ones
        are among them.
        """
        after = np.maximum(left[:, None] - holdings(4).counts.T, 0).astype(np.float64)
        first, second = holdings(2).ranks.T
        others = np.where(first == second, 0.5, 1.0)[:, None] * (after[second] - (first == second)[:, None])
        return cls(_choices(family, score) * (after[first] * others))

    @property
    def keeps(self) -> Floats:
        """By hand of four ranks: the relative frequency with which it is kept, for each way to hold it."""
        return np.asarray(self.weights.sum(axis=0))

    def crib(self, kept: Ints, likely: Floats, own: Cards, starter: Card, seen: Cards) -> Floats:
        """[points]: the distribution of the crib's points over hands kept, without a flush.

        `likely` is the weight of each, `own` one's own discard, and `seen` every card that one knows.
        """
        number = holdings(2).find(counts_of([rank_of(each) for each in own])[None, :])[0]
        points = crib_points()[number][:, rank_of(starter)]
        by_discard = _with_nobs(points, own, starter, seen)
        weights = self.weights[:, kept]
        total = weights.sum(axis=0)
        shares = np.divide(likely, total, out=np.zeros(len(total)), where=total > 0)
        crib = (weights @ shares) @ by_discard
        return np.asarray(crib / crib.sum())


def _with_nobs(points: Ranks, own: Cards, starter: Card, seen: Cards) -> Floats:
    """[discarded, points]: the distribution of the crib's points, from those of its ranks."""
    jack = Card(Rank.JACK, starter.suit)
    chance = float(jack in own) + holdings(2).counts[:, rank_of(jack)] * nobs_of_each(starter, seen)
    every = np.arange(len(points))
    result = np.zeros((len(points), MOST_AT_SHOW + 2))  # 29 and a jack take five cards of one rank
    result[every, points] = 1 - chance
    result[every, points + 1] = chance
    return result


@cache
def _every_choice() -> Ints:
    """[choice, set of six ranks]: the place of what is discarded and kept in a flat table of both.

    Numpy reads and writes by one flat index in a quarter of the time that two take.
    """
    dealt = every_deal(6)
    return np.ascontiguousarray((dealt.given * len(holdings(4)) + dealt.kept).T)


@lru_cache(maxsize=_SCORES)
def _choices(family: Family, score: ScoreState) -> Floats:
    """[discarded, kept]: how likely the player at that score, dealt both, makes this choice."""
    every, all_values = _every_choice(), _values(family, score)
    values = all_values.ravel().take(every)
    likely = np.exp((values - values.max(axis=0)) / _SOFTNESS)
    likely /= likely.sum(axis=0)
    # Equal ranks make equal choices, each for its own way to split the set.
    result = np.zeros(all_values.size)
    result[every] = np.maximum(likely, _LEAST)
    return result.reshape(all_values.shape)


def _values(family: Family, score: ScoreState) -> Floats:
    """[discarded, kept]: the chance to win with that hand, and that discard in the crib."""
    grid = chances_of(family).by_hand_and_crib(score)
    by_discard = _cribs(family, dealer=score.dealing) @ grid.T
    # In blocks so small that the product stays in this thread: others have work to do.
    blocks = np.array_split(_hands(), _BLOCKS)
    return np.concatenate([by_discard @ block.T for block in blocks], axis=1)


@cache
def _hands() -> Floats:
    """[hand of four ranks, points]: the distribution over all starters."""
    four = holdings(4)
    every = np.arange(RANKS, dtype=np.uint8)
    points = Scorer(TWO_HANDED).ranks(four.ranks[:, None, :], every[None, :])
    points = np.minimum(points, MOST_AT_SHOW)  # more takes five cards of one rank, whose weight is 0
    result = np.zeros((len(four), MOST_POINTS))
    rows = np.arange(len(four))
    for rank in range(RANKS):
        result[rows, points[:, rank]] += (4 - four.counts[:, rank]) / (52 - 4)
    return result


@cache
def _cribs(family: Family, *, dealer: bool) -> Floats:
    """[discarded, points]: the distribution of the crib's points."""
    other = OTHER if dealer else DEALER
    throws = discarding_of(family).throws[other]
    return crib_chances(np.arange(len(holdings(2))), throws, np.full(RANKS, 4))
