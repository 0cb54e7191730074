"""Ranks without suits: the 1,820 hands of four ranks, and the number of ways to hold each.

In the play suits mean nothing, so a computer thinks of an opponent's cards as ranks. A rank is its index, 0
for the ace to 12 for the king; `NO_RANK` marks the place of a card that is gone. A set of ranks is a sorted
row.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Suit
from engine.computer.numbers import Floats, Ints, Ranks

RANKS = 13
NO_RANK = 13
"""The rank of a card that is gone; it sorts last and is worth nothing."""

PIPS: Ranks = np.array([*range(1, 10), 10, 10, 10, 10, 0], dtype=np.uint8)
"""Points that each rank adds to the count; 0 for `NO_RANK`."""

_EVERY_RANK = np.arange(RANKS, dtype=np.uint8)
_SUITS = {suit: index for index, suit in enumerate(Suit)}
_CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]])
"""Binomials: the ways to take a number of cards (column) from those left of a rank (row)."""


def number_of(card: Card) -> int:
    """The card as a number from 0 to 51: four times its rank, and its suit."""
    return 4 * (card.rank.value - 1) + _SUITS[card.suit]


def rank_of(card: Card) -> int:
    """The card's rank as an index."""
    return card.rank.value - 1


class Holdings:
    """All sets of `size` ranks, no rank more than four times, in order."""

    def __init__(self, size: int) -> None:
        rows = [
            row
            for row in combinations_with_replacement(range(RANKS), size)
            if all(row.count(rank) <= 4 for rank in row)
        ]
        self.ranks: Ranks = np.array(rows, dtype=np.uint8).reshape(len(rows), size)
        """Each set as a sorted row."""
        self.counts: Ints = np.stack(
            [(self.ranks == rank).sum(axis=1) for rank in range(RANKS)], axis=1
        ).astype(np.intp)
        """[set, rank]: the number of cards."""
        self._codes = _codes(self.counts)
        self._order = np.argsort(self._codes)
        self._sorted = self._codes[self._order]

    def __len__(self) -> int:
        return len(self.ranks)

    def find(self, counts: Ints) -> Ints:
        """The number of the set of each row of counts, which must be a set."""
        return self._order[np.searchsorted(self._sorted, _codes(counts))]

    def ways(self, left: Ints) -> Floats:
        """The number of ways to take each set from `left` cards of each rank."""
        columns = [_CHOOSE[left[rank]][self.counts[:, rank]] for rank in range(RANKS)]
        return np.asarray(np.prod(np.array(columns), axis=0), dtype=np.float64)


@cache
def holdings(size: int) -> Holdings:
    """The sets of `size` ranks: 13, 91, 455 and 1,820 of one to four."""
    return Holdings(size)


def counts_by_rank(ranks: Ranks) -> Ints:
    """[row, rank]: the number of cards of that rank in the row."""
    return np.asarray((ranks[:, :, None] == _EVERY_RANK).sum(axis=1), dtype=np.intp)


def counts_of(ranks: Ranks | list[int]) -> Ints:
    """By rank: the number of cards among `ranks`."""
    return np.bincount(np.asarray(ranks, dtype=np.intp), minlength=RANKS)[:RANKS]


def ways_to_take(left: Ints, counts: Ints) -> Floats:
    """The number of ways to take each row of counts from the cards left in the same row."""
    return np.asarray(np.prod(_CHOOSE[left, counts], axis=-1), dtype=np.float64)


def _codes(counts: Ints) -> NDArray[np.int64]:
    """A number for each row of counts, equal only for equal rows."""
    powers = 5 ** np.arange(RANKS, dtype=np.int64)
    return np.asarray(counts, dtype=np.int64) @ powers
