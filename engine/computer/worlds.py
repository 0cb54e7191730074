"""The hands that the others may hold, and the likelihood of each.

A hand's weight is the frequency with which a good player keeps it (`Discards.keeps`), times the ways to hold
it with the cards that are left. It has the cards played, and none that a go rules out; the weight rises with
the agreement of the plays so far with the habit that the search expects of the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.computer.memory import Memory, ranks_left
from engine.computer.numbers import Floats, Habit, Ints, Ranks
from engine.computer.ranks import NO_RANK, PIPS, RANKS, counts_of, holdings, rank_of, ways_to_take
from engine.computer.series import SeriesTable
from engine.pegging import THIRTY_ONE


@dataclass(frozen=True, slots=True)
class Worlds:
    """Some ways in which the cards may lie. Rows of ranks are filled up with `NO_RANK`."""

    held: Ranks
    """[world, seat]: the ranks that the seat still holds."""
    kept: Ranks
    """[world, seat]: the ranks of its whole hand, played ones included."""
    weights: Floats
    """The relative likelihood of each world."""


class Guess:
    """Makes worlds from one seat's memory."""

    def __init__(self, table: SeriesTable, habit: Habit, faith: float) -> None:
        """`faith` (0 to 1) is the belief that others play by the habit."""
        self._table = table
        self._habit = habit
        self._doubt = 1.0 - faith

    def hands_of(self, seat: int, memory: Memory, keeps: Floats, left: Ints) -> tuple[Ranks, Floats]:
        """The sets of ranks that `seat` may still hold, and the weight of each."""
        played = memory.played_by(seat)
        size = memory.kept[seat] - len(played)
        some = holdings(size)
        weights = some.ways(left)
        whole = holdings(memory.kept[seat])
        numbers = whole.find(some.counts + counts_of(list(played))[None, :])
        if memory.kept[seat] == 4:
            weights = weights * keeps[numbers]
        for who, count in memory.stuck:
            if who == seat:  # nor did the cards that it has played since
                weights = weights * (count + PIPS[some.ranks] > THIRTY_ONE).all(axis=1)
        weights = weights * self._likeness(seat, memory, some.ranks)
        return some.ranks, weights

    def _likeness(self, seat: int, memory: Memory, ranks: Ranks) -> Floats:
        """The likelihood of the seat's plays with each hand."""
        likeness = np.ones(len(ranks))
        played = list(memory.played_by(seat))
        if self._doubt >= 1.0:
            return likeness
        for act in memory.acts:
            if act.seat != seat or act.rank is None:
                continue
            habit = self._habit[self._table.number(act.before)]
            others = played[1:]
            own = habit[act.rank]
            best = habit[ranks].max(axis=1, initial=-np.inf)
            if others:
                best = np.maximum(best, habit[others].max())
            likeness *= np.where(own >= best, 1.0, self._doubt)
            played = others
        return likeness


def drawn(weights: Floats, number: int, random: np.random.Generator) -> tuple[Ints, Floats]:
    """At most `number` of the weighted rows, by systematic sampling, and their new weights.

    All of them, with their own weights, if there are no more than `number`.
    """
    possible = np.flatnonzero(weights > 0)
    if len(possible) <= number:
        return possible, weights[possible]
    along = np.cumsum(weights[possible])
    points = (np.arange(number) + random.random()) * (along[-1] / number)
    chosen, times = np.unique(np.searchsorted(along, points), return_counts=True)
    return possible[chosen], times.astype(np.float64)


def worlds_for(
    guess: Guess, memory: Memory, keeps: dict[int, Floats], number: int, random: np.random.Generator
) -> Worlds:
    """At most `number` worlds; all, if there are fewer.

    `keeps` has by other seat the frequency with which it keeps each hand.
    """
    left = np.array(ranks_left(memory.seen), dtype=np.intp)
    seats = len(memory.kept)
    me, mine = memory.me, [rank_of(each) for each in memory.hand]
    likely = {seat: guess.hands_of(seat, memory, keeps[seat], left) for seat in range(seats) if seat != me}
    if seats == 2:
        ranks, weights = likely[1 - me]
        which, weights = drawn(weights, number, random)
        picked = {1 - me: ranks[which]}
    else:
        picked, weights = _together(likely, left, number, random)
    held = np.full((len(weights), seats, 4), NO_RANK, dtype=np.uint8)
    held[:, me, : len(mine)] = mine
    for seat, ranks in picked.items():
        held[:, seat, : ranks.shape[1]] = ranks
    kept = held.copy()
    for seat in range(seats):
        played = memory.played_by(seat)
        kept[:, seat, memory.kept[seat] - len(played) : memory.kept[seat]] = played
    return Worlds(held, kept, weights)


def _together(
    likely: dict[int, tuple[Ranks, Floats]],
    left: Ints,
    number: int,
    random: np.random.Generator,
) -> tuple[dict[int, Ranks], Floats]:
    """Hands for several seats, drawn independently; the weight corrects for cards that they share."""
    picked: dict[int, Ranks] = {}
    weights = np.ones(number)
    taken = np.zeros((number, RANKS), dtype=np.intp)
    for seat, (ranks, chance) in likely.items():
        total = chance.sum()
        which = random.choice(len(ranks), size=number, p=chance / total)
        counts = np.stack([(ranks[which] == rank).sum(axis=1) for rank in range(RANKS)], axis=1)
        alone = ways_to_take(np.broadcast_to(left, counts.shape), counts)
        weights = weights * ways_to_take(np.maximum(left - taken, 0), counts) / np.maximum(alone, 1)
        taken += counts
        picked[seat] = ranks[which]
    possible = np.flatnonzero(weights > 0)
    if not len(possible):  # none fit together: each by itself is better than nothing
        return picked, np.ones(number)
    return {seat: ranks[possible] for seat, ranks in picked.items()}, weights[possible]
