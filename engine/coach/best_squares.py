"""A search for the best grid of cribbage squares, with all cards known: simulated annealing from the deck.

It follows from the cards and from numbers of steps, never from the time that it takes: every machine finds
the same total. That is nearly always the best there is, which only a far longer search could prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from engine.cards import spell
from engine.counting import count
from engine.squares import CELLS, LINES, SIDE, SquaresDeck, heels_of

_RUNS: Final = 40
"""Number of annealings, each from a grid of its own."""

_MOVES: Final = 12_000
"""Swaps of two cards that are tried in an annealing: some 20 ms."""

_HOT, _COLD = 5.0, 0.4
"""The temperature (points) of the first and of the last swap."""

_AT: Final = tuple(tuple(line for line, cells in enumerate(LINES) if cell in cells) for cell in range(CELLS))
"""By cell: its row and its column."""


def best_squares(deck: SquaresDeck) -> Iterator[int]:
    """The best total found so far, after each step of some 20 ms; the last one is the result."""
    random = Random(spell((*deck.dealt, deck.starter)))
    points = points_of(deck)
    best = 0
    for _ in range(_RUNS):
        best = max(best, annealed(points, random))
        yield best + heels_of(deck.starter)


def points_of(deck: SquaresDeck) -> list[int]:
    """The points of each four of the cards, by the sum of their bits (card `n` has bit `1 << n`)."""
    points = [0] * (1 << CELLS)
    for four in combinations(range(CELLS), SIDE):
        hand = tuple(deck.dealt[number] for number in four)
        points[sum(1 << number for number in four)] = count(hand, starter=deck.starter).points
    return points


def annealed(points: Sequence[int], random: Random) -> int:
    """The best sum of the lines that one annealing meets."""
    chance = random.random
    bits = sorted((1 << number for number in range(CELLS)), key=lambda _: chance())
    lines = [sum(bits[cell] for cell in cells) for cells in LINES]
    total = best = sum(points[line] for line in lines)
    cooling = (_COLD / _HOT) ** (1 / _MOVES)
    heat = _HOT
    for _ in range(_MOVES):
        heat *= cooling
        one, other = int(chance() * CELLS), int(chance() * CELLS)
        swapped = bits[one] ^ bits[other]
        changed = {*_AT[one]} ^ {*_AT[other]}  # a line of both keeps its cards
        gain = sum(points[lines[line] ^ swapped] - points[lines[line]] for line in changed)
        if gain >= 0 or chance() < exp(gain / heat):
            bits[one], bits[other] = bits[other], bits[one]
            for line in changed:
                lines[line] ^= swapped
            total += gain
            best = max(best, total)
    return best
