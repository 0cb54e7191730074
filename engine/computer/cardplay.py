"""The value of each playable card to the end of the play, averaged over the ways the cards may lie."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card
from engine.computer.chances import MOST_POINTS
from engine.computer.habits import habit_for
from engine.computer.known_crib import OpponentsCards, crib_by_pair, crib_of_partners
from engine.computer.memory import Memory, memory_of
from engine.computer.numbers import Floats, Ints, Ranks, Shares
from engine.computer.outcomes import ByChance, ByPoints
from engine.computer.plays import NOBODY, Plays, Terms
from engine.computer.ranks import counts_by_rank, holdings, number_of, rank_of
from engine.computer.scorer import Scorer
from engine.computer.search import Search
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.throws import chances_of
from engine.computer.worlds import Guess, with_suits, worlds_for
from engine.views import PlayerView

_PACK = np.arange(52, dtype=np.uint8)


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

    def __init__(
        self, view: PlayerView, *, worlds: int, faith: float, by_score: bool, random: np.random.Generator
    ) -> None:
        """Considers at most `worlds` worlds; `faith` (0 to 1) is the belief in their play.

        With `by_score`, where the chances to win are known, a single opponent is expected to have discarded
        as the score asks for.
        """
        table = view.table
        rules = table.rules
        self._view = view
        self._memory: Memory = memory_of(view)
        self._random = random
        self._opponent = OpponentsCards(view, self._memory) if by_score and rules.seats == 2 else None
        discards = discarding_of(family_of(rules))
        if self._opponent:
            keeps = {1 - view.seat: self._opponent.keeps()}
        else:
            keeps = {
                seat: discards.keeps[DEALER if seat == table.dealer else OTHER]
                for seat in range(rules.seats)
                if seat != view.seat
            }
        self._habit = habit_for(rules)
        self._terms = Terms.of(rules, tuple(rules.target - score for score in table.scores))
        most = min(worlds, MOST_WORLDS // (rules.seats - 1))
        # The leads are those of standard scoring.
        leads = discards.leads if len(discards.leads) and rules.pairs_in_play and rules.runs_in_play else None
        guess = Guess(self._terms.table, self._habit, faith, leads)
        self._worlds = worlds_for(guess, self._memory, keeps, most, random)

    def by_points(self, *, win: float) -> tuple[CardWorth, ...]:
        """The value of each card in points, with `win` more for a game won in the play."""
        rules = self._view.table.rules
        return self._values(ByPoints(rules.side_of(self._view.seat), rules.sides, win))

    def by_chance(self) -> tuple[CardWorth, ...]:
        """The value of each card in chance to win; for tables of two sides."""
        table = self._view.table
        chances = chances_of(family_of(table.rules))
        unseen = np.setdiff1d(_PACK, [number_of(each) for each in self._memory.seen])
        return self._values(ByChance(self._view, self._hands(unseen), self._crib(unseen), chances))

    def _hands(self, unseen: Ranks) -> Ints:
        """[world, seat]: the points of each hand, with suits drawn for the cards that I do not see."""
        table = self._view.table
        assert table.starter is not None, "there is a starter before there is a play"
        hands = with_suits(self._worlds, unseen, self._random)
        shown: list[list[int]] = [[] for _ in self._memory.kept]
        for series in (*table.past_series, table.series):
            for each in series:
                shown[each.seat].append(number_of(each.card))
        for seat, played in enumerate(shown):
            held = self._memory.kept[seat] - len(played)
            if seat == self._view.seat:
                hands[:, seat, :held] = [number_of(each) for each in self._view.hand]
            hands[:, seat, held:] = played
        starter = np.full(hands.shape[:2], number_of(table.starter), dtype=np.uint8)
        return Scorer(table.rules).points(hands, starter).astype(np.intp)

    def _crib(self, unseen: Ranks) -> Floats | Shares:
        """[world, points]: the distribution of the crib's points."""
        if self._opponent:
            kept = self._worlds.kept[:, 1 - self._view.seat]
            crib = self._opponent.given(holdings(4).find(counts_by_rank(kept))) @ crib_by_pair(
                self._view, unseen
            )
        else:
            crib = np.broadcast_to(
                crib_of_partners(self._view, unseen), (len(self._worlds.weights), MOST_POINTS)
            )
        return np.ascontiguousarray(crib[:, : np.flatnonzero(crib.any(axis=0))[-1] + 1])

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
