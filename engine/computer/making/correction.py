"""The points that each hand pegs between two experts, fitted to deals that they played.

What comes of a deal scatters by 2.8 points, and most of that is the luck of the cards. So deals alone tell
little of 1,820 hands, and three things help. A hand pegs much as its traits say, and as it does between
simpler players (`expected`), so only their weights are fitted. What is left is an effect of the hand's own,
shrunk towards none by as much as its few deals scatter more than hands differ. And control variates take a
quarter of the variance away: what the simpler players peg with the same two hands, less its average. The
tables are fitted to 72,100 deals.
"""

from __future__ import annotations

import numpy as np

from engine.computer.making.expected import Expected
from engine.computer.making.traits import pegging_traits
from engine.computer.numbers import Floats, Ints
from engine.computer.ranks import RANKS, holdings
from engine.computer.tables import DEALER, OTHER

_OWN = 0.05
"""Variance (points²) of what hands peg beyond their traits; by cross-validation."""


def corrected(keeps: Floats, expected: Expected, deals: Ints) -> Floats:
    """[role, hand]: the points pegged above the usual difference in that role.

    `keeps` is [role, hand]; `deals` is [deal, (the dealer's hand, the other's, the points by which the dealer
    pegged more)], hands as numbers of `holdings(4)`.
    """
    four = holdings(4)
    averages = expected.averages(keeps)
    traits = pegging_traits(four.counts)
    known = [
        np.column_stack([traits, expected.searched[role], averages[:, role].T]) for role in (DEALER, OTHER)
    ]
    dealers, others, pegged = deals.T
    luck = (
        expected.margins[:, dealers, others] - averages[:, DEALER, dealers] + averages[:, OTHER, others]
    ).T
    columns = np.column_stack([np.ones(len(deals)), known[DEALER][dealers], -known[OTHER][others], luck])
    worth, *_ = np.linalg.lstsq(columns, pegged, rcond=None)
    left = pegged - columns @ worth
    of_dealer, of_other = np.split(worth[1 : -luck.shape[1]], 2)
    fitted = np.stack(
        [
            known[DEALER] @ of_dealer + _own(dealers, left),
            known[OTHER] @ of_other + _own(others, -left),
        ]
    )
    usual = np.average(fitted, axis=1, weights=keeps * four.ways(np.full(RANKS, 4)))
    return np.asarray(fitted - usual[:, None])


def _own(hands: Ints, left: Floats) -> Floats:
    """[hand]: the average of what is `left` in its deals, shrunk towards 0."""
    number = len(holdings(4))
    times = np.bincount(hands, minlength=number)
    return np.asarray(np.bincount(hands, weights=left, minlength=number) / (times + left.var() / _OWN))
