"""How a good opponent splits six cards at a score: the chance of each way to keep four and discard two.

Far from home it goes by points. Near home it goes by the chance to win: the pone keeps the hand that is
enough, whatever the crib then gets. A softmax over the values of the fifteen ways makes close choices nearly
equally likely. Suits are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from engine.computer.chances import MOST_POINTS, ScoreState
from engine.computer.crib_values import crib_chances
from engine.computer.numbers import Floats, Ints, Shares
from engine.computer.ranks import RANKS, holdings
from engine.computer.scorer import Scorer
from engine.computer.tables import DEALER, OTHER, course_of, discarding_of, family_of
from engine.computer.throws import chances_of, thrower_for
from engine.counting import MOST_AT_SHOW
from engine.rules import Rules

_SOFTNESS = 0.3
"""Points by which a choice must be worse to be made e times less often."""
_ODD = 0.02
"""Share of discards that follow no reckoning, so that no hand is ruled out."""
_WAYS = 15
_LEAST_SLOPE = 1e-4
"""Least chance to win of a point in the hand: in a decided game it still tells better from worse."""
_KEPT = 4
_GIVEN = 2
_CHOOSE = np.array([[1, 0, 0], [1, 1, 0], [1, 2, 1], [1, 3, 3], [1, 4, 6]], dtype=np.float32)


class Splits:
    """The splits of an opponent's six cards at a table for two whose chances to win are known."""

    def __init__(self, rules: Rules) -> None:
        family = family_of(rules)
        course, discards = course_of(family), discarding_of(family)
        four, pairs = holdings(_KEPT), holdings(_GIVEN)
        every = np.arange(RANKS, dtype=np.uint8)
        self._chances = chances_of(family)
        points = Scorer(rules).ranks(four.ranks[:, None, :], every[None, :])
        self._points = np.minimum(points, MOST_AT_SHOW).astype(np.intp)  # more takes five of a rank
        starters = 4 - four.counts
        self._starters = starters / starters.sum(axis=1, keepdims=True)
        self._hands = np.zeros((len(four), MOST_POINTS))
        np.add.at(self._hands, (np.arange(len(four))[:, None], self._points), self._starters)
        everything = np.full(RANKS, 4)
        number = np.arange(len(pairs))
        self._cribs = tuple(
            crib_chances(number, discards.throws[each], everything) for each in (OTHER, DEALER)
        )
        self._usual_crib = course.crib
        self._usual_hands = course.hands
        self._pegging = thrower_for(rules).pegging

    def chosen(self, now: ScoreState) -> Shares:
        """[kept, given]: the chance that each of the fifteen ways is chosen; 0 where it cannot be dealt.

        `now` is the score as the opponent sees it when discarding.
        """
        sixes = _sixes()
        value = self._value(now).ravel()[sixes.order]
        value -= np.repeat(np.maximum.reduceat(value, sixes.begin), sixes.number)
        likely = np.exp(value.astype(np.float32))
        likely /= np.repeat(np.add.reduceat(likely * sixes.times, sixes.begin), sixes.number)
        result = np.zeros(len(holdings(_KEPT)) * len(holdings(_GIVEN)), dtype=np.float32)
        result[sixes.order] = _ODD / _WAYS + (1 - _ODD) * likely
        return result.reshape(len(holdings(_KEPT)), -1)

    def _value(self, now: ScoreState) -> Floats:
        """[kept, given]: the value in units of the softness."""
        role = DEALER if now.dealing else OTHER
        grid = self._chances.by_hand_and_crib(now)
        by_hand = grid @ self._usual_crib
        slope = max(float(self._usual_hands[role][:-1] @ np.diff(by_hand)), _LEAST_SLOPE)
        value = self._hands @ grid @ self._cribs[role].T
        # The cards discarded cannot be the starter.
        each = by_hand[self._points]
        mean = (each * self._starters).sum(axis=1)
        value += (_GIVEN * mean[:, None] - each @ holdings(_GIVEN).counts.T) / (52 - _KEPT - _GIVEN)
        value += slope * self._pegging[role][:, None]
        return np.asarray(value / (_SOFTNESS * slope))


@cache
def splits_for(rules: Rules) -> Splits:
    """The cached `Splits` of these rules."""
    return Splits(rules)


@lru_cache(maxsize=16)
def splits_at(rules: Rules, now: ScoreState) -> Shares:
    """The splits at a score, which stay the same for every card of a deal."""
    return splits_for(rules).chosen(now)


@dataclass(frozen=True, slots=True)
class _Sixes:
    """Every way to split every six ranks that can be dealt, those of the same six together."""

    order: Ints
    """The way's place in a table of [kept, given]."""
    times: Shares
    """How many of the fifteen ways look like this one."""
    begin: Ints
    """By six ranks: the first of its ways."""
    number: Ints
    """By six ranks: the number of its different ways."""


@cache
def _sixes() -> _Sixes:
    kept, given = holdings(_KEPT).counts, holdings(_GIVEN).counts
    codes = np.zeros((len(kept), len(given)), dtype=np.int64)
    times = np.ones(codes.shape, dtype=np.float32)
    for rank in range(RANKS):
        number = kept[:, rank, None] + given[None, :, rank]
        codes = codes * 7 + number
        times *= np.where(number <= 4, _CHOOSE[np.minimum(number, 4), given[None, :, rank]], np.float32(0))
    possible = np.flatnonzero(times)
    order = possible[np.argsort(codes.ravel()[possible], kind="stable")]
    _, begin, number = np.unique(codes.ravel()[order], return_index=True, return_counts=True)
    return _Sixes(order, times.ravel()[order], begin, number)
