"""Votes in a game in play: to end it, or to let the computer play for absent players.

A vote belongs to the deal in which it was cast and expires with it. Like all of a game's data it names a
seat, never a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import Seat
from engine.computer import Level


class Question(Enum):
    """Subject of a vote."""

    END = "end"
    """To call the game off."""
    SUBSTITUTE = "substitute"
    """To let the computer play for absent players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One seat's agreement."""

    game: str
    deal: int
    """The deal in which it was cast; it counts in no other."""
    about: Question
    seat: Seat
    level: Level | None = None
    """The substitute's level."""
