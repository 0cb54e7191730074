"""The worth of an end of the play: an opponent that holds cards pegs a little more than a habit does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import TWO_HANDED, PlayerView, Seat, cards
from engine.computer.cardplay import Lookout
from engine.computer.numbers import Floats
from engine.computer.outcomes import _UNFORESEEN, ByChance
from engine.computer.plays import NOBODY
from engine.computer.ranks import number_of
from engine.computer.tables import family_of
from engine.computer.throws import chances_of
from tests.engine.tables import at_play, play, plays


def view_of(seat: Seat) -> PlayerView:
    game = at_play(
        TWO_HANDED,
        "2C 4H 7S QD",
        "7D 8H TS KC",
        scores=(100, 104),
        starter="5S",
        crib=cards("KD 9S 3H KS"),
    )
    if seat == game.table.dealer:
        play(game, *plays("1 7D"))
    return game.view(seat)


@pytest.mark.parametrize("seat", [Seat(0), Seat(1)], ids=["the dealer's", "the other's"])
@pytest.mark.parametrize("held", range(5))
def test_the_chance_counts_what_the_opponent_pegs_with_the_cards_that_it_holds(seat: Seat, held: int) -> None:
    view = view_of(seat)
    lookout = Lookout(view, worlds=50, faith=0.5, by_score=True, random=np.random.default_rng(1))
    hidden = lookout._hidden()
    assert hidden is not None
    assert hidden.held == (3 if seat == view.table.dealer else 4)
    own = tuple(map(number_of, view.hand))
    world = np.arange(len(lookout._worlds.weights))

    def worth(held: int, *, more: int = 0) -> Floats:
        """With no points pegged but `more` of the opponent's."""
        by_chance = ByChance(
            view, lookout._worlds, own, chances_of(family_of(TWO_HANDED)), replace(hidden, held=held)
        )
        pegged = np.zeros((len(world), 2), dtype=np.intp)
        pegged[:, 1 - seat] = more
        return by_chance(pegged, world, np.full(len(world), NOBODY))

    chance = _UNFORESEEN[held]
    assert np.allclose(worth(held), (1 - chance) * worth(0) + chance * worth(0, more=1))
    assert (worth(0, more=1) < worth(0)).any()


def test_an_opponent_with_more_cards_pegs_more_and_one_without_none() -> None:
    assert _UNFORESEEN[0] == 0
    assert list(_UNFORESEEN) == sorted(set(_UNFORESEEN))
