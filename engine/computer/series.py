"""The play as a table: every possible series, the score of each rank on it, and the series after it.

A series is reduced to its count and the cards at its end that can still belong to a pair or a run. There are
some sixty thousand different ones. They are numbered, so that a search follows thousands of plays at once by
lookups. The table takes a moment to make, once for each way of scoring, and is made from the rules alone; a
test compares it with `engine.pegging`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.computer.numbers import Flags, Ints, Ranks
from engine.computer.ranks import NO_RANK, PIPS, RANKS
from engine.pegging import THIRTY_ONE
from engine.rules import Rules

_END = 7
"""Most cards kept of a series' end: the longest run is A 2 3 4 5 6 7, which makes 28."""

_NONE = 15
"""Padding in an end before its first card."""

_PAIRS = np.array([0, 0, 2, 6, 12], dtype=np.uint8)
"""Points of cards of one rank, by their number."""

_REACH = np.concatenate([[0], np.cumsum(PIPS[:RANKS])]).astype(np.int16)
"""By rank: the sum of the pips of all lower ranks."""

Ends = Ranks
"""The ends of many series, one a row, the last card in the last column."""


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """All series, by number; 0 is the one with no card."""

    count: Ranks
    """By series: its count."""
    points: Ranks
    """[series, rank]: points scored, without the last card's; the last column is `NO_RANK`."""
    after: NDArray[np.int32]
    """[series, rank]: the series after that rank; 0 where it cannot be played."""
    playable: Flags
    """[series, rank]: true if the rank keeps the count at thirty-one or less."""

    def number(self, ranks: Sequence[int]) -> int:
        """The number of the series of these ranks."""
        number = 0
        for rank in ranks:
            number = int(self.after[number, rank])
        return number


def table_for(rules: Rules) -> SeriesTable:
    """The table for these rules."""
    return series_table(pairs=rules.pairs_in_play, runs=rules.runs_in_play)


@cache
def series_table(*, pairs: bool, runs: bool) -> SeriesTable:
    """The table for play in which pairs and runs score or do not."""
    keys = _all_keys()
    count, ends = _unpacked(keys)
    total = count[:, None] + PIPS[None, :]
    playable = total <= THIRTY_ONE
    playable[:, NO_RANK] = False
    points = np.where((total == 15) | (total == THIRTY_ONE), 2, 0).astype(np.uint8)
    after = np.zeros(points.shape, dtype=np.int32)
    for rank in range(RANKS):
        longer = _longer(ends, rank)
        if pairs:
            points[:, rank] += _PAIRS[_alike(longer)]
        if runs:
            points[:, rank] += _run(longer)
        numbers = np.searchsorted(keys, _packed(total[:, rank], longer))
        after[:, rank] = np.where(playable[:, rank], numbers, 0)
    points[~playable] = 0
    return SeriesTable(count, points, after, playable)


@cache
def _all_keys() -> NDArray[np.int64]:
    """Every series as one number, sorted; the count comes first in it."""
    waiting: list[list[NDArray[np.int64]]] = [[] for _ in range(THIRTY_ONE + 1)]
    waiting[0].append(_packed(np.zeros(1, dtype=np.uint8), np.full((1, _END + 1), _NONE, dtype=np.uint8)))
    found: list[NDArray[np.int64]] = []
    for total in range(THIRTY_ONE + 1):
        keys = np.unique(np.concatenate(waiting[total])) if waiting[total] else np.zeros(0, dtype=np.int64)
        found.append(keys)
        count, ends = _unpacked(keys)
        for rank in range(RANKS):
            after = total + int(PIPS[rank])
            if after <= THIRTY_ONE and len(keys):
                waiting[after].append(_packed(count + PIPS[rank], _longer(ends, rank)))
    return np.concatenate(found)


def _packed(count: Ranks, longer: Ends) -> NDArray[np.int64]:
    """A number for each count and the reduced cards before it."""
    ends = _what_matters(count, longer)
    key = count.astype(np.int64)
    for place in range(_END):
        key = (key << 4) | ends[:, place]
    return key


def _unpacked(keys: NDArray[np.int64]) -> tuple[Ranks, Ends]:
    ends = [(keys >> 4 * (_END - 1 - place)) & 15 for place in range(_END)]
    return (keys >> 4 * _END).astype(np.uint8), np.stack(ends, axis=1).astype(np.uint8)


def _longer(ends: Ends, rank: int) -> Ends:
    return np.concatenate([ends, np.full((len(ends), 1), rank, dtype=np.uint8)], axis=1)


def _what_matters(count: Ranks, longer: Ends) -> Ends:
    """The last cards that are all alike, or all different and near enough to be a run before 31."""
    kept = np.full((len(longer), _END), _NONE, dtype=np.uint8)
    left = THIRTY_ONE - count.astype(np.int16)
    settled = left == 0
    for size in range(_END, 0, -1):
        end = longer[:, -size:]
        fits = ~settled & (end != _NONE).all(axis=1)
        if size > 1:
            low, high = end.min(axis=1), end.max(axis=1)
            alike = low == high
            between = _REACH[np.minimum(high + 1, RANKS)] - _REACH[np.minimum(low, RANKS - 1)]
            missing = between - PIPS[np.minimum(end, NO_RANK)].sum(axis=1, dtype=np.int16)
            near = _distinct(end) & (high - low < _END) & (missing <= left)
            fits &= alike | near
        kept[fits, _END - size :] = end[fits]
        settled |= fits
    return kept


def _distinct(end: Ends) -> Flags:
    inorder = np.sort(end, axis=1)
    return np.asarray((inorder[:, 1:] != inorder[:, :-1]).all(axis=1))


def _alike(longer: Ends) -> Ints:
    """The number of cards at the end of one rank, four at most."""
    alike = np.ones(len(longer), dtype=np.intp)
    going = np.ones(len(longer), dtype=np.bool_)
    for size in range(2, 5):
        going &= longer[:, -size] == longer[:, -1]
        alike += going
    return alike


def _run(longer: Ends) -> Ranks:
    """The length of the run at the end, in any order; 0 under three."""
    run = np.zeros(len(longer), dtype=np.uint8)
    for size in range(3, _END + 1):
        end = longer[:, -size:]
        spread = end.max(axis=1) - end.min(axis=1)
        run[(spread == size - 1) & _distinct(end) & (end != _NONE).all(axis=1)] = size
    return run
