"""How a player of some experience plays a card without looking ahead: points now, less what may be answered.

This is what the search expects of the others, and how the tables' self-play pegs.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.computer.numbers import Floats, Habit
from engine.computer.ranks import NO_RANK, PIPS, RANKS
from engine.computer.series import SeriesTable, series_table
from engine.rules import Rules

_HOLDS = 0.30
"""About how likely an opponent holds a card of a given rank."""
_CARE = 0.8
"""How much of what an answer may score is weighed against one's own points."""
_HIGH_FIRST = 0.02
"""Points for each pip that is played away while the count is low: low cards are kept for later."""


def habit_for(rules: Rules) -> Habit:
    """For each series and rank how strongly it is preferred; minus infinity where it cannot be played."""
    return _habit(pairs=rules.pairs_in_play, runs=rules.runs_in_play)


@cache
def _habit(*, pairs: bool, runs: bool) -> Habit:
    table = series_table(pairs=pairs, runs=runs)
    answer = _answer(table)
    value = table.points - _CARE * answer[table.after] + _HIGH_FIRST * PIPS[None, :]
    return np.where(table.playable, value, -np.inf).astype(np.float32)


def _answer(table: SeriesTable) -> Floats:
    """What the next player scores on each series, on average."""
    holds = np.full(RANKS + 1, _HOLDS)
    holds[NO_RANK] = 0.0
    return np.asarray(table.points @ holds)
