"""Where shuffles and cuts come from.

The caller brings the generator: a seeded one for a test, the system's for a table. A log records the
outcomes, as events, and never the generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engine.cards import Cards

_T = TypeVar("_T")


class Chance:
    """Shuffles and cuts, from a generator that the caller chooses."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def shuffled(self, pack: Cards) -> Cards:
        """The cards in a new order."""
        return tuple(self._random.sample(pack, len(pack)))

    def pick(self, choices: Sequence[_T]) -> _T:
        """One of `choices`, each as likely: a cut of the pack, or a seat."""
        return self._random.choice(choices)
