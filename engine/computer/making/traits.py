"""The traits of four ranks that matter in the play, for fits of the points pegged."""

from __future__ import annotations

import numpy as np

from engine.computer.numbers import Flags, Floats, Ints
from engine.computer.ranks import PIPS, RANKS


def pegging_traits(counts: Ints) -> Floats:
    """[hand, trait]: the counts by rank, pairs, triplets, neighbours, and sums of 15, 5 and 11."""
    some = counts > 0
    pairs = (counts >= 2).sum(axis=1)
    triplets = (counts >= 3).sum(axis=1)
    near = (some[:, 1:] & some[:, :-1]).sum(axis=1)
    sums = [_with_sum(some, total) for total in (15, 5, 11)]
    return np.column_stack([counts, pairs, triplets, near, *sums]).astype(np.float64)


def _with_sum(some: Flags, total: int) -> Ints:
    pips = PIPS[:RANKS].astype(int)
    found = np.zeros(len(some), dtype=np.intp)
    for low in range(RANKS):
        for high in range(low + 1, RANKS):
            if pips[low] + pips[high] == total:
                found += some[:, low] & some[:, high]
    return found
