"""The computer player: chooses a move from a seat's view, at one of four levels.

    from engine.computer import Level, choose

    move = choose(view, Level.EXPERT, seed=7)

Modules from the ground up: `numbers`, `ranks`, `scorer`, `series` (the play as a table), `habits` (how
people peg), `plays` (many plays at once), `tables` (precomputed figures, made by `build`), `chances`
(chances to win by score), `throws` (discarding), `deals` (every hand that can be dealt), `memory` and
`worlds` (the cards that the others may hold), `discards_by_score` and `suits` (what an opponent's hand
tells of the crib and of its own points), `outcomes`, `search` and `cardplay` (looking ahead in the play),
`levels`, `claims` (counting aloud), `player`, `plain`, `version`. Callers import from the package;
benchmarks and tests also import its modules.
"""

from engine.computer.claims import claim
from engine.computer.levels import FULL_ATTENTION, SKILLS, Attention, Level, Skill
from engine.computer.plain import plain_move
from engine.computer.player import calls_muggins, choices_with, choose, choose_with
from engine.computer.tables import family_of
from engine.computer.throws import Throw
from engine.computer.version import PLAYER

__all__ = [
    "FULL_ATTENTION",
    "PLAYER",
    "SKILLS",
    "Attention",
    "Level",
    "Skill",
    "Throw",
    "calls_muggins",
    "choices_with",
    "choose",
    "choose_with",
    "claim",
    "family_of",
    "plain_move",
]
