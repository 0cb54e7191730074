"""Every way to lay away, and what each is worth: hand, crib, pegging, and the chance to win.

The hand is counted with every starter that is left, by the table's own rules. The crib and the pegging come
from what good players do; the chance to win weighs each point by what it is worth at this score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np

from engine.cards import PACK, Cards
from engine.computer.chances import MOST_POINTS, Chances, Standing
from engine.computer.crib_values import crib_chances, suited_extra
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.ranks import RANKS, counts_by_rank, counts_of, holdings, number_of
from engine.computer.scorer import Scorer
from engine.computer.tables import DEALER, OTHER, Course, Family, Laying, course_of, family_of, laying_of
from engine.computer.traits import pegging_traits
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Throw:
    """One way to lay away, and what may be expected of it. Its cards are private and do not print."""

    kept: Cards = field(repr=False)
    given: Cards = field(repr=False)
    lowest: int
    """The least that the hand can be worth, over all starters."""
    average: float
    highest: int
    crib: float
    """What the crib is worth on average; less than nothing where it is the opponents'."""
    pegging: float
    """Points pegged in the play beyond the opponents', against what is usual in this seat."""
    winning: float | None
    """The chance to win the game; `None` where more than two sides play."""

    @property
    def points(self) -> float:
        """All of it, in points."""
        return self.average + self.crib + self.pegging


class Thrower:
    """Looks at every way to lay away at tables of the same rules."""

    def __init__(self, rules: Rules) -> None:
        family = family_of(rules)
        self._rules = rules
        self._laying: Laying = laying_of(family)
        self._course: Course = course_of(family)
        self._scorer = Scorer(rules)
        self._chances = chances_of(family) if rules.sides == 2 else None

    def throws(
        self, dealt: Cards, *, own_crib: bool, dealer: bool, standing: Standing | None
    ) -> tuple[Throw, ...]:
        """Every way to lay away of `dealt`, in no particular order.

        `own_crib` is whether the crib is my side's, `dealer` whether I deal. Without a `standing` the game is
        far from its end, and points are all that matters.
        """
        choices = list(combinations(range(len(dealt)), self._rules.laid_away))
        numbers = np.array([number_of(each) for each in dealt], dtype=np.uint8)
        unseen = tuple(each for each in PACK if each not in dealt)
        starters = np.array([number_of(each) for each in unseen], dtype=np.uint8)
        gone = np.array(choices)
        kept_places = np.array(
            [[place for place in range(len(dealt)) if place not in some] for some in choices]
        )
        ranks = np.right_shift(numbers, 2, dtype=np.uint8)
        kept = numbers[kept_places]
        hands = self._scorer.points(kept[:, None, :], starters[None, :])
        left = 4 - counts_of(ranks)
        cribs = self._cribs(ranks[gone], dealer=dealer, left=left)
        extras = np.array([suited_extra(_of(dealt, some), unseen, self._rules) for some in choices])
        extras += self._laying.bias[DEALER if dealer else OTHER]
        mean_cribs = cribs @ np.arange(cribs.shape[1]) + extras
        pegging = self._pegging(ranks[kept_places], dealer=dealer)
        winning = self._winning(hands, cribs, extras, pegging, standing)
        share = 1.0 if own_crib else -1.0 / (self._rules.sides - 1)
        return tuple(
            Throw(
                kept=_of(dealt, tuple(kept_places[place])),
                given=_of(dealt, choices[place]),
                lowest=int(hands[place].min()),
                average=float(hands[place].mean()),
                highest=int(hands[place].max()),
                crib=share * float(mean_cribs[place]),
                pegging=float(pegging[place]),
                winning=None if winning is None else float(winning[place]),
            )
            for place in range(len(choices))
        )

    def _cribs(self, given: Ranks, *, dealer: bool, left: Ints) -> Floats:
        """For each choice how likely the crib is worth so many points."""
        role, other = (DEALER, OTHER) if dealer else (OTHER, DEALER)
        if given.shape[1] == 1:
            return np.asarray(self._laying.cribs[role][given[:, 0]])
        return crib_chances(holdings(2).find(counts_by_rank(given)), self._laying.gifts[other], left)

    def _pegging(self, kept: Ranks, *, dealer: bool) -> Floats:
        role = DEALER if dealer else OTHER
        pegged = pegging_traits(counts_by_rank(kept)) @ self._course.traits[role]
        return np.asarray(pegged - self._usual(role))

    def _usual(self, role: int) -> float:
        return usual_pegging(self._course.traits[role].tobytes(), self._laying.keeps[role].tobytes())

    def _winning(
        self, hands: Ranks, cribs: Floats, extras: Floats, pegging: Floats, standing: Standing | None
    ) -> Floats | None:
        if self._chances is None or standing is None:
            return None
        grid = self._chances.by_hand_and_crib(standing)
        likely = np.stack([np.bincount(row, minlength=MOST_POINTS) for row in hands]) / hands.shape[1]
        by_crib = likely @ grid
        by_hand = cribs @ grid.T
        value = (cribs * by_crib).sum(axis=1)
        # What comes on top on average is worth what a point more is worth here.
        point_in_crib = (cribs[:, :-1] * np.diff(by_crib, axis=1)).sum(axis=1)
        point_in_hand = (likely[:, :-1] * np.diff(by_hand, axis=1)).sum(axis=1)
        return np.asarray(value + extras * point_in_crib + pegging * point_in_hand)


@cache
def thrower_for(rules: Rules) -> Thrower:
    """The one for these rules; it is costly to make and keeps nothing of a game."""
    return Thrower(rules)


@cache
def chances_of(family: Family) -> Chances:
    """What scores are worth at such tables."""
    return Chances(course_of(family), partners=family.partners)


@cache
def usual_pegging(traits: bytes, keeps: bytes) -> float:
    """What the hands that are usually kept peg by these traits."""
    four = holdings(4)
    weights = np.frombuffer(keeps) * four.ways(np.full(RANKS, 4))
    return float(np.average(pegging_traits(four.counts) @ np.frombuffer(traits), weights=weights))


def _of(dealt: Cards, places: tuple[int, ...]) -> Cards:
    return tuple(dealt[place] for place in places)
