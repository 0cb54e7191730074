"""The play looked ahead to its end: what has been seen, and what is chosen from it."""

from __future__ import annotations

import numpy as np

from engine import PRESETS
from engine.computer.habits import habit_for
from engine.computer.numbers import Floats, Ints
from engine.computer.plays import Plays, Terms
from engine.computer.ranks import NO_RANK
from engine.computer.search import Search

ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK = range(11)


def always_the_same(pegged: Ints, world: Ints, won: Ints) -> Floats:
    """A game in which it makes no difference what is played."""
    return np.ones(len(pegged))


def test_an_ace_that_was_played_is_not_taken_for_another_choice_of_mine() -> None:
    # At 26 I hold 2 3 3. In one world the other can answer my two with an ace; in none my three with 29.
    rules = PRESETS["standard"](2)
    terms = Terms.of(rules, (90, 90))
    others = [[ACE, FIVE], [FOUR, SEVEN], [FIVE, TEN], [SIX, SEVEN], [SEVEN, NINE]]
    hands = np.full((len(others), 2, 4), NO_RANK, dtype=np.uint8)
    hands[:, 0, :3] = (TWO, THREE, THREE)
    hands[:, 1, :2] = others
    plays = Plays(terms, hands, turn=0, series=terms.table.number([EIGHT, JACK, EIGHT]), last=1)

    values = Search(0, habit_for(rules), np.ones(len(others)), always_the_same).values(plays)

    assert values == {TWO: 1.0, THREE: 1.0}
