"""What hands and cribs are worth, millions a second: a few small tables, and suits looked at apart.

Two cards in any order have a word (a table by both their bytes): the number of their ranks among the 105
pairs of ranks, their suit if they share one, and the suits of their jacks. Two such numbers give the row of
their four ranks among 2,380, and the row what it is worth with each starter. The tables are made from the
rules of `engine.counting` and a test holds them against it on every hand there is.

A card is a number, four times its rank index and its suit; `NO_CARD` comes last in a crib of three.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np

from engine.cards import Card, Rank, Suit
from engine.computer.numbers import Flags, Ranks, Words
from engine.computer.ranks import NO_RANK, RANKS
from engine.counting import fifteens, pairs, runs
from engine.rules import CribFlush, Flush, Rules
from engine.scores import total

NO_CARD = 4 * NO_RANK
"""The number of a card that is not there."""

_JACK = Rank.JACK.value - 1
_SYMBOLS = RANKS + 1
_SUITS = tuple(Suit)
_PAIRS = list(combinations_with_replacement(range(_SYMBOLS), 2))

_PAIR = np.uint16(0x7F)
_SUIT_AT = np.uint16(7)
_SUIT = np.uint16(7)
_JACKS_AT = np.uint16(10)
_LACKS = np.uint16(1 << 14)
"""Whether the second card is none."""
_MIXED = (4, 5)
"""What stands for the suit of two suits, in a first and in a second pair: never the same."""

_AT_ONCE = 1 << 14
"""Hands that are counted in one piece, so that all of it stays near the processor."""


class _Tables(NamedTuple):
    words: tuple[Words, Words]
    """The word of two cards, by the bytes of both, as a first and as a second pair."""
    row: Words
    """The row of the four ranks, by the numbers of both pairs."""
    worth: Ranks
    """What each row is worth with each starter's rank."""


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
        """What each four cards (last axis) are worth with the starter, as the crib if `crib` is true.

        Shapes before the last axis are brought together as numpy does.
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


@cache
def _tables() -> _Tables:
    rows = list(combinations_with_replacement(range(_SYMBOLS), 4))
    worth = np.array(
        [[_worth((*row, starter)) for starter in range(_SYMBOLS)] for row in rows], dtype=np.uint8
    )
    number_of = {pair: number for number, pair in enumerate(_PAIRS)}
    row_of = np.zeros((len(_PAIRS), len(_PAIRS)), dtype=np.uint16)
    for number, row in enumerate(rows):
        for a, b, c, d in set(permutations(row)):
            if a <= b and c <= d:
                row_of[number_of[a, b], number_of[c, d]] = number
    words = (_words(_MIXED[0], number_of), _words(_MIXED[1], number_of))
    return _Tables(words, row_of.ravel(), worth.ravel())


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


def _worth(ranks: tuple[int, ...]) -> int:
    return _worth_of(tuple(sorted(rank for rank in ranks if rank != NO_RANK)))


@cache
def _worth_of(ranks: tuple[int, ...]) -> int:
    five = tuple(
        Card(Rank(rank + 1), _SUITS[ranks[:place].count(rank) % 4]) for place, rank in enumerate(ranks)
    )
    return sum(total(tuple(rule(five))) for rule in (fifteens, pairs, runs))
