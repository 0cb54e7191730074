"""The checks of a game's honest deck, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Checked(Enum):
    """The checks of a game, in the order in which their subjects were fixed."""

    COMMITMENT = "The secret and the salts are the ones that the deck was committed to."
    WORDS = "The words are the ones whose hashes were sealed."
    TERMS = "The terms are the ones that were sealed before any card."
    CARDS = "Cards, cuts and points are those that follow from the secret, the terms and the moves."
    END = "The log goes to the end that the file says."
    COMPUTERS = "Each move of the computer is the one that it makes from what its seat sees."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: Checked
    holds: bool | None
    """None if it cannot be checked."""
    detail: str = ""
    """The place at which it fails, or the reason why it cannot be checked."""
