"""The points that each hand pegs between two experts, fitted to deals that they played.

What comes of a deal scatters by 2.8 points, and most of that is the luck of the cards. So deals alone tell
little of 1,820 hands. Two things help: a hand's traits and what it pegs between simpler players (`expected`),
whose weights alone are fitted; and control variates: what these players would have pegged with the same two
cards' hands, less its average, takes a quarter of the variance away. The tables are fitted to 38,800 deals.
"""

from __future__ import annotations

import numpy as np

from engine.computer.making.expected import Expected
from engine.computer.making.traits import pegging_traits
from engine.computer.numbers import Floats, Ints
from engine.computer.ranks import RANKS, holdings
from engine.computer.tables import DEALER, OTHER


def corrected(keeps: Floats, expected: Expected, deals: Ints) -> Floats:
    """[role, hand]: the points pegged above the usual difference in that role, by least squares.

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
    columns = [np.ones(len(deals)), known[DEALER][dealers], -known[OTHER][others], luck]
    worth, *_ = np.linalg.lstsq(np.column_stack(columns), pegged, rcond=None)
    size = known[DEALER].shape[1]
    fitted = np.stack([known[DEALER] @ worth[1 : 1 + size], known[OTHER] @ worth[1 + size : 1 + 2 * size]])
    usual = np.average(fitted, axis=1, weights=keeps * four.ways(np.full(RANKS, 4)))
    return np.asarray(fitted - usual[:, None])
