"""The value of an end of the play: points pegged, or the chance to win after the show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.computer.chances import Chances
from engine.computer.numbers import Floats, Ints
from engine.computer.plays import NOBODY
from engine.computer.ranks import number_of
from engine.computer.scorer import Scorer
from engine.computer.worlds import Worlds
from engine.rules import Rules
from engine.seats import Side, from_left_of
from engine.views import PlayerView


class ByPoints:
    """Points of my side less the others' average, plus `win` for a game won in the play.

    Where low wins, the same with the other sign. A point counts by its share of its side's target.
    """

    def __init__(self, side: Side, rules: Rules, win: float) -> None:
        sign = -1.0 if rules.low_wins else 1.0
        self._win = sign * win
        self._side = side
        targets = np.array([rules.target_of(Side(each)) for each in range(rules.sides)])
        self._share = -sign * targets[side] / targets / (rules.sides - 1)
        self._share[side] = sign

    def __call__(self, pegged: Ints, world: Ints, won: Ints) -> Floats:  # noqa: ARG002 -- as `Worth` is called
        """The worth of each row; `won` is the side that has reached its target, or -1."""
        decided = np.where(won == self._side, self._win, np.where(won == NOBODY, 0.0, -self._win))
        return np.asarray(pegged @ self._share + decided)


UNFORESEEN: Final = (0.0, 0.02, 0.12, 0.27, 0.32)
"""By the cards that the only opponent still holds: the points that it pegs beyond the search's forecast.

The search answers a habit as well as it can be answered, and an expert has better answers than a habit. In
mid-game these are 0.04, 0.25, 0.55 and 0.64 points (3,000 deals between experts). Half of that makes the
chance to win true near home, where a point is worth most, and in mid-game, too (`benchmarks positions`).
"""


@dataclass(frozen=True, slots=True)
class Hidden:
    """The likely suits and crib of the only opponent, whose ranks each world has."""

    kind: Ints
    """[world]: the kind of its hand, of those that may score alike by their suits."""
    suited: Floats
    """[kind, points]: the distribution of its hand's points by suits."""
    crib: Floats
    """[points]: the distribution of the crib's points."""
    held: int
    """The number of cards that it still holds."""


class ByChance:
    """The chance to win, with two sides: hands are counted in order, then the crib, then the deal passes."""

    def __init__(
        self,
        view: PlayerView,
        worlds: Worlds,
        own: tuple[int, ...],
        chances: Chances,
        hidden: Hidden | None,
    ) -> None:
        """`own` are the numbers of the four cards that I kept, played ones among them.

        Without `hidden` the crib is as usual, and the others' hands have the points of their ranks.
        """
        table = view.table
        rules = table.rules
        assert table.starter is not None, "there is a starter before there is a play"
        starter = np.uint8(number_of(table.starter))
        scorer = Scorer(rules)
        self._points = scorer.ranks(worlds.kept, np.broadcast_to(starter >> 2, worlds.kept.shape[:2])).astype(
            np.intp
        )
        self._points[:, view.seat] = int(scorer.points(np.array(own, dtype=np.uint8), np.array(starter)))
        self._order = [(seat, rules.side_of(seat)) for seat in from_left_of(table.dealer, rules.seats)]
        self._needed = np.array([rules.target - score for score in table.scores])
        self._side = rules.side_of(view.seat)
        self._dealing = rules.side_of(table.dealer)
        dealers, others = int(self._needed[self._dealing]), int(self._needed[1 - self._dealing])
        crib = None if hidden is None else hidden.crib
        after = chances.after_hands_with(crib, dealers, others)
        is_dealer = self._side != self._dealing
        if hidden is None:
            self._after, self._kind = after[None], np.zeros(len(worlds.weights), dtype=np.intp)
        else:
            after = _pegged_on(after, UNFORESEEN[hidden.held], dealer=is_dealer)
            self._after, self._kind = _suited(after, hidden.suited, dealer=is_dealer), hidden.kind

    def __call__(self, pegged: Ints, world: Ints, won: Ints) -> Floats:
        """The worth of each row; `won` is the side that has won, or -1."""
        needs = self._needed - pegged
        if len(self._order) > 2:  # of two, the table knows who counts first
            won = won.copy()
        for seat, side in self._order:
            needs[:, side] -= self._points[world, seat]
            if len(self._order) > 2:
                won = np.where((won == NOBODY) & (needs[:, side] <= 0), side, won)
        needs = np.maximum(needs, 0)
        dealing = self._after[self._kind[world], needs[:, self._dealing], needs[:, 1 - self._dealing]]
        chance = dealing if self._side == self._dealing else 1.0 - dealing
        return np.asarray(np.where(won == NOBODY, chance, won == self._side))


def _pegged_on(after: Floats, chance: float, *, dealer: bool) -> Floats:
    """The chances of the dealer's side where the opponent pegs one point more with the probability `chance`.

    `dealer` is true if the opponent deals.
    """
    nearer = np.maximum(np.arange(after.shape[0 if dealer else 1]) - 1, 0)
    pegged = after[nearer] if dealer else after[:, nearer]
    return (1.0 - chance) * after + chance * pegged


def _suited(after: Floats, suited: Floats, *, dealer: bool) -> Floats:
    """[kind, dealer's need, other's need]: the chances of the dealer's side, its hands having suits.

    `dealer` is true if the opponent, whose suits are unknown, deals.
    """
    result = np.zeros((len(suited), *after.shape))
    need = np.arange(after.shape[0 if dealer else 1])
    for points in np.flatnonzero(suited.any(axis=0)):
        nearer = np.maximum(need - points, 0)
        result += suited[:, points, None, None] * (after[nearer] if dealer else after[:, nearer])
    return result
