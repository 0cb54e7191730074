"""The daily hand: people's answers, places and streaks, and a server's daily post.

Days are in UTC. Players who hide their figures count in no ranking but the one that they see themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from engine import Cards
from engine.coach import Grade, grade_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAnswer:
    """A person's discard from the hand of a day; it is final."""

    day: date
    given: Cards = field(repr=False)
    cost: int
    """Loss of winning chance against the best discard, in units of 1/`engine.coach.COST_UNIT`."""
    streak: int
    """Number of consecutive days played, including this one."""
    longest: int
    """The person's longest streak ever (days)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPlace:
    """The rank of an answer in the world or in a server. Equal answers share a place."""

    place: int
    """From 1: one more than the number of better answers."""
    players: int
    """Number of players, including the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBest:
    """The best players of a day in a server."""

    players: int
    cost: int
    names: tuple[str, ...]
    """Names of the best, the oldest Discord accounts first, up to the requested number."""
    best: int
    """Number of players with the best answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPosting:
    """A server's setting of the daily post, and its state."""

    guild: int
    channel: int
    hour: int
    """Hour in UTC, 0 to 23."""
    posted: date
    """The latest day whose post is done, or not wanted."""
    tried: int | None = None
    """Start (s since 1970) of an attempt to send whose outcome is unknown."""


def is_best(cost: int) -> bool:
    """True if a discard equals the best within the rounding error."""
    return grade_of(cost) is Grade.TWENTY_NINE
