"""Every way to discard, and its value: hand, crib, pegging, and the chance to win.

The hand is counted with every starter that is left, by the table's own rules. The crib and the pegging come
from the play of good players; the chance to win weights each point by its value at this score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np

from engine.cards import Cards
from engine.computer.chances import MOST_POINTS, Chances, ScoreState
from engine.computer.crib_values import crib_chances, suited_extras
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.ranks import counts_by_rank, counts_of, holdings, number_of
from engine.computer.scorer import Scorer, filled
from engine.computer.tables import (
    DEALER,
    OTHER,
    Course,
    Discards,
    Family,
    course_of,
    discarding_of,
    family_of,
    knows_course,
)
from engine.rules import Rules

_PACK = np.arange(52, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Throw:
    """One way to discard, and its expected value. Its cards are private and do not print."""

    kept: Cards = field(repr=False)
    given: Cards = field(repr=False)
    lowest: int
    """The least points of the hand, over all starters."""
    average: float
    highest: int
    crib: float
    """The crib's average points; negative where it is the opponents'."""
    pegging: float
    """Points pegged above the opponents', against the usual difference in this seat; 0 where that is
    not known."""
    winning: float | None
    """The chance to win the game, 0 to 1; `None` where it is not known, as with more than two sides."""

    @property
    def points(self) -> float:
        """The sum of hand, crib and pegging."""
        return self.average + self.crib + self.pegging


class Thrower:
    """Values every way to discard at tables of the same rules."""

    def __init__(self, rules: Rules) -> None:
        family = family_of(rules)
        self._rules = rules
        self._discards: Discards = discarding_of(family)
        self._course: Course = course_of(family)
        self._scorer = Scorer(rules)
        self._knows_course = knows_course(rules)
        self._chances = chances_of(family) if rules.sides == 2 and self._knows_course else None

    def throws(
        self, dealt: Cards, *, own_crib: bool, dealer: bool, score: ScoreState | None
    ) -> tuple[Throw, ...]:
        """Every way to discard of `dealt`, in no particular order.

        `own_crib` is true if the crib is my side's, `dealer` if I deal. Without a `score` the game is far
        from its end, and only points matter.
        """
        choices = _choices(len(dealt), self._rules.discarded)
        numbers = np.array([number_of(each) for each in dealt], dtype=np.uint8)
        ranks = np.right_shift(numbers, 2, dtype=np.uint8)
        starters = np.delete(_PACK, numbers)
        hands = self._scorer.points(filled(numbers[choices.kept])[:, None, :], starters[None, :])
        cribs = self._cribs(ranks[choices.given], dealer=dealer, held=counts_of(ranks))
        role = DEALER if dealer else OTHER
        extras = suited_extras(numbers, choices.given, self._rules) + self._discards.bias[role]
        mean_cribs = cribs @ np.arange(cribs.shape[1]) + extras
        pegging = np.zeros(len(hands))
        if self._knows_course:
            pegging = self._course.pegging[role][holdings(4).find(counts_by_rank(ranks[choices.kept]))]
        winning = self._winning(hands, cribs, extras, pegging, score)
        share = 1.0 if own_crib else -1.0 / (self._rules.sides - 1)
        columns = zip(
            choices.kept.tolist(),
            choices.given.tolist(),
            hands.min(axis=1).tolist(),
            hands.mean(axis=1).tolist(),
            hands.max(axis=1).tolist(),
            (share * mean_cribs).tolist(),
            pegging.tolist(),
            [None] * len(hands) if winning is None else winning.tolist(),
            strict=True,
        )
        return tuple(Throw(_of(dealt, kept), _of(dealt, given), *rest) for kept, given, *rest in columns)

    def _cribs(self, given: Ranks, *, dealer: bool, held: Ints) -> Floats:
        """[choice, points]: the distribution of the crib's points."""
        role, other = (DEALER, OTHER) if dealer else (OTHER, DEALER)
        if given.shape[1] == 1:
            return np.asarray(self._discards.cribs[role][given[:, 0]])
        numbers = holdings(2).find(counts_by_rank(given))
        return crib_chances(numbers, self._discards.pairs(other, held), 4 - held)

    def _winning(
        self, hands: Ranks, cribs: Floats, extras: Floats, pegging: Floats, score: ScoreState | None
    ) -> Floats | None:
        if self._chances is None or score is None:
            return None
        grid = self._chances.by_hand_and_crib(score)
        likely = np.stack([np.bincount(row, minlength=MOST_POINTS) for row in hands]) / hands.shape[1]
        by_crib = likely @ grid
        by_hand = cribs @ grid.T
        value = (cribs * by_crib).sum(axis=1)
        # Average extra points count by the gain in chance of one more point.
        point_in_crib = (cribs[:, :-1] * np.diff(by_crib, axis=1)).sum(axis=1)
        point_in_hand = (likely[:, :-1] * np.diff(by_hand, axis=1)).sum(axis=1)
        value = value + extras * point_in_crib + pegging * point_in_hand
        return np.asarray(np.clip(value, 0.0, 1.0))


@cache
def thrower_for(rules: Rules) -> Thrower:
    """The cached `Thrower` for these rules, which is costly to make and has no state of a game."""
    return Thrower(rules)


@cache
def chances_of(family: Family) -> Chances:
    """The cached chances by score at such tables."""
    return Chances(course_of(family), partners=family.partners)


@dataclass(frozen=True, slots=True)
class _Choices:
    kept: Ints
    """[choice]: the places of the cards kept."""
    given: Ints
    """[choice]: the places of the cards discarded."""


@cache
def _choices(dealt: int, discarded: int) -> _Choices:
    given = list(combinations(range(dealt), discarded))
    kept = [[place for place in range(dealt) if place not in gone] for gone in given]
    return _Choices(np.array(kept), np.array(given))


def _of(dealt: Cards, places: Sequence[int]) -> Cards:
    return tuple(dealt[place] for place in places)
