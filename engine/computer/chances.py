"""The chance to win at each score, for two sides.

The tables have the chance before a deal. From it follow backwards the chance before the crib is counted, and
the value of each end of the play when the hands are known. The hands of the dealer's opponents are counted
first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.computer.numbers import Floats, Ints
from engine.computer.tables import FARTHEST, Course

MOST_POINTS = 30
"""Limit of the points of a hand or crib, exclusive."""

_PAST = 100
"""Holes past home in the arrays, so that no index leaves them."""


@dataclass(frozen=True, slots=True)
class ScoreState:
    """The holes that each side still needs."""

    mine: int
    theirs: int
    dealing: bool
    """True if the crib is my side's."""


class Chances:
    """The chance to win at a table of two sides."""

    def __init__(self, course: Course, *, partners: bool) -> None:
        self._course = course
        after = np.zeros((FARTHEST + _PAST + 1, FARTHEST + _PAST + 1))
        home = _PAST + 1
        # Index `need + _PAST`: a side that needs nothing or less has won, the dealer's side counting last.
        after[:home, :] = 1.0
        after[:, :home] = 0.0
        after[home:, home:] = 1.0 - course.win[1:, 1:].T
        self.after_deal = after
        """The chance of the dealer's side after the deal, before the next one, by the needs of both sides."""
        crib = np.zeros_like(after)
        for points, chance in enumerate(course.crib):
            crib += chance * _closer(after, points)
        self.before_crib = _decided(crib)
        self._partners = partners

    def after_hands(self, dealers: Ints, others: Ints) -> Floats:
        """The chance of the dealer's side before its crib, by the holes that both need."""
        row, column = (np.maximum(need, -_PAST) + _PAST for need in (dealers, others))
        return np.asarray(self.before_crib[row, column])

    def after_hands_with(self, crib: Floats | None, dealers: int, others: int) -> Floats:
        """[dealers' need, others' need]: `after_hands` for all needs up to these, with that crib.

        `crib` is the distribution of the crib's points, as usual by default.
        """
        home = slice(_PAST, _PAST + others + 1)
        if crib is None:
            return self.before_crib[_PAST : _PAST + dealers + 1, home]
        need = np.arange(_PAST, _PAST + dealers + 1)
        table = np.zeros((dealers + 1, others + 1))
        for points, chance in enumerate(crib):
            if chance:
                table += chance * self.after_deal[np.maximum(need - points, 0), home]
        table[0, :] = 1.0
        table[:, 0] = 0.0  # the dealer counts last
        return table

    def after_crib(self, dealers: Ints, others: Ints) -> Floats:
        """The chance of the dealer's side when all is counted, by the holes that both need."""
        row, column = (np.maximum(need, -_PAST) + _PAST for need in (dealers, others))
        return np.asarray(self.after_deal[row, column])

    def by_hand_and_crib(self, now: ScoreState) -> Floats:
        """The chance to win before the play, for my hand's points (row) and the crib's (column)."""
        course = self._course
        mine, theirs = (0, 1) if now.dealing else (1, 0)
        my_pegs, their_pegs = course.pegs[mine], course.pegs[theirs]
        my_partner = course.hands[1] if self._partners else None
        their_hands = course.hands[theirs]
        if self._partners:
            my_pegs = np.convolve(my_pegs, my_pegs)
            their_pegs = np.convolve(their_pegs, their_pegs)
            their_hands = np.convolve(their_hands, course.hands[1])
        if my_partner is not None:
            my_pegs = np.convolve(my_pegs, my_partner)
        if now.dealing:
            return self._for_dealer(now, my_pegs, their_pegs, their_hands)
        return self._for_other(now, my_pegs, their_pegs, their_hands)

    def _for_dealer(
        self, now: ScoreState, my_pegs: Floats, their_pegs: Floats, their_hands: Floats
    ) -> Floats:
        reach = 2 * MOST_POINTS
        gained = np.convolve(their_pegs, their_hands)
        needs = np.maximum(now.theirs - np.arange(len(gained)), 0)
        mine = now.mine - np.arange(reach + len(my_pegs))
        grid = self.after_deal[np.maximum(mine, -_PAST)[:, None] + _PAST, needs[None, :] + _PAST]
        by_gain = grid @ gained
        by_total = np.correlate(by_gain, my_pegs, mode="valid")
        index = np.arange(MOST_POINTS)
        return np.asarray(by_total[index[:, None] + index[None, :]])

    def _for_other(self, now: ScoreState, my_pegs: Floats, their_pegs: Floats, their_hands: Floats) -> Floats:
        hidden = np.convolve(their_pegs, their_hands)
        mine = now.mine - np.arange(MOST_POINTS + len(my_pegs))
        theirs = now.theirs - np.arange(MOST_POINTS + len(hidden))
        grid = (
            1.0
            - self.after_deal[
                np.maximum(theirs, -_PAST)[None, :] + _PAST, np.maximum(mine, 1)[:, None] + _PAST
            ]
        )
        by_crib = np.array(
            [grid[:, points : points + len(hidden)] @ hidden for points in range(MOST_POINTS)]
        ).T
        by_crib[mine <= 0] = float(their_pegs[: max(now.theirs, 0)].sum())
        return np.array([my_pegs @ by_crib[points : points + len(my_pegs)] for points in range(MOST_POINTS)])


def _closer(table: Floats, points: int) -> Floats:
    """The table with the dealer's side `points` holes nearer home in each row."""
    return table[np.maximum(np.arange(len(table)) - points, 0)]


def _decided(table: Floats) -> Floats:
    home = _PAST + 1
    table[:home, :] = 1.0
    table[:, :home] = 0.0  # the dealer counts last
    return table
