"""The four levels, as data. No level sees more than its seat; they differ in what they consider and see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """A strength of the computer player."""

    LEARNER = "learner"
    BEGINNER = "beginner"
    STEADY = "steady"
    EXPERT = "expert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """The points that a level sees where players count aloud; each number is a probability."""

    overlooks_nobs: float = 0.0
    overlooks_fifteen: float = 0.0
    """For each fifteen of a hand after the first."""
    overlooks_run: float = 0.0
    """For a run in the play, and for each run of a hand after the first."""
    notices: float = 1.0
    """That it notices what an opponent's count missed."""

    @property
    def overlooks(self) -> bool:
        """True if it may overlook points of its own."""
        return any((self.overlooks_nobs, self.overlooks_fifteen, self.overlooks_run))


FULL_ATTENTION = Attention()
"""Nothing is overlooked, and all that others miss is noticed."""


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
    ponders: float = 1.0
    """The probability that it weighs a discard at all; otherwise it throws at random."""
    spots: float = 1.0
    """The probability that it sees the points of a card in the play; without `worlds` only.

    Below 1, it plays at random when it sees none.
    """
    attention: Attention = FULL_ATTENTION


SKILLS = {
    Level.LEARNER: Skill(
        weighs_crib=False,
        weighs_score=False,
        worlds=0,
        faith=0.0,
        ponders=0.1,
        spots=0.75,
        attention=Attention(overlooks_nobs=0.8, overlooks_fifteen=0.45, overlooks_run=0.8, notices=0.02),
    ),
    Level.BEGINNER: Skill(
        weighs_crib=False,
        weighs_score=False,
        worlds=0,
        faith=0.0,
        attention=Attention(overlooks_nobs=0.6, overlooks_fifteen=0.31, overlooks_run=0.6, notices=0.15),
    ),
    Level.STEADY: Skill(
        weighs_crib=True,
        weighs_score=False,
        worlds=8,
        faith=0.0,
        attention=Attention(overlooks_nobs=0.12, overlooks_fifteen=0.04, overlooks_run=0.1, notices=0.6),
    ),
    Level.EXPERT: Skill(weighs_crib=True, weighs_score=True, worlds=600, faith=0.5),
}
"""The skill of each level.

The learner throws at random in nine deals of ten. It sees the points of three in four cards that score in the
play, and plays any card if it sees none. A scripted novice (`benchmarks.opponents.novice`) wins 45.5 ± 2.0 %
of 2,000 games to 61 from it, and 10.2 ± 3.0 % of 400 from the beginner.

The expert's 600 worlds win 1.5 ± 1.1 games of a hundred more from a player who looks one card ahead than 120
do, and 1,500 no more than that. With few worlds, later choices are made in very few of them, as if the player
knew how the cards lie.
"""
