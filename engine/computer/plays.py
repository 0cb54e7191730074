"""Many plays at once: the rules of the play on arrays, one row for each play under way.

The rules are those of `engine.rulings`; a test plays the same cards by both and compares every peg. A row in
which the game is won does not change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.computer.numbers import Flags, Habit, Ints, Ranks
from engine.computer.ranks import NO_RANK
from engine.computer.series import SeriesTable, table_for
from engine.pegging import THIRTY_ONE
from engine.rules import GoScoring, Rules
from engine.seats import Seat

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Terms:
    """The constants of all plays at one table."""

    seats: int
    sides: int
    side_of: Ints
    at_call: bool
    last_at_thirty_one: int
    play_out: bool
    """True if all cards are played, false if only the first count is."""
    needed: Ints
    """By side: the points to its target."""
    table: SeriesTable

    @classmethod
    def of(cls, rules: Rules, needed: tuple[int, ...]) -> Terms:
        """The terms of a table where the sides need the points in `needed`."""
        return cls(
            seats=rules.seats,
            sides=rules.sides,
            side_of=np.array([rules.side_of(Seat(seat)) for seat in range(rules.seats)]),
            at_call=rules.go_scoring is GoScoring.AT_CALL,
            last_at_thirty_one=int(rules.thirty_one_plus_last),
            play_out=rules.play_out,
            needed=np.array(needed),
            table=table_for(rules),
        )


class Plays:
    """Plays under way. `hands` has four ranks for each row and seat, `NO_RANK` where a card is gone."""

    __slots__ = ("hands", "last", "left", "pegged", "said", "series", "terms", "turn", "won", "world")

    def __init__(
        self,
        terms: Terms,
        hands: Ranks,
        *,
        turn: int | Ints,
        series: int = 0,
        said_go: tuple[int, ...] = (),
        last: int = NOBODY,
    ) -> None:
        rows = len(hands)
        self.terms = terms
        self.hands = hands.copy()
        self.left = (hands != NO_RANK).sum(axis=2)
        self.series = np.full(rows, series, dtype=np.int32)
        self.turn = np.broadcast_to(np.asarray(turn, dtype=np.intp), rows).copy()
        """The seat that plays or says go; `NOBODY` when the play is over."""
        self.last = np.full(rows, last, dtype=np.intp)
        self.said = np.zeros((rows, terms.seats), dtype=np.bool_)
        self.said[:, list(said_go)] = True
        self.pegged = np.zeros((rows, terms.sides), dtype=np.intp)
        """By side: the points pegged since the beginning."""
        self.won = np.full(rows, NOBODY, dtype=np.intp)
        """The side that has reached its target, or `NOBODY`: it has won, or lost where low wins."""
        self.world = np.arange(rows)
        """The row from which each began."""

    def take(self, which: Ints) -> Plays:
        """Copies of those rows; a row may be taken more than once."""
        taken = object.__new__(Plays)
        taken.terms = self.terms
        for name in self.__slots__:
            if name != "terms":
                setattr(taken, name, getattr(self, name)[which])
        return taken

    def over(self, which: Ints) -> Flags:
        """True for each row in which nothing is left to play."""
        return np.asarray((self.turn[which] < 0) | (self.won[which] >= 0))

    def play(self, which: Ints, slot: Ints) -> None:
        """In those rows, the seat to play plays the card in that slot, which must be playable."""
        terms = self.terms
        seat = self.turn[which]
        before = self.series[which]
        rank = self.hands[which, seat, slot]
        last_before = self.last[which]
        self.hands[which, seat, slot] = NO_RANK
        self.left[which, seat] -= 1
        self.series[which] = terms.table.after[before, rank]
        self.last[which] = seat
        points = terms.table.points[before, rank].astype(np.intp)
        self._peg(which, seat, points)
        following = self._next(which, seat)
        if terms.at_call:
            others_done = (following == seat) | (following < 0)
            comes_alone = self.said[which].any(axis=1) & others_done & (last_before != seat)
            self._peg(which, seat, comes_alone.astype(np.intp))
        self._pass_on(which, following)

    def say_go(self, which: Ints) -> None:
        """In those rows, the seat to play has no playable card and says go."""
        seat = self.turn[which]
        self.said[which, seat] = True
        following = self._next(which, seat)
        if self.terms.at_call:
            last = self.last[which]
            self._peg(which, last, ((following == last) | (following < 0)).astype(np.intp))
        self._pass_on(which, following)

    def _next(self, which: Ints, seat: Ints) -> Ints:
        """The first seat to the left that holds cards and has not said go; it may be `seat` itself."""
        seats = self.terms.seats
        asked = (self.left[which] > 0) & ~self.said[which]
        if seats == 2:
            every = np.arange(len(which))
            other = 1 - seat
            return np.where(asked[every, other], other, np.where(asked[every, seat], seat, NOBODY))
        result = np.full(len(which), NOBODY)
        every = np.arange(len(which))
        for step in range(seats, 0, -1):
            other = (seat + step) % seats
            result = np.where(asked[every, other], other, result)
        return result

    def _pass_on(self, which: Ints, following: Ints) -> None:
        """The turn passes, or the count ends: at thirty-one, or when nobody can play on."""
        terms = self.terms
        last = self.last[which]
        series = self.series[which]
        full = terms.table.count[series] == THIRTY_ONE
        alone = following == last
        if alone.any():
            hand = self.hands[which, last]
            alone &= ~terms.table.playable[series[:, None], hand].any(axis=1)
        ended = full | (following < 0) | alone
        self.turn[which] = following
        if ended.any():
            self._end_count(which[ended], last[ended], full[ended])

    def _end_count(self, which: Ints, last: Ints, full: Flags) -> None:
        terms = self.terms
        if terms.at_call:
            without = ~(self.left[which] > 0).any(axis=1)
            points = np.where(full, terms.last_at_thirty_one, without)
        else:
            points = np.where(full, terms.last_at_thirty_one, 1)
        self._peg(which, last, points)
        self.series[which] = 0
        self.said[which] = False
        self.turn[which] = self._next(which, last) if terms.play_out else NOBODY

    def _peg(self, which: Ints, seat: Ints, points: Ints) -> None:
        """Pegs points, unless the game is won."""
        side = self.terms.side_of[seat]
        open_ = self.won[which] < 0
        pegged = self.pegged[which, side] + points * open_
        self.pegged[which, side] = pegged
        reached = open_ & (pegged >= self.terms.needed[side])
        if reached.any():
            self.won[which[reached]] = side[reached]


def follow_habit(plays: Plays, habit: Habit, going: Ints) -> tuple[Ints, Flags, Ranks]:
    """For the seat to play: the slot of its card by habit, true if it can play one, and the card's rank."""
    hand = plays.hands[going, plays.turn[going]]
    willing = habit[plays.series[going][:, None], hand]
    slot = willing.argmax(axis=1)
    every = np.arange(len(going))
    return slot, willing[every, slot] > -np.inf, hand[every, slot]


def play_by_habit(plays: Plays, habit: Habit) -> Iterator[None]:
    """Plays every row to its end, all seats by habit; yields after each step, a card or a go in each row."""
    going = np.arange(len(plays.world))
    while len(going):
        slot, can, _ = follow_habit(plays, habit, going)
        plays.play(going[can], slot[can])
        if not can.all():
            plays.say_go(going[~can])
        yield
        going = going[~plays.over(going)]
