"""The value of the crib with a player's discard: exact over the ranks, with flushes and his nobs added.

With two players the opponent's pair is weighted by how often a good player discards it (`Discards.pairs`) and
by the cards that are left; with more, the value comes from tables by the single card discarded.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.ranks import RANKS, holdings
from engine.computer.scorer import Scorer
from engine.counting import MOST_AT_SHOW
from engine.presets import TWO_HANDED
from engine.rules import CribFlush, Rules

_JACK = 10


@cache
def crib_points() -> Ranks:
    """Points in fifteens, pairs and runs of the crib: a pair, another pair, the starter's rank."""
    pairs = holdings(2).ranks
    ours = np.repeat(pairs, len(pairs), axis=0)
    theirs = np.tile(pairs, (len(pairs), 1))
    four = np.concatenate([ours, theirs], axis=1)
    every = np.arange(RANKS, dtype=np.uint8)
    points = Scorer(TWO_HANDED).ranks(four[:, None, :], every[None, :])
    points = np.minimum(points, MOST_AT_SHOW)  # more takes five cards of one rank, whose weight is 0
    return points.reshape(len(pairs), len(pairs), RANKS)


def pair_weights(throws: Floats, left: Ints) -> Floats:
    """[pair, starter's rank]: the probability of that pair from the opponent and that starter.

    `throws` has by pair how often it is discarded, for each way to hold it; `left` the cards left by rank.
    """
    pairs = holdings(2)
    likely = throws * pairs.ways(left)
    weights = likely[:, None] * np.maximum(left[None, :] - pairs.counts, 0)
    return np.asarray(weights / weights.sum())


def crib_chances(given: Ints, throws: Floats, left: Ints) -> Floats:
    """For each pair discarded (its number): the distribution of the crib's points, without suits."""
    weights = pair_weights(throws, left).ravel()
    points = crib_points()[given].reshape(len(given), -1)
    return np.stack([np.bincount(row, weights=weights, minlength=30) for row in points])


def suited_extras(dealt: Ranks, given: Ints, rules: Rules) -> Floats:
    """Average points from flushes and his nobs in the crib, for the discards at each of the places `given`.

    The others' cards are any of those unseen, although players seldom discard towards a flush.
    """
    suits, unseen = dealt & 3, 52 - len(dealt)
    left = 13 - np.bincount(suits, minlength=4)
    of_given = suits[given]
    jacks = (dealt[given] >> 2) == _JACK
    extras = rules.his_nobs * (jacks * left[of_given]).sum(axis=1) / unseen
    missing = rules.crib_size - given.shape[1]
    if missing:
        alike = left[of_given[:, 0]]
        taken = np.arange(missing)
        chance = ((alike[:, None] - taken) / (unseen - taken)).prod(axis=1)
        with_starter = chance * (alike - missing) / (unseen - missing)
        if rules.crib_flush is CribFlush.FIVE:
            flush = (rules.crib_size + 1) * with_starter
        else:
            flush = rules.crib_size * chance + with_starter
        extras = extras + flush * (of_given == of_given[:, :1]).all(axis=1)
    return np.asarray(extras)
