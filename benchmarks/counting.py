"""Hands counted per second: drawn at random from one seed, four cards and a starter each.

With breakdown every score is kept with its reason and its cards; points only is the sum. Each is
timed over all hands by the processor time of this process, and the median repetition counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from benchmarks.figures import Figure, median
from benchmarks.sizes import Sizes
from engine import Card, Cards
from engine.cards import PACK
from engine.counting import count

TITLE = "Counting hands"


def run(sizes: Sizes) -> list[Figure]:
    """Count the same hands both ways."""
    random = Random(152)
    hands = [random.sample(PACK, 5) for _ in range(sizes.hands)]
    five = [(tuple(each[:4]), each[4]) for each in hands]
    return [
        Figure("with breakdown", _rate(five, lambda hand, starter: count(hand, starter=starter), sizes)),
        Figure("points only", _rate(five, lambda hand, starter: count(hand, starter=starter).points, sizes)),
    ]


def _rate(five: list[tuple[Cards, Card]], counted: Callable[[Cards, Card], object], sizes: Sizes) -> str:
    rates = []
    for _ in range(sizes.repetitions):
        before = time.process_time()
        for hand, starter in five:
            counted(hand, starter)
        rates.append(len(five) / max(time.process_time() - before, 1e-9))
    return f"{median(rates):,.0f} hands/s"
