"""Milestones: fourteen things that a person does for the first time, or a round number of games. Pure.

Which of them a game reached follows from the results up to that game, and the one of daily hands from the
answers up to that day. So a redrawn result tells the same, a rebuild tells nothing twice, and what was
reached before an upgrade is told by nothing later.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.model.great_moments import GREAT, LONG_WAY
from engine.computer import Level


class Milestone(Enum):
    """A milestone, in the order in which a result tells them."""

    PEOPLE = "people"
    """The first win against people."""
    LEARNER = "learner"
    """The first win against that computer, as are the next three."""
    BEGINNER = "beginner"
    STEADY = "steady"
    EXPERT = "expert"
    COMEBACK = "comeback"
    """The first win from `LONG_WAY` holes behind."""
    TWENTY = "twenty"
    """The first hand of `TWENTY` points or more, as counted."""
    ALOUD = "aloud"
    """The first hand of `TWENTY` points or more that they counted aloud themselves, and missed nothing of."""
    TWENTY_FOUR = "twenty-four"
    TWENTY_EIGHT = "twenty-eight"
    TEN = "ten"
    """The tenth finished game."""
    HUNDRED = "hundred"
    FIVE_HUNDRED = "five hundred"
    WEEK = "week"
    """The best choice in the daily hands of `WEEK` days in a row; an answer reaches it, and no game."""


TWENTY: Final = 20
WEEK: Final = 7
HANDS: Final = {
    Milestone.TWENTY: TWENTY,
    Milestone.TWENTY_FOUR: GREAT,
    Milestone.TWENTY_EIGHT: 28,
}
"""By milestone: the points of its hand."""

GAMES: Final = {Milestone.TEN: 10, Milestone.HUNDRED: 100, Milestone.FIVE_HUNDRED: 500}
"""By milestone: the number of games."""

LEVELS: Final = {level: Milestone(level.value) for level in Level}
"""By level of the computer: the milestone of beating it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A person's part in one game, and what they had done before it."""

    won: bool
    beaten: frozenset[Level]
    """Levels of the computers on other sides; empty in a game that was lost."""
    comeback: int
    """Deficit (holes) that they came back from."""
    best: int
    """Points of the best hand."""
    aloud: int
    """Points of the best hand that they counted right aloud."""
    games: int
    """Number of finished games, this one included."""
    had_won: bool
    """True if they had won against people alone."""
    had_beaten: frozenset[Level]
    had_come_back: bool
    best_before: int
    had_counted: bool
    """True if they had counted a hand of `TWENTY` right aloud."""


def reached(played: Played, *, among_people: bool) -> tuple[Milestone, ...]:
    """The milestones that the game reached, in order; `among_people` if no computer sat there."""
    found: Collection[Milestone] = {
        *({Milestone.PEOPLE} if among_people and played.won and not played.had_won else ()),
        *(LEVELS[level] for level in played.beaten - played.had_beaten),
        *({Milestone.COMEBACK} if played.comeback >= LONG_WAY and not played.had_come_back else ()),
        *(each for each, points in HANDS.items() if played.best_before < points <= played.best),
        *({Milestone.ALOUD} if played.aloud >= TWENTY and not played.had_counted else ()),
        *(each for each, number in GAMES.items() if played.games == number),
    }
    return tuple(each for each in Milestone if each in found)
