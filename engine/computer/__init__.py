"""The computer player: three levels, from what a seat sees to the move that it makes.

    from engine.computer import Level, choose

    move = choose(view, Level.EXPERT, seed=7)

Modules from the ground up: `numbers`, `ranks`, `scorer`, `series` (the play as a table), `habits` (how
people peg), `plays` (many plays at once), `tables` (what it knows beforehand, made by `build`), `chances`
(what a score is worth), `throws` (discarding), `memory` and `worlds` (what the others may hold), `search` and
`cardplay` (the play looked ahead), `levels`, `player`. Callers import from this face; only benchmarks and
tests, which take the player apart, look behind it.
"""

from engine.computer.levels import SKILLS, Level, Skill
from engine.computer.player import choose, choose_with
from engine.computer.tables import family_of
from engine.computer.throws import Throw

__all__ = [
    "SKILLS",
    "Level",
    "Skill",
    "Throw",
    "choose",
    "choose_with",
    "family_of",
]
