"""Points that any two hands of four ranks peg with two players, between players simpler than experts.

No two hands come together often enough to learn from experts' deals what they peg. Simpler players play
without chance, so that all 3.3 million pairs of hands can be played out between them; and a hand that pegs
well there mostly pegs well between experts, too. Takes five minutes on one core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.computer.habits import habit_for
from engine.computer.making.dealing import NEVER
from engine.computer.numbers import Floats, Ints
from engine.computer.plays import Plays, Terms, play_by_habit
from engine.computer.ranks import RANKS, holdings
from engine.computer.search import Search
from engine.computer.tables import DEALER, OTHER
from engine.presets import TWO_HANDED


@dataclass(frozen=True, slots=True)
class Expected:
    """The points that hands of four ranks (`holdings(4)`) peg between such players."""

    margins: NDArray[np.int8]
    """[players, the dealer's hand, the other's]: the points by which the dealer pegs more if both play by
    habit; if the dealer sees both hands, and answers the other's habit as well as possible; and if the other
    does."""
    searched: Floats
    """[role, hand]: the points by which a player of that role pegs more, who sees only their own hand and
    answers the other's habit as well as possible."""

    def averages(self, keeps: Floats) -> Floats:
        """[players, role, hand]: the points by which it pegs more than the hands that the other `keeps`."""
        result = np.empty((len(self.margins), *keeps.shape))
        for hand in range(keeps.shape[1]):
            of_dealer, of_other = (each / each.sum() for each in _likely(keeps, hand))
            result[:, DEALER, hand] = self.margins[:, hand] @ of_other
            result[:, OTHER, hand] = -(self.margins[:, :, hand] @ of_dealer)
        return result


def expected(keeps: Floats) -> Expected:
    """The points of every hand, if hands are kept as often as `keeps` ([role, hand]) has it."""
    number = len(holdings(4))
    every = np.arange(number)
    margins = np.empty((3, number, number), dtype=np.int8)
    searched = np.empty((2, number))
    for hand in range(number):
        alike = np.full(number, hand)
        margins[0, hand] = margins_by_habit(alike, every)
        margins[1, hand] = margins_seeing(DEALER, alike, every)
        margins[2, hand] = margins_seeing(OTHER, alike, every)
        of_dealer, of_other = _likely(keeps, hand)
        searched[DEALER, hand] = margin_searched(DEALER, hand, of_other)
        searched[OTHER, hand] = margin_searched(OTHER, hand, of_dealer)
    return Expected(margins, searched)


def _likely(keeps: Floats, hand: int) -> Floats:
    """[role, hand]: how likely that role holds each hand beside somebody who holds this one."""
    four = holdings(4)
    return keeps * four.ways(np.full(RANKS, 4) - four.counts[hand])


def _plays(dealers: Ints, others: Ints) -> Plays:
    ranks = holdings(4).ranks
    hands = np.stack([ranks[dealers], ranks[others]], axis=1)
    return Plays(Terms.of(TWO_HANDED, (NEVER, NEVER)), hands, turn=OTHER)


def margins_by_habit(dealers: Ints, others: Ints) -> Ints:
    """The dealer's margins where both play by habit, for each two hands."""
    plays = _plays(dealers, others)
    for _ in play_by_habit(plays, habit_for(TWO_HANDED)):
        pass
    return _margin(plays.pegged)


def margins_seeing(role: int, dealers: Ints, others: Ints) -> Floats:
    """The dealer's margins where that role sees both hands: each row is a node of its own."""
    every = np.arange(len(dealers))
    won = _search(role, np.ones(len(every))).solve(_plays(dealers, others), every)
    return won if role == DEALER else -won


def margin_searched(role: int, hand: int, likely: Floats) -> float:
    """That role's average margin where it sees only its own hand: all rows are one node at first."""
    theirs = np.flatnonzero(likely)
    own, weights = np.full(len(theirs), hand), likely[theirs]
    plays = _plays(own, theirs) if role == DEALER else _plays(theirs, own)
    return float(np.average(_search(role, weights).solve(plays, np.zeros_like(theirs)), weights=weights))


def _search(role: int, weights: Floats) -> Search:
    def worth(pegged: Ints, world: Ints, won: Ints) -> Floats:  # noqa: ARG001 -- as `Worth` is called
        margin = _margin(pegged).astype(np.float64)
        return margin if role == DEALER else -margin

    return Search(role, habit_for(TWO_HANDED), weights, worth)


def _margin(pegged: Ints) -> Ints:
    return pegged[:, DEALER] - pegged[:, OTHER]
