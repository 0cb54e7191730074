"""A score: its reason, its points, and the cards that make it.

From scores a caller can say "fifteen two, fifteen four, and a pair is six", and show the cards of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Cards


class Reason(Enum):
    """The reason of a score."""

    FIFTEEN = "fifteen"
    THIRTY_ONE = "thirty_one"
    PAIR = "pair"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    HEELS = "heels"
    GO = "go"
    """The last card of a count while somebody still holds cards, or a go at the call."""
    LAST = "last"
    """The last card of all."""
    CLAIM = "claim"
    """Points that a player counted aloud, fewer than the hand is worth."""
    MUGGINS = "muggins"
    WRONG_CLAIM = "wrong_claim"
    """The price of an opponent's overcount or false call of muggins."""
    THREE_FOR_LAST = "three_for_last"
    """For the player who does not deal first, in the old five-card game."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one reason, and their cards (none for muggins, claims, wrong claims and three for last)."""

    reason: Reason
    points: int
    cards: Cards = ()


def total(scores: tuple[Score, ...]) -> int:
    """The points of all `scores` together."""
    return sum(score.points for score in scores)
