"""What players can agree on in the middle of a game: to end it, or to let the computer play for the absent.

A vote belongs to the deal in which it was cast and ends with it. Like everything about a game it names a
seat, never a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import Seat
from engine.computer import Level


class Question(Enum):
    """What is voted on."""

    END = "end"
    """Whether the game is called off."""
    SUBSTITUTE = "substitute"
    """Whether the computer plays for those who are away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One seat's agreement."""

    game: str
    deal: int
    """The deal in which it was cast; it counts in no other."""
    about: Question
    seat: Seat
    level: Level | None = None
    """For a substitute: how well the computer is to play."""
