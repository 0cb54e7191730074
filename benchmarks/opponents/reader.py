"""A player that knows the expert exactly, and reads its hand from its cards.

It plays as the expert does, but weighs the hands that the opponent may hold by the expert's own play: a hand
from which the expert would have played another card hardly counts. For that it plays the deal again with each
of `_HANDS` hands. The opponent's next cards it expects by habit, as the expert does: asking the expert there,
too, would take a minute a card. Two players only.
"""

from __future__ import annotations

from random import Random

import numpy as np

from benchmarks.opponents.known_deals import dealt
from engine import (
    PACK,
    Card,
    Cards,
    Discard,
    Game,
    OwnMove,
    PlayCard,
    PlayerView,
    Stage,
    left_of,
)
from engine.computer import SKILLS, Level, choose_with
from engine.computer.cardplay import Lookout, needs_of
from engine.computer.memory import pegged_in
from engine.computer.player import has_chances
from engine.computer.ranks import counts_of, holdings, rank_of
from engine.computer.series import table_for
from engine.computer.worlds import Worlds, drawn

_HANDS = 40
"""Hands that are weighed at a card; each takes the expert's time for all cards of the opponent so far."""
_DOUBT = 0.02
"""Likelihood of a hand from which the expert would have played another card, so that some hand is left."""
_EXPERT = SKILLS[Level.EXPERT]


def reader(view: PlayerView, *, seed: int) -> OwnMove:
    """The move that it makes against an expert with that seed."""
    kinds, table = view.legal_moves.kinds, view.table
    ranks = {each.rank for each in view.legal_moves.playable}
    opponent = 1 - view.seat
    has_played = any(
        each.seat == opponent for series in (*table.past_series, table.series) for each in series
    )
    if PlayCard not in kinds or len(ranks) < 2 or not has_played:
        return choose_with(view, _EXPERT, seed=seed)
    random = np.random.default_rng([seed, *table.scores, len(view.hand)])
    lookout = Reading(view, seed=seed, random=random)
    worths = lookout.by_chance() if has_chances(table) else lookout.by_points(win=0.0)
    return PlayCard(view.seat, max(worths, key=lambda each: each.worth).card)


class Reading(Lookout):
    """The expert's look ahead, over hands weighed by its own play."""

    def __init__(self, view: PlayerView, *, seed: int, random: np.random.Generator) -> None:
        super().__init__(view, worlds=_EXPERT.worlds, faith=_EXPERT.faith, by_score=True, random=random)
        worlds, opponent = self.worlds, 1 - view.seat
        which, weights = drawn(worlds.weights, _HANDS, random)
        chance = Random(seed)
        kept = worlds.kept[which, opponent]
        fits = [self.would_have_played(hand.tolist(), chance, seed) for hand in kept]
        weights = weights * np.where(fits, 1.0, _DOUBT)
        self.worlds = Worlds(worlds.held[which], worlds.kept[which], weights)

    def would_have_played(self, ranks: list[int], random: Random, seed: int) -> bool:
        """True if the expert with cards of these ranks would have played as the opponent has."""
        view = self._view
        table, opponent = view.table, left_of(view.seat, 2)
        played = [each for series in (*table.past_series, table.series) for each in series]
        theirs = [each.card for each in played if each.seat == opponent]
        free = [each for each in PACK if each not in self._memory.seen and each not in view.discarded]
        random.shuffle(free)
        for card in theirs:
            ranks.remove(rank_of(card))
        kept = theirs + [_taken(free, rank) for rank in ranks]
        given = self._given(kept, free, random)
        game = _dealt(view, (*kept, *given), random)
        game.apply(Discard(view.seat, view.discarded))
        game.apply(Discard(opponent, tuple(given)))
        _play_on(game)
        for each in played:
            if each.seat == opponent:
                move = choose_with(game.view(opponent), _EXPERT, seed=seed)
                if not isinstance(move, PlayCard) or move.card.rank is not each.card.rank:
                    return False
            game.apply(PlayCard(each.seat, each.card))
            _play_on(game)
        return True

    def _given(self, kept: list[Card], free: list[Card], random: Random) -> list[Card]:
        """Two cards that the expert would have discarded with these four, taken from the `free` ones."""
        if self._discards is None:
            return [free.pop(), free.pop()]
        number = holdings(4).find(counts_of(list(map(rank_of, kept)))[None, :])[0]
        weights = self._discards.weights[:, number].tolist()
        two = holdings(2).ranks[random.choices(range(len(weights)), weights)[0]]
        return [_taken(free, int(rank)) for rank in two]


def _taken(free: list[Card], rank: int) -> Card:
    """A card of that rank, taken from the free ones."""
    place = next(place for place, each in enumerate(free) if rank_of(each) == rank)
    return free.pop(place)


def _play_on(game: Game) -> None:
    """Make the moves that are no choice: the cut, and gos."""
    while not game.is_over and game.table.stage in {Stage.CUTTING, Stage.PLAYING}:
        moves = game.legal_moves(game.table.waiting_for[0])
        if PlayCard in moves.kinds:
            return
        game.apply(moves.moves[-1])  # the last of the cuts leaves the place to chance


def _dealt(view: PlayerView, theirs: Cards, random: Random) -> Game:
    """A game in which the deal in hand is dealt, with these cards to the opponent."""
    table = view.table
    points = pegged_in(table, table_for(table.rules))
    scores = [table.rules.target - need - points[side] for side, need in enumerate(needs_of(table))]
    played = (each for series in (*table.past_series, table.series) for each in series)
    mine = (*view.hand, *view.discarded, *(each.card for each in played if each.seat == view.seat))
    hands = (mine, theirs) if view.seat == 0 else (theirs, mine)
    assert table.starter is not None, "there is a starter before there is a play"
    return dealt(hands, table.starter, dealer=table.dealer, scores=scores, random=random)
