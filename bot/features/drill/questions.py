"""The questions: a hand to count with five numbers to choose from, and six cards with a discard to choose.

A question is in the custom_ids of its buttons, so that it can be answered at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Final

from engine import MOST_AT_SHOW, PACK, PRESETS, Card, Cards, Rules, count
from engine.coach import kept_points

CHOICES: Final = 5
"""Number of the points to choose from."""

POSSIBLE: Final = tuple(each for each in range(MOST_AT_SHOW + 1) if each not in {19, 25, 26, 27})
"""The points that a hand can have."""

_NEAR: Final = 5
"""Number of possible points on either side of the right ones from which the others to choose are taken."""
_DEALT: Final = 6
_KEPT: Final = 4
_PLAYERS: Final = 2

RANDOM: Final = "r"
"""The source of cards dealt at random."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand to count with its starter."""

    asked: int
    """Time of asking (ms since 1970), by which questions differ."""
    cards: Cards = field(repr=False)
    starter: Card = field(repr=False)

    @property
    def points(self) -> int:
        """The right answer."""
        return count(self.cards, starter=self.starter).points


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Six cards to discard two of, in a game for two."""

    asked: int
    """Time of asking (ms since 1970), by which questions differ."""
    source: str
    """`k3f9.4`, deal 4 of a game of the person's; `d739000`, the daily hand of that day; or `RANDOM`."""
    preset: str
    target: int
    dealer: bool
    """True if the crib is the person's own."""
    own: int
    other: int
    dealt: Cards = field(repr=False)

    @property
    def rules(self) -> Rules:
        """The rules of the game. Raises `KeyError` and `EngineError` for rules that there are not."""
        return PRESETS[self.preset](_PLAYERS, target=self.target)

    @property
    def game(self) -> str | None:
        """The game of the person's that it comes from."""
        game, is_game, _ = self.source.partition(".")
        return game if is_game else None

    @property
    def day(self) -> int | None:
        """The day (ordinal) of the daily hand that it is."""
        return None if self.game or self.source == RANDOM else int(self.source[1:])


def hand_dealt(random: Random) -> tuple[Cards, Card]:
    """Four cards as a player keeps them of six, in the order of the pack, and a starter."""
    *dealt, starter = random.sample(PACK, _DEALT + 1)
    return max(combinations(sorted(dealt), _KEPT), key=kept_points), starter


def choices_about(points: int, random: Random) -> tuple[int, ...]:
    """Five possible counts of a hand, in order, one of them `points`; its place among them tells nothing."""
    place = POSSIBLE.index(points)
    lower, higher = POSSIBLE[max(place - _NEAR, 0) : place], POSSIBLE[place + 1 : place + 1 + _NEAR]
    others = CHOICES - 1
    fewest, most = max(others - len(higher), 0), min(len(lower), others)
    below = random.randint(fewest, most)
    return tuple(sorted((*random.sample(lower, below), points, *random.sample(higher, others - below))))
