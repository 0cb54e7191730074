"""The daily hand: six cards from a seed, a close decision about them, and what each discard is worth.

    hand = daily_hand(seed)          # the same for the same bytes
    hand.throws[0].given             # what the expert would discard
    hand.grade_of(given)             # how good another choice is

A hand is interesting if the choice is close and the count alone does not tell it. So six cards, dealer or not
and a score are drawn from the seed until

- the two discards (of different ranks) that win most often are also the two that are worth most points, less
  than one point apart,
- neither keeps as many points before the cut as another discard keeps,
- and the game is open: the best of them wins at least every fourth and at most three of four such games.

It is the standard game for two, to 121. What a discard costs is the difference between its chance to win and
the best one's, by the expert's own figures at that score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final

from engine.cards import PACK, Card, Cards
from engine.coach.advice import best_first
from engine.computer.chances import ScoreState
from engine.computer.throws import Throw, thrower_for
from engine.counting import fifteens, pairs, runs
from engine.presets import TWO_HANDED

CLOSE: Final = 1.0
"""Points by which the two best discards differ at most."""

_DEALT: Final = 6
_FARTHEST: Final = 116
"""Scores are below this one: five points or fewer from home, the decision is about the play alone."""
_OPEN: Final = (0.25, 0.75)
"""The chance to win with the best discard: where the game is all but decided, no discard matters."""
_KEPT_FLUSH: Final = 4

COST_UNIT: Final = 10_000
"""A cost is a whole number of parts of which this many are a won game: 100 are one percent."""


class Grade(Enum):
    """How good a discard is, the best first; by what it costs in chances to win."""

    TWENTY_NINE = "twenty-nine"
    """As good as the best, but for a rounding error of 0.05 %: the perfect hand."""
    DOUBLE_RUN = "double run"
    """Less than 1 %, about half a point in the middle of a game."""
    FIFTEEN_TWO = "fifteen two"
    """Less than 3 %, about a point and a half."""
    HIS_NOBS = "his nobs"
    """Less than 6 %, about three points."""
    NINETEEN = "nineteen"
    """More: no hand counts nineteen, and players say it for nothing at all."""


GRADE_LIMITS: Final = (
    (6, Grade.TWENTY_NINE),
    (100, Grade.DOUBLE_RUN),
    (300, Grade.FIFTEEN_TWO),
    (600, Grade.HIS_NOBS),
)
"""By grade: the cost, in parts of `COST_UNIT`, from which on it is a worse one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyHand:
    """Six cards and a choice. The cards are secret until the day has come, and do not print."""

    dealt: Cards = field(repr=False)
    """In the order of the pack."""
    starter: Card = field(repr=False)
    """What is turned when the choice is made."""
    dealer: bool
    """Whether the crib is one's own."""
    own: int
    """The score of the player who chooses."""
    other: int
    """The opponent's score."""

    @property
    def is_possible(self) -> bool:
        """Whether these are seven cards, and nobody has won: what was kept may be damaged."""
        scores = range(TWO_HANDED.target)
        cards = {*self.dealt, self.starter}
        return len(self.dealt) == _DEALT and len(cards) == _DEALT + 1 and {self.own, self.other} <= {*scores}

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Every way to discard, best first. It takes about a millisecond."""
        return _throws(self.dealt, dealer=self.dealer, own=self.own, other=self.other)


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A daily hand with what each of its fifteen discards is worth."""

    hand: DailyHand
    throws: tuple[Throw, ...] = field(repr=False)
    """Best first."""

    @classmethod
    def of(cls, hand: DailyHand) -> Reckoned:
        """The hand as the expert reckons it."""
        return cls(hand, hand.throws)

    def throw_of(self, given: Cards) -> Throw:
        """The way to discard these two cards, in any order. Raises `ValueError` for any that there is not."""
        if not self.has(given):
            raise ValueError("no such discard")
        return next(each for each in self.throws if {*each.given} == {*given})

    def has(self, given: Cards) -> bool:
        """Whether these cards can be discarded of this hand."""
        return len(given) == 2 and len({*given}) == 2 and {*given} <= {*self.hand.dealt}

    def cost_of(self, given: Cards) -> int:
        """What discarding these cards costs in chances to win, in parts of `COST_UNIT`; 0 for the best.

        Raises `ValueError`.
        """
        return _cost(self.throws[0], self.throw_of(given))


def grade_of(cost: int) -> Grade:
    """The grade of a discard that costs so much, in parts of `COST_UNIT`."""
    return next((grade for limit, grade in GRADE_LIMITS if cost < limit), Grade.NINETEEN)


def daily_hand(seed: bytes) -> DailyHand:
    """The hand that follows from these bytes: the same with every version of Python.

    It takes as many attempts as it takes to find an interesting one, some 60 milliseconds on average.
    """
    # Of a generator only the sequence of `random()` is promised to stay.
    random = Random(seed)
    while True:
        order = sorted(PACK, key=lambda _: random.random())
        hand = DailyHand(
            dealt=tuple(sorted(order[:_DEALT])),
            starter=order[_DEALT],
            dealer=random.random() < 0.5,
            own=int(random.random() * _FARTHEST),
            other=int(random.random() * _FARTHEST),
        )
        if is_interesting(hand.throws):
            return hand


def is_interesting(throws: tuple[Throw, ...]) -> bool:
    """Whether the choice is close, and matters, and the count of what is kept does not tell it.

    `throws` are best first.
    """
    first, second, *others = _of_different_ranks(throws)
    least, most_likely = _OPEN
    if first.winning is None or not least <= first.winning <= most_likely:
        return False
    rest = max((each.points for each in others), default=0.0)
    if min(first.points, second.points) < rest or abs(first.points - second.points) >= CLOSE:
        return False
    most = max(kept_points(each.kept) for each in throws)
    return kept_points(first.kept) < most and kept_points(second.kept) < most


def _of_different_ranks(throws: tuple[Throw, ...]) -> list[Throw]:
    """The best of the discards of each two ranks: to choose between two nines is no choice."""
    best: dict[tuple[int, ...], Throw] = {}
    for each in throws:
        best.setdefault(tuple(sorted(card.rank for card in each.given)), each)
    return list(best.values())


def kept_points(kept: Cards) -> int:
    """What four cards are worth before the cut: fifteens, pairs, runs and a flush."""
    flush = _KEPT_FLUSH if len({each.suit for each in kept}) == 1 else 0
    return flush + sum(each.points for counted in (fifteens, pairs, runs) for each in counted(kept))


def _throws(dealt: Cards, *, dealer: bool, own: int, other: int) -> tuple[Throw, ...]:
    target = TWO_HANDED.target
    score = ScoreState(target - own, target - other, dealer)
    throws = thrower_for(TWO_HANDED).throws(dealt, own_crib=dealer, dealer=dealer, score=score)
    return tuple(each for each in best_first(throws) if isinstance(each, Throw))


def _cost(best: Throw, made: Throw) -> int:
    return round(((best.winning or 0.0) - (made.winning or 0.0)) * COST_UNIT)
