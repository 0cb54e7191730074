"""The reader: a player that knows the expert, and doubts hands from which it would have played otherwise."""

from __future__ import annotations

from random import Random

import numpy as np

from benchmarks.opponents.reader import _Reading, reader
from benchmarks.strength.matches import Deals
from engine import TWO_HANDED, Game, PlayCard, PlayerView, Seat
from engine.computer import SKILLS, Level, choose_with

ME, EXPERT = Seat(0), Seat(1)
SEED = 152


def at_a_choice() -> tuple[Game, PlayerView]:
    """A game of two experts at a card of mine, after one of the other's."""
    game = Game.new(TWO_HANDED, chance=Deals(0), dealer=ME)
    while True:
        seat = game.table.waiting_for[0]
        view = game.view(seat)
        if seat == ME and len(view.legal_moves.playable) > 1 and game.table.series:
            return game, view
        game.apply(choose_with(view, SKILLS[Level.EXPERT], seed=SEED))


def test_the_reader_keeps_the_expert_s_own_hand_and_doubts_others() -> None:
    game, view = at_a_choice()
    played = [each.card for each in game.table.series if each.seat == EXPERT]
    held = [each.rank.value - 1 for each in (*game.view(EXPERT).hand, *played)]
    reading = _Reading(view, seed=SEED, random=np.random.default_rng(1))
    weights = reading._worlds.weights

    assert reading._would_have_played(held, Random(3), SEED)
    assert weights.min() < 0.1 * weights.max()


def test_the_reader_plays_a_card_that_it_may_play() -> None:
    _, view = at_a_choice()
    move = reader(view, seed=SEED)

    assert isinstance(move, PlayCard)
    assert move.card in view.legal_moves.playable
