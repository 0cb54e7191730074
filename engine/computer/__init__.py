"""The computer player: chooses a move from a seat's view, at one of three levels.

    from engine.computer import Level, choose

    move = choose(view, Level.EXPERT, seed=7)

Modules from the ground up: `numbers`, `ranks`, `scorer`, `series` (the play as a table), `habits` (how people
peg), `plays` (many plays at once), `tables` (precomputed figures, made by `build`), `chances` (chances to win
by score), `throws` (discarding), `memory` and `worlds` (the cards that the others may hold), `search` and
`cardplay` (looking ahead in the play), `levels`, `player`, `plain`, `version`. Callers import from the
package; benchmarks and tests also import its modules.
"""

from engine.computer.levels import SKILLS, Level, Skill
from engine.computer.plain import plain_move
from engine.computer.player import choices_with, choose, choose_with
from engine.computer.tables import family_of
from engine.computer.throws import Throw
from engine.computer.version import PLAYER, UNDRAWN_PLAYERS

__all__ = [
    "PLAYER",
    "SKILLS",
    "UNDRAWN_PLAYERS",
    "Level",
    "Skill",
    "Throw",
    "choices_with",
    "choose",
    "choose_with",
    "family_of",
    "plain_move",
]
