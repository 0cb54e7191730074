"""Hands counted per second: drawn at random from one seed, four cards and a starter each.

With breakdown every score is kept with its reason and its cards; rule by rule is the same without any table,
as the tests check it; points only is what the computer player counts with, many hands at once. Each is timed
over all hands by the processor time of this process, and the median repetition counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import numpy as np

from benchmarks.figures import Figure, median
from benchmarks.sizes import Sizes
from engine import PACK, TWO_HANDED, Card, Cards, count
from engine.computer.ranks import number_of
from engine.computer.scorer import Scorer
from tests.engine.plain_counting import plain_count

TITLE = "Counting hands"

_POINTS = 2_000_000
"""So many hands are counted for their points alone, the same ones again and again."""


def run(sizes: Sizes) -> list[Figure]:
    """Count the same hands both ways."""
    random = Random(152)
    hands = [random.sample(PACK, 5) for _ in range(sizes.hands)]
    five = [(tuple(each[:4]), each[4]) for each in hands]
    breakdown = _rate(five, lambda hand, starter: count(hand, starter=starter), sizes)
    plain = _rate(five, lambda hand, starter: plain_count(hand, starter=starter), sizes)
    return [
        Figure("with breakdown", f"{breakdown:,.0f} hands/s"),
        Figure("rule by rule", f"{plain:,.0f} hands/s"),
        Figure("with breakdown against that", f"{breakdown / plain:.1f} times", aim="at least 7 times"),
        Figure("points only", _rate_of_points(five, sizes), aim="more than 65,000,000 hands/s"),
    ]


def _rate(five: list[tuple[Cards, Card]], counted: Callable[[Cards, Card], object], sizes: Sizes) -> float:
    rates = []
    for _ in range(sizes.repetitions):
        before = time.process_time()
        for hand, starter in five:
            counted(hand, starter)
        rates.append(len(five) / max(time.process_time() - before, 1e-9))
    return median(rates)


def _rate_of_points(five: list[tuple[Cards, Card]], sizes: Sizes) -> str:
    scorer = Scorer(TWO_HANDED)
    hands = np.array([[number_of(each) for each in hand] for hand, _ in five], dtype=np.uint8)
    starters = np.array([number_of(starter) for _, starter in five], dtype=np.uint8)
    times = max(1, _POINTS // len(five))
    hands, starters = np.tile(hands, (times, 1)), np.tile(starters, times)
    scorer.points(hands, starters)
    rates = []
    for _ in range(sizes.repetitions):
        before = time.process_time()
        scorer.points(hands, starters)
        rates.append(len(hands) / max(time.process_time() - before, 1e-9))
    return f"{median(rates):,.0f} hands/s"
