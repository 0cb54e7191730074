"""The three levels, as data. No level sees more than its seat; they differ in what they consider."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """A strength of the computer player."""

    BEGINNER = "beginner"
    STEADY = "steady"
    EXPERT = "expert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """The considerations of a level."""

    weighs_crib: bool
    """True if its discards consider the crib and the hand's pegging."""
    weighs_score: bool
    """True if it plays for the chance to win rather than for points."""
    worlds: int
    """Worlds over which it looks ahead with two players, fewer with more; 0: it plays what scores now."""
    faith: float
    """The belief that others play by habit, 0 to 1; it guesses their hands from that."""


SKILLS = {
    Level.BEGINNER: Skill(weighs_crib=False, weighs_score=False, worlds=0, faith=0.0),
    Level.STEADY: Skill(weighs_crib=True, weighs_score=False, worlds=8, faith=0.0),
    Level.EXPERT: Skill(weighs_crib=True, weighs_score=True, worlds=600, faith=0.5),
}
"""The skill of each level.

The expert's 600 worlds win 1.5 ± 1.1 games of a hundred more from a player who looks one card ahead than 120
do, and 1,500 no more than that. With few worlds, later choices are made in very few of them, as if the player
knew how the cards lie.
"""
