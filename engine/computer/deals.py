"""All sets of ranks that can be dealt to a player, and every way to discard from each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np

from engine.computer.numbers import Floats, Ints
from engine.computer.ranks import RANKS, holdings
from engine.computer.scorer import Scorer
from engine.presets import TWO_HANDED


@dataclass(frozen=True, slots=True)
class Dealt:
    """All sets of ranks that can be dealt, and every way to discard from them."""

    counts: Ints
    """[set, rank]: the number of cards."""
    ways: Floats
    """[set]: the number of ways to deal it."""
    kept: Ints
    """[set, choice]: the number of the four ranks kept (`holdings(4)`)."""
    given: Ints
    """[set, choice]: the number of the ranks discarded."""
    places: tuple[tuple[int, ...], ...]
    """By choice: the places of the discards among the sorted ranks."""
    hand: Floats
    """[set, choice]: the hand's average points over the starters, without suits."""


def every_deal(size: int) -> Dealt:
    """All sets of `size` ranks, of which four are kept."""
    rows = np.array(
        [row for row in combinations_with_replacement(range(RANKS), size) if max(map(row.count, row)) <= 4],
        dtype=np.uint8,
    )
    counts = np.stack([(rows == rank).sum(axis=1) for rank in range(RANKS)], axis=1).astype(np.intp)
    choose = np.array([1, 4, 6, 4, 1], dtype=np.float64)
    places = tuple(combinations(range(size), size - 4))
    four, thrown = holdings(4), holdings(size - 4)
    every = np.arange(RANKS, dtype=np.uint8)
    worth = Scorer(TWO_HANDED).ranks(four.ranks[:, None, :], every[None, :]).astype(np.float64)
    kept, given, hand = [], [], []
    for gone in places:
        away = rows[:, list(gone)]
        away_counts = np.stack([(away == rank).sum(axis=1) for rank in range(RANKS)], axis=1)
        kept.append(four.find(counts - away_counts))
        given.append(thrown.find(away_counts))
        hand.append((worth[kept[-1]] * (4 - counts)).sum(axis=1) / (52 - size))
    return Dealt(
        counts=counts,
        ways=choose[counts].prod(axis=1),
        kept=np.stack(kept, axis=1),
        given=np.stack(given, axis=1),
        places=places,
        hand=np.stack(hand, axis=1),
    )
