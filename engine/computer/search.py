"""Looks ahead in the play to the end of the deal, over many worlds at once.

A world is one way in which the cards that I do not see may lie. In each world the others play by a `Habit`. I
choose what is best on average over the worlds that look the same to me, and never by what I cannot know: rows
of different worlds in which I have seen the same are one node (an information set), and a node has one
choice. All rows of all worlds move together, by lookups in arrays; a lead with a hundred worlds has some two
thousand rows.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.computer.numbers import Flags, Floats, Habit, Ints
from engine.computer.plays import Plays, follow_habit
from engine.computer.ranks import NO_RANK

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd multiplier that spreads the hash of what I have seen over 64 bits."""
_START = np.uint64(0xD1B54A32D192ED03)
"""The hash before anything is seen: with 0, an ace would collide with the choice of another card."""
_GO = np.uint64(NO_RANK + 1)


class Worth(Protocol):
    """The value to me of an end of the play."""

    def __call__(self, pegged: Ints, world: Ints, won: Ints) -> Floats:
        """The value of each row, by its points by side, its world, and the side that has won, or -1."""
        ...


class Search:
    """Looks ahead for one seat."""

    def __init__(self, me: int, habit: Habit, weights: Floats, worth: Worth) -> None:
        """`weights` are relative weights of the worlds, each above 0."""
        self._me = me
        self._habit = habit
        self._weights = weights
        self._worth = worth

    def values(self, plays: Plays) -> dict[int, float]:
        """The value of each rank that I can play now. It is my turn in every row, with the same hand."""
        here = np.zeros(len(plays.world), dtype=np.intp)
        values, _ = self._choose(plays, here, 1)
        hand = plays.hands[0, self._me]
        return {int(hand[slot]): float(values[0, slot]) for slot in range(4) if values[0, slot] > -np.inf}

    def solve(self, plays: Plays, known: Ints) -> Floats:
        """The value of each row when I play on as well as I can. It plays the rows.

        Rows of the same `known` look the same to me, until I see something else in them.
        """
        return self._solve(plays, known.astype(np.uint64) * _MIX + _START)

    def _choose(self, plays: Plays, node: Ints, nodes: int) -> tuple[Floats, Floats]:
        """The value of each slot of my hand at each node, and the value of each row with the best of them."""
        parent, slot = np.nonzero(self._choices(plays))
        children = plays.take(parent)
        children.play(np.arange(len(parent)), slot)
        place = node[parent] * 4 + slot
        values = self._solve(children, place.astype(np.uint64) * _MIX + _START)
        weights = self._weights[children.world]
        total = np.bincount(place, weights=weights * values, minlength=4 * nodes).reshape(nodes, 4)
        mass = np.bincount(place, weights=weights, minlength=4 * nodes).reshape(nodes, 4)
        average = np.full((nodes, 4), -np.inf)
        np.divide(total, mass, out=average, where=mass > 0)
        chosen = slot == average.argmax(axis=1)[node[parent]]
        result = np.full(len(plays.world), np.nan)
        result[parent[chosen]] = values[chosen]
        return average, result

    def _choices(self, plays: Plays) -> Flags:
        """[row, slot]: true if I can play from it; of cards of one rank only the first."""
        hand = plays.hands[:, self._me]
        can = plays.terms.table.playable[plays.series[:, None], hand]
        for slot in range(1, 4):
            for earlier in range(slot):
                can[:, slot] &= hand[:, slot] != hand[:, earlier]
        return can

    def _solve(self, plays: Plays, seen: NDArray[np.uint64]) -> Floats:
        """The value of each row when I play on as well as I can."""
        seen = self._advance(plays, seen)
        every = np.arange(len(plays.world))
        over = plays.over(every)
        result = np.empty(len(every))
        ended = every[over]
        result[ended] = self._worth(plays.pegged[ended], plays.world[ended], plays.won[ended])
        going = every[~over]
        if len(going):
            different, node = np.unique(seen[going], return_inverse=True)
            _, result[going] = self._choose(plays.take(going), node, len(different))
        return result

    def _advance(self, plays: Plays, seen: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Plays on by habit, and for me where I have no choice, until I must choose or all is played."""
        going = np.arange(len(plays.world))
        while True:
            going = going[~plays.over(going)]
            if not len(going):
                return seen
            slot, can, rank = follow_habit(plays, self._habit, going)
            moving = ~((plays.turn[going] == self._me) & can & (plays.left[going, self._me] > 1))
            if not moving.all():
                going, slot, can, rank = going[moving], slot[moving], can[moving], rank[moving]
            seen[going] = seen[going] * _MIX + np.where(can, rank.astype(np.uint64), _GO) + np.uint64(1)
            plays.play(going[can], slot[can])
            if not can.all():
                plays.say_go(going[~can])
