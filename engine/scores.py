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


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one reason, and their cards (none for muggins, claims and wrong claims)."""

    reason: Reason
    points: int
    cards: Cards = ()


def total(scores: tuple[Score, ...]) -> int:
    """The points of all `scores` together."""
    return sum(score.points for score in scores)
