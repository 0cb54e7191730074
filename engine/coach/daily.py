"""The daily hand: six cards from a seed, a close decision about them, and the value of each discard.

    hand = daily_hand(seed)          # the same for the same bytes
    hand.throws[0].given             # the expert's discard
    grade_of(Reckoned.of(hand).cost_of(given))      # the grade of another discard

A hand is interesting if the choice is close and the count alone does not tell it. So six cards, dealer or not
and a score are drawn from the seed until

- the two discards (of different ranks) that win most often are also the two that are worth most points, less
  than one point apart,
- neither keeps as many points before the cut as another discard keeps,
- and the game is open: the best of them wins at least every fourth and at most three of four such games.

It is the standard game for two, to 121. The cost of a discard is the difference between its chance to win and
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
"""Limit (points) of the difference between the two best discards."""

_DEALT: Final = 6
_FARTHEST: Final = 116
"""Limit of the scores: five points or fewer from home, the decision is about the play alone."""
_OPEN: Final = (0.25, 0.75)
"""Range of the chance to win with the best discard: in a game all but decided, no discard matters."""
_KEPT_FLUSH: Final = 4

COST_UNIT: Final = 10_000
"""The unit of costs is a won game divided by this: 100 units are one percent."""


class Grade(Enum):
    """The grade of a discard by its cost in chance to win, best first."""

    TWENTY_NINE = "twenty-nine"
    """The best within 0.05 %, a rounding error: the perfect hand."""
    DOUBLE_RUN = "double run"
    """Less than 1 %, about half a point in the middle of a game."""
    FIFTEEN_TWO = "fifteen two"
    """Less than 3 %, about a point and a half."""
    HIS_NOBS = "his nobs"
    """Less than 6 %, about three points."""
    NINETEEN = "nineteen"
    """6 % or more: no hand counts nineteen, so players say "nineteen" for nothing at all."""


GRADE_LIMITS: Final = (
    (6, Grade.TWENTY_NINE),
    (100, Grade.DOUBLE_RUN),
    (300, Grade.FIFTEEN_TWO),
    (600, Grade.HIS_NOBS),
)
"""The cost (in units of 1/`COST_UNIT`) below which a discard has that grade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyHand:
    """Six cards and a choice. The cards are secret until the day has come, and do not print."""

    dealt: Cards = field(repr=False)
    """The six cards, in the order of the pack."""
    starter: Card = field(repr=False)
    """The card turned after the choice."""
    dealer: bool
    """True if the crib is the chooser's own."""
    own: int
    """The score of the player who chooses."""
    other: int
    """The opponent's score."""

    @property
    def is_possible(self) -> bool:
        """True for seven different cards and a game that nobody has won: a stored hand may be damaged."""
        scores = range(TWO_HANDED.target)
        cards = {*self.dealt, self.starter}
        return len(self.dealt) == _DEALT and len(cards) == _DEALT + 1 and {self.own, self.other} <= {*scores}

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Every way to discard, best first. Takes about 1 ms."""
        return _throws(self.dealt, dealer=self.dealer, own=self.own, other=self.other)


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A daily hand with the value of each of its fifteen discards."""

    hand: DailyHand
    throws: tuple[Throw, ...] = field(repr=False)
    """The discards, best first."""

    @classmethod
    def of(cls, hand: DailyHand) -> Reckoned:
        """The hand with the expert's values."""
        return cls(hand, hand.throws)

    def throw_of(self, given: Cards) -> Throw:
        """The discard of these two cards, in any order. Raises `ValueError` for any other cards."""
        if not self.has(given):
            raise ValueError("no such discard")
        return next(each for each in self.throws if {*each.given} == {*given})

    def has(self, given: Cards) -> bool:
        """True if these are two different cards of this hand."""
        return len(given) == 2 and len({*given}) == 2 and {*given} <= {*self.hand.dealt}

    def cost_of(self, given: Cards) -> int:
        """The cost of this discard in chance to win (units of 1/`COST_UNIT`); 0 for the best.

        Raises `ValueError`.
        """
        return _cost(self.throws[0], self.throw_of(given))


def grade_of(cost: int) -> Grade:
    """The grade of a discard by its cost (units of 1/`COST_UNIT`)."""
    return next((grade for limit, grade in GRADE_LIMITS if cost < limit), Grade.NINETEEN)


def daily_hand(seed: bytes) -> DailyHand:
    """The hand that follows from these bytes: the same with every version of Python.

    It draws until a hand is interesting, which takes 60 ms on average.
    """
    # Python guarantees only the sequence of `random()` across versions.
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
    """True if the choice is close and matters, and the count of the kept cards does not decide it.

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
    """The best discard for each pair of ranks: a choice between two nines is none."""
    best: dict[tuple[int, ...], Throw] = {}
    for each in throws:
        best.setdefault(tuple(sorted(card.rank for card in each.given)), each)
    return list(best.values())


def kept_points(kept: Cards) -> int:
    """The points of four cards before the cut: fifteens, pairs, runs and a flush."""
    flush = _KEPT_FLUSH if len({each.suit for each in kept}) == 1 else 0
    return flush + sum(each.points for counted in (fifteens, pairs, runs) for each in counted(kept))


def _throws(dealt: Cards, *, dealer: bool, own: int, other: int) -> tuple[Throw, ...]:
    target = TWO_HANDED.target
    score = ScoreState(target - own, target - other, dealer)
    throws = thrower_for(TWO_HANDED).throws(dealt, own_crib=dealer, dealer=dealer, score=score)
    return tuple(each for each in best_first(throws) if isinstance(each, Throw))


def _cost(best: Throw, made: Throw) -> int:
    return round(((best.winning or 0.0) - (made.winning or 0.0)) * COST_UNIT)
