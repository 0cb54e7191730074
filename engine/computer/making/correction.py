"""The points that each hand pegs between two experts, fitted to what they expect and to what comes of it.

At its first card an expert looks ahead to the end of the play (`cardplay`). Its forecast scatters far less
than what comes of it, so a few thousand tell well which ranks peg together; but it takes the opponent for
more of a creature of habit than experts are, and for some hands expects a third of a point too much. Many
deals correct that, trait by trait: what comes of a deal scatters too much to tell more. The tables are fitted
to 6,600 forecasts and 30,100 deals.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from engine.computer.making.traits import pegging_traits
from engine.computer.numbers import Flags, Floats, Ints
from engine.computer.ranks import RANKS, holdings
from engine.computer.tables import DEALER, OTHER

_TOGETHER = 1e-4
"""Variance (points²) of the effect of ranks that are held together, for a group with a spread of 1, before
any deal is seen: effects are shrunk towards none by as much as the forecasts scatter more than that."""


def corrected(keeps: Floats, forecasts: Floats, deals: Ints) -> Floats:
    """[role, hand]: the points pegged above the usual ones, by least squares in each role.

    `keeps` is [role, hand]; `forecasts` is [deal, (the dealer's hand, the other's, the points by which the
    dealer expects to peg more, and the other)], `deals` is [deal, (the dealer's hand, the other's, the points
    by which the dealer pegged more)], hands as numbers of `holdings(4)`.
    """
    four = holdings(4)
    traits = np.column_stack([np.ones(len(four)), pegging_traits(four.counts)])
    groups = _together(four.counts).astype(np.float64)
    result = []
    for role, sign in ((DEALER, 1.0), (OTHER, -1.0)):
        expected = _expected(traits, groups, forecasts[:, role].astype(np.intp), forecasts[:, 2 + role])
        known = np.column_stack([traits, expected])
        worth, *_ = np.linalg.lstsq(known[deals[:, role]], sign * deals[:, 2], rcond=None)
        pegged = known @ worth
        result.append(pegged - np.average(pegged, weights=keeps[role] * four.ways(np.full(RANKS, 4))))
    return np.stack(result)


def _expected(traits: Floats, groups: Floats, hands: Ints, forecasts: Floats) -> Floats:
    """[hand]: what an expert expects to peg, by ridge regression: only the groups' effects are shrunk."""
    spread = groups[hands].std(axis=0)
    scaled = groups / np.where(spread > 0, spread, 1.0)
    alone, *_ = np.linalg.lstsq(traits[hands], forecasts, rcond=None)
    left = forecasts - traits[hands] @ alone
    known = np.column_stack([traits, scaled])
    shrinkage = np.repeat([0.0, np.var(left) / _TOGETHER], [traits.shape[1], scaled.shape[1]])
    played = known[hands]
    worth, *_ = np.linalg.lstsq(played.T @ played + np.diag(shrinkage), played.T @ forecasts, rcond=None)
    return np.asarray(known @ worth)


def _together(counts: Ints) -> Flags:
    """[hand, group]: two cards of a rank, alone or with another rank, and two or three ranks together."""
    some, two = counts > 0, counts >= 2
    pairs = [two[:, rank] & some[:, other] for rank in range(RANKS) for other in range(RANKS)]
    ranks = [
        some[:, list(group)].all(axis=1) for size in (2, 3) for group in combinations(range(RANKS), size)
    ]
    return np.column_stack([*pairs, *ranks])
