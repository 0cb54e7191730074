"""The value of each playable card to the end of the play, averaged over the ways the cards may lie."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card
from engine.computer.habits import habit_for
from engine.computer.memory import Memory, memory_of
from engine.computer.outcomes import ByChance, ByPoints
from engine.computer.plays import NOBODY, Plays, Terms
from engine.computer.ranks import number_of, rank_of
from engine.computer.search import Search
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.throws import chances_of
from engine.computer.worlds import Guess, worlds_for
from engine.views import PlayerView


@dataclass(frozen=True, slots=True)
class CardWorth:
    """A card that can be played, and its expected value. It is private and does not print."""

    card: Card = field(repr=False)
    worth: float
    """Points pegged by my side until the play is over less those of the others; or the chance to win."""


MOST_WORLDS = 600
"""Worlds considered with two players; half as many with three, a third with four. With four, twice as
many took more than 20 ms at the 95th percentile; with two, more do not win more games."""


class Lookout:
    """One seat at one moment of the play, and the worlds that it considers."""

    def __init__(self, view: PlayerView, *, worlds: int, faith: float, random: np.random.Generator) -> None:
        """Considers at most `worlds` worlds; `faith` (0 to 1) is the belief that the others play by habit."""
        table = view.table
        rules = table.rules
        self._view = view
        self._memory: Memory = memory_of(view)
        discards = discarding_of(family_of(rules))
        keeps = {
            seat: discards.keeps[DEALER if seat == table.dealer else OTHER]
            for seat in range(rules.seats)
            if seat != view.seat
        }
        self._habit = habit_for(rules)
        self._terms = Terms.of(rules, tuple(rules.target - score for score in table.scores))
        most = min(worlds, MOST_WORLDS // (rules.seats - 1))
        guess = Guess(self._terms.table, self._habit, faith)
        self._worlds = worlds_for(guess, self._memory, keeps, most, random)

    def by_points(self, *, win: float) -> tuple[CardWorth, ...]:
        """The value of each card in points, with `win` more for a game won in the play."""
        rules = self._view.table.rules
        return self._values(ByPoints(rules.side_of(self._view.seat), rules.sides, win))

    def by_chance(self) -> tuple[CardWorth, ...]:
        """The value of each card in chance to win; for tables of two sides."""
        table = self._view.table
        own = [number_of(each) for each in self._view.hand]
        own += [
            number_of(each.card)
            for series in (*table.past_series, table.series)
            for each in series
            if each.seat == self._view.seat
        ]
        chances = chances_of(family_of(table.rules))
        return self._values(ByChance(self._view, self._worlds, tuple(own), chances))

    def _values(self, worth: ByPoints | ByChance) -> tuple[CardWorth, ...]:
        table = self._view.table
        plays = Plays(
            self._terms,
            self._worlds.held,
            turn=self._view.seat,
            series=self._terms.table.number([rank_of(each.card) for each in table.series]),
            said_go=tuple(table.said_go),
            last=table.series[-1].seat if table.series else NOBODY,
        )
        values = Search(self._view.seat, self._habit, self._worlds.weights, worth).values(plays)
        cards = {rank_of(each): each for each in reversed(self._view.legal_moves.playable)}
        return tuple(CardWorth(cards[rank], value) for rank, value in values.items())
