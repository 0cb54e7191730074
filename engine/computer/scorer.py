"""Counts millions of hands and cribs a second, with a few small tables and suits handled apart.

Two cards in any order have a word (a table by both their bytes): the number of their ranks among the 105
pairs of ranks, their suit if they share one, and the suits of their jacks. Two such numbers give the row of
their four ranks among 2,380, and the row has its points with each starter. The tables are made in some
milliseconds, by arithmetic on all ranks at once, and a test compares them with `engine.counting` on every
hand there is.

A card is a number, four times its rank index and its suit; `NO_CARD` comes last in a crib of three.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from engine.cards import Rank
from engine.computer.numbers import Flags, Ints, Ranks, Words
from engine.computer.ranks import NO_RANK, RANKS
from engine.rules import CribFlush, Flush, Rules

NO_CARD = 4 * NO_RANK
"""The number of a card that is not there."""

_JACK = Rank.JACK.value - 1
_SYMBOLS = RANKS + 1
_PAIRS = list(combinations_with_replacement(range(_SYMBOLS), 2))

_PAIR = np.uint16(0x7F)
_SUIT_AT = np.uint16(7)
_SUIT = np.uint16(7)
_JACKS_AT = np.uint16(10)
_LACKS = np.uint16(1 << 14)
"""Flag in a word: the second card is missing."""
_NO_PIPS = 99
"""Pips of a missing card: nothing adds up to fifteen with it."""
_MIXED = (4, 5)
"""The "suit" of a pair of two suits, in a first and in a second pair: never equal."""

_AT_ONCE = 1 << 14
"""Hands counted in one batch, so that its arrays fit the processor's cache."""


class _Tables(NamedTuple):
    words: tuple[Words, Words]
    """The word of two cards, by the bytes of both, as a first and as a second pair."""
    row: Words
    """The row of the four ranks, by the numbers of both pairs."""
    worth: Ranks
    """[row, starter's rank]: points."""


class Scorer:
    """Counts hands and cribs by the rules of one table."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._tables = _tables()

    def ranks(self, four: Ranks, starter: Ranks) -> Ranks:
        """The points in fifteens, pairs and runs of four ranks (last axis) with a starter's rank."""
        first, second = self._words(np.left_shift(four, 2, dtype=np.uint8))
        return self._of_ranks(first, second, starter)

    def points(self, four: Ranks, starter: Ranks, *, crib: bool = False) -> Ranks:
        """The points of each four cards (last axis) with the starter, as the crib if `crib` is true.

        Shapes before the last axis broadcast.
        """
        if four.ndim == 2 and starter.ndim == 1 and len(four) == len(starter) > _AT_ONCE:
            points = np.empty(len(four), dtype=np.uint8)
            for place in range(0, len(four), _AT_ONCE):
                piece = slice(place, place + _AT_ONCE)
                points[piece] = self._points(four[piece], starter[piece], crib=crib)
            return points
        return self._points(four, starter, crib=crib)

    def _points(self, four: Ranks, starter: Ranks, *, crib: bool) -> Ranks:
        first, second = self._words(four)
        points = self._of_ranks(first, second, starter >> np.uint8(2))
        suit = starter & np.uint8(3)
        points += self._flush(first, second, four, suit, crib=crib)
        if self._rules.his_nobs:
            nobs = (((first | second) >> _JACKS_AT) >> suit) & np.uint16(1)
            points += nobs.astype(np.uint8)
        return points

    def _words(self, four: Ranks) -> tuple[Words, Words]:
        of_two = np.ascontiguousarray(four).view(np.uint16)
        first, second = self._tables.words
        return first.take(of_two[..., 0]), second.take(of_two[..., 1])

    def _of_ranks(self, first: Words, second: Words, starter: Ranks) -> Ranks:
        row = self._tables.row.take((first & _PAIR).astype(np.int32) * len(_PAIRS) + (second & _PAIR))
        return self._tables.worth.take(row.astype(np.int32) * _SYMBOLS + starter)

    def _flush(self, first: Words, second: Words, four: Ranks, starter: Ranks, *, crib: bool) -> Ranks:
        suit = (first >> _SUIT_AT) & _SUIT
        hand: Flags = suit == ((second >> _SUIT_AT) & _SUIT)
        whole: Flags = hand & (suit == starter)
        size = np.where(second & _LACKS, np.uint8(3), np.uint8(4))
        if crib and self._rules.crib_flush is CribFlush.FIVE:
            return np.asarray(whole * (size + np.uint8(1)))
        if self._rules.flush is Flush.ANY_FOUR:
            alike = ((four & np.uint8(3)) == starter[..., None]) & (four != NO_CARD)
            any_four: Flags = (hand & (size == 4)) | (alike.sum(axis=-1) >= 3)
            return np.asarray(any_four * np.uint8(4) + (whole & (size == 4)))
        return np.asarray(hand * size + whole)


def filled(hands: Ranks) -> Ranks:
    """Hands (last axis) of three cards with `NO_CARD` as the fourth, as `Scorer` counts them."""
    if hands.shape[-1] == 4:
        return hands
    lacking = np.full((*hands.shape[:-1], 4 - hands.shape[-1]), NO_CARD, dtype=np.uint8)
    return np.concatenate([hands, lacking], axis=-1)


@cache
def _tables() -> _Tables:
    rows = np.array(list(combinations_with_replacement(range(_SYMBOLS), 4)), dtype=np.uint8)
    five = np.empty((len(rows), _SYMBOLS, 5), dtype=np.uint8)
    five[..., :4], five[..., 4] = rows[:, None], np.arange(_SYMBOLS)
    pairs = np.array(_PAIRS, dtype=np.uint8)
    four = np.empty((len(pairs), len(pairs), 4), dtype=np.uint8)
    four[..., :2], four[..., 2:] = pairs[:, None], pairs
    four.sort(axis=-1)
    # Rows are sorted by their ranks read as a number, so a binary search finds a row.
    row_of = np.searchsorted(_read(rows), _read(four)).astype(np.uint16)
    number_of = {pair: number for number, pair in enumerate(_PAIRS)}
    words = (_words(_MIXED[0], number_of), _words(_MIXED[1], number_of))
    return _Tables(words, row_of.ravel(), _worth(five).ravel())


def _read(four: Ranks) -> Ints:
    """Four ranks (last axis) as a number, the first of them counting most."""
    return np.asarray(four @ np.array([_SYMBOLS**place for place in (3, 2, 1, 0)]))


def _words(mixed: int, number_of: dict[tuple[int, int], int]) -> Words:
    """The word of every two cards, the first of them in the low byte of the index."""
    words = np.zeros(1 << 16, dtype=np.uint16)
    for one in range(4 * _SYMBOLS):
        for other in range(4 * _SYMBOLS):
            low, high = sorted((one >> 2, other >> 2))
            lacks = other >> 2 == NO_RANK
            suit = one & 3 if lacks or one & 3 == other & 3 else mixed
            jacks = sum(1 << (each & 3) for each in {one, other} if each >> 2 == _JACK)
            word = number_of[low, high] | suit << int(_SUIT_AT) | jacks << int(_JACKS_AT)
            words[one | other << 8] = word | (int(_LACKS) if lacks else 0)
    return words


def _worth(five: Ranks) -> Ranks:
    """Points of five ranks (last axis), some possibly missing, in fifteens, pairs and runs."""
    pips = np.where(five == NO_RANK, _NO_PIPS, np.minimum(five + 1, 10))
    points = np.zeros(five.shape[:-1], dtype=np.uint8)
    for size in range(2, 6):
        for some in combinations(range(5), size):
            points += np.uint8(2) * (pips[..., some].sum(axis=-1) == 15)
    for one, other in combinations(range(5), 2):
        points += np.uint8(2) * ((five[..., one] == five[..., other]) & (five[..., one] != NO_RANK))
    number = (five[..., None] == np.arange(RANKS)).sum(axis=-2, dtype=np.uint8)
    is_run = np.zeros_like(points, dtype=bool)
    for length in (5, 4, 3):
        ways = np.lib.stride_tricks.sliding_window_view(number, length, axis=-1).prod(axis=-1).sum(axis=-1)
        points += np.where(is_run, 0, length * ways).astype(np.uint8)
        is_run |= ways > 0
    return points
