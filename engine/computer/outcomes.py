"""The value of an end of the play: points pegged, or the chance to win after the show."""

from __future__ import annotations

import numpy as np

from engine.computer.chances import Chances
from engine.computer.numbers import Floats, Ints, Shares
from engine.computer.plays import NOBODY
from engine.seats import Side, from_left_of
from engine.views import PlayerView


class ByPoints:
    """Points of my side less the others' average, plus `win` for a game won in the play."""

    def __init__(self, side: Side, sides: int, win: float) -> None:
        self._win = win
        self._side = side
        self._share = np.full(sides, -1.0 / (sides - 1))
        self._share[side] = 1.0

    def __call__(self, pegged: Ints, world: Ints, won: Ints) -> Floats:  # noqa: ARG002 -- as `Worth` is called
        """The worth of each row; `won` is the side that has won, or -1."""
        decided = np.where(won == self._side, self._win, np.where(won == NOBODY, 0.0, -self._win))
        return np.asarray(pegged @ self._share + decided)


class ByChance:
    """The chance to win, with two sides: hands are counted in order, then the crib, then the deal passes."""

    def __init__(self, view: PlayerView, hands: Ints, crib: Floats | Shares, chances: Chances) -> None:
        """`hands` has the points of each hand by world and seat, `crib` [world, points] those of the crib."""
        table = view.table
        rules = table.rules
        self._points = hands
        self._crib = crib
        self._order = [(seat, rules.side_of(seat)) for seat in from_left_of(table.dealer, rules.seats)]
        self._needed = np.array([rules.target - score for score in table.scores])
        self._side = rules.side_of(view.seat)
        self._dealing = rules.side_of(table.dealer)
        self._chances = chances

    def __call__(self, pegged: Ints, world: Ints, won: Ints) -> Floats:
        """The worth of each row; `won` is the side that has won, or -1."""
        needs = self._needed - pegged
        won = won.copy()
        for seat, side in self._order:
            needs[:, side] -= self._points[world, seat]
            won = np.where((won == NOBODY) & (needs[:, side] <= 0), side, won)
        chance = (won == self._side).astype(np.float64)
        going = np.flatnonzero(won == NOBODY)
        left = needs[going]
        dealing = self._chances.with_crib(
            left[:, self._dealing], left[:, 1 - self._dealing], self._crib[world[going]]
        )
        chance[going] = dealing if self._side == self._dealing else 1.0 - dealing
        return np.asarray(chance)
