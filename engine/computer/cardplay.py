"""The value of each playable card to the end of the play, averaged over the ways the cards may lie."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card, Cards
from engine.computer.chances import ScoreState
from engine.computer.discards_by_score import HiddenDiscards
from engine.computer.habits import habit_for
from engine.computer.memory import Memory, memory_of, pegged_in, ranks_left
from engine.computer.outcomes import ByChance, ByPoints, Hidden
from engine.computer.plays import NOBODY, Plays, Terms, follow_habit
from engine.computer.ranks import counts_by_rank, counts_of, holdings, number_of, rank_of
from engine.computer.search import Search
from engine.computer.suits import suited_points
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.throws import chances_of
from engine.computer.worlds import Guess, worlds_for
from engine.rules import MOST_USUAL_SEATS
from engine.seats import Side
from engine.views import PlayerView, TableView


def needs_of(table: TableView) -> tuple[int, ...]:
    """By side: the holes to its target."""
    return tuple(table.rules.target_of(Side(side)) - score for side, score in enumerate(table.scores))


@dataclass(frozen=True, slots=True)
class CardWorth:
    """A card that can be played, and its expected value. It is private and does not print."""

    card: Card = field(repr=False)
    worth: float
    """Points pegged by my side until the play is over less those of the others; or the chance to win."""


MOST_WORLDS = 600
"""Worlds considered with two players; half as many with three, a third with four. With four, twice as
many took more than 20 ms at the 95th percentile; with two, more do not win more games. Five and six players
play more cards in each world: with 120 and 80 worlds they take no longer than four with 200."""


def _most_worlds(seats: int) -> int:
    return MOST_WORLDS * MOST_USUAL_SEATS // ((seats - 1) * max(seats, MOST_USUAL_SEATS))


class Lookout:
    """One seat at one moment of the play, and the worlds that it considers."""

    def __init__(
        self, view: PlayerView, *, worlds: int, faith: float, by_score: bool, random: np.random.Generator
    ) -> None:
        """Considers at most `worlds` worlds; `faith` (0 to 1) is the belief that the others play by habit.

        `by_score` is true if the others are believed to discard by the chance to win, where it is known.
        """
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
        self._terms = Terms.of(rules, needs_of(table))
        if rules.low_wins:  # nobody keeps then what others would
            keeps = {seat: np.ones_like(each) for seat, each in keeps.items()}
        self._discards = self._hidden_discards() if by_score and rules.seats == 2 else None
        if self._discards is not None:
            keeps = {1 - view.seat: self._discards.keeps}
        most = min(worlds, _most_worlds(rules.seats))
        guess = Guess(self._terms.table, self._habit, faith)
        self.worlds = worlds_for(guess, self._memory, keeps, most, random)
        """The worlds that it considers, and how likely each is."""

    def by_points(self, *, win: float) -> tuple[CardWorth, ...]:
        """The value of each card in points, with `win` more for a game won in the play."""
        rules = self._view.table.rules
        return self._values(ByPoints(rules.side_of(self._view.seat), rules, win))

    def before_my_next(self) -> dict[Card, float]:
        """By card: the points pegged from it until I play again, as `by_points` counts them."""
        rules = self._view.table.rules
        worth = ByPoints(rules.side_of(self._view.seat), rules, win=0.0)
        begun = self._plays()
        every = np.arange(len(begun.world))
        cards = self._by_rank()
        weights = self.worlds.weights
        found: dict[Card, float] = {}
        for slot, rank in enumerate(begun.hands[0, self._view.seat].tolist()):
            if rank not in cards or cards[rank] in found:
                continue
            plays = begun.take(every)
            plays.play(every, np.full(len(every), slot))
            going = every
            while len(going := going[~plays.over(going) & (plays.turn[going] != self._view.seat)]):
                card, can, _ = follow_habit(plays, self._habit, going)
                plays.play(going[can], card[can])
                if not can.all():
                    plays.say_go(going[~can])
            pegged = worth(plays.pegged, plays.world, np.full(len(every), NOBODY))
            found[cards[rank]] = float(pegged @ weights / weights.sum())
        return found

    def by_chance(self) -> tuple[CardWorth, ...]:
        """The value of each card in chance to win; for tables of two sides."""
        table = self._view.table
        own = tuple(map(number_of, (*self._view.hand, *self._played_by(self._view.seat))))
        chances = chances_of(family_of(table.rules))
        return self._values(ByChance(self._view, self.worlds, own, chances, self.hidden()))

    def _played_by(self, seat: int) -> Cards:
        """The cards that the seat has played in this deal, in order."""
        table = self._view.table
        every = (each for series in (*table.past_series, table.series) for each in series)
        return tuple(each.card for each in every if each.seat == seat)

    def hidden(self) -> Hidden | None:
        """The likely suits and crib of the only opponent, where it discards by the chance to win."""
        view, table = self._view, self._view.table
        if self._discards is None or table.starter is None:
            return None
        other, seen = 1 - view.seat, self._memory.seen
        kept = self.worlds.kept[:, other]
        number = holdings(4).find(counts_by_rank(kept))
        kind, suited = suited_points(kept, self._played_by(other), table.starter, seen, table.rules)
        crib = self._discards.crib(number, self.worlds.weights, view.discarded, table.starter, seen)
        held = self._memory.kept[other] - len(self._memory.played_by(other))
        return Hidden(kind, suited, crib, held)

    def _hidden_discards(self) -> HiddenDiscards:
        """The discards that the only opponent may have made at its score before the deal."""
        table = self._view.table
        rules, other = table.rules, 1 - self._view.seat
        pegged = pegged_in(table, self._terms.table)
        needs = [  # points that somebody missed would make it more than the target
            min(rules.target - score + points, rules.target)
            for score, points in zip(table.scores, pegged, strict=True)
        ]
        score = ScoreState(needs[other], needs[1 - other], dealing=other == table.dealer)
        played = counts_of(list(self._memory.played_by(other)))
        left = np.array(ranks_left(self._memory.seen), dtype=np.intp) + played
        return HiddenDiscards.of(family_of(rules), score, left)

    def _values(self, worth: ByPoints | ByChance) -> tuple[CardWorth, ...]:
        cards = self._by_rank()
        values = Search(self._view.seat, self._habit, self.worlds.weights, worth).values(self._plays())
        return tuple(CardWorth(cards[rank], value) for rank, value in values.items())

    def _plays(self) -> Plays:
        """The play as it stands, a row for each world."""
        table = self._view.table
        return Plays(
            self._terms,
            self.worlds.held,
            turn=self._view.seat,
            series=self._terms.table.number([rank_of(each.card) for each in table.series]),
            said_go=tuple(table.said_go),
            last=table.series[-1].seat if table.series else NOBODY,
        )

    def _by_rank(self) -> dict[int, Card]:
        """My playable cards, one of each rank."""
        return {rank_of(each): each for each in reversed(self._view.legal_moves.playable)}
