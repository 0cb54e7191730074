"""The source of shuffles and cuts: the only way in which chance enters a game.

The caller brings the generator: a seeded one for a test, the system's for a table. A log records the
outcomes, as events, and never the generator. Nothing else in the engine is random, and every draw has a label
that no other draw of the game has, so that each outcome can also be derived from a secret and the label
alone, as `engine.fair` does:

    deal/3          the pack of the third deal: the hands, the crib's cards, and the rest in its order
    place/3         the place at which its starter is cut, where nobody names one
    cut/1           the pack for the first cut for the deal; ties cut the next one
    cut/1/0         the place at which seat 0 cuts it, where nobody names one
    dealer          the first dealer, where that is drawn
    move/0/17       the seed of the computer's move in seat 0, with 17 events in the log
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engine.cards import Cards
from engine.events import DeckSealed

_T = TypeVar("_T")


class Chance:
    """Shuffles and picks, from a generator that the caller chooses."""

    sealed: DeckSealed | None = None
    """The event that a log has before any card, where outcomes are derived; else `None`."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def shuffled(self, pack: Cards, label: str) -> Cards:  # noqa: ARG002 -- for those who derive it from the label
        """The cards in a new order, from the top."""
        return tuple(self._random.sample(pack, len(pack)))

    def pick(self, choices: Sequence[_T], label: str) -> _T:  # noqa: ARG002 -- as above
        """One of `choices`, each as likely: a place to cut at, or a seat."""
        return self._random.choice(choices)
