"""Card play by habit, as experienced players do without looking ahead: points now, less the likely answer.

The search expects the others to play by it, and the tables' self-play pegs by it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.computer.numbers import Floats, Habit
from engine.computer.ranks import NO_RANK, PIPS, RANKS
from engine.computer.series import SeriesTable, series_table
from engine.rules import Rules

_HOLDS = 0.30
"""Approximate probability that an opponent holds a card of a given rank."""
_CARE = 0.8
"""Weight of the answer's expected points against one's own."""
_HIGH_FIRST = 0.02
"""Points for each pip of a card played at a low count: low cards are kept for later."""


def habit_for(rules: Rules) -> Habit:
    """[series, rank]: the preference for playing the rank; minus infinity where it cannot be played."""
    return _habit(pairs=rules.pairs_in_play, runs=rules.runs_in_play, low_wins=rules.low_wins)


@cache
def _habit(*, pairs: bool, runs: bool, low_wins: bool) -> Habit:
    table = series_table(pairs=pairs, runs=runs)
    answer = _answer(table)
    gain = table.points - _CARE * answer[table.after]
    value = (-gain if low_wins else gain) + _HIGH_FIRST * PIPS[None, :]
    return np.where(table.playable, value, -np.inf).astype(np.float32)


def _answer(table: SeriesTable) -> Floats:
    """By series: the next player's average points."""
    holds = np.full(RANKS + 1, _HOLDS)
    holds[NO_RANK] = 0.0
    return np.asarray(table.points @ holds)
