"""A score: why, how many points, and the cards that made it.

Everything is here to say "fifteen two, fifteen four, and a pair is six", and to show which cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Cards


class Reason(Enum):
    """What a score is for."""

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
    """What a player counted aloud, short of the truth."""
    MUGGINS = "muggins"


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one reason, and the cards behind them (none for muggins and claims)."""

    reason: Reason
    points: int
    cards: Cards = ()


def total(scores: tuple[Score, ...]) -> int:
    """The points of all `scores` together."""
    return sum(score.points for score in scores)
