"""Seasons: each month (UTC) of a server, begun and closed by the calendar. Pure.

A season ranks people by the games that they won against people; of equal ones, who needed fewer games. It
follows from the results, so a rebuild gives the same. A person whose data is deleted keeps their place
without a name; hidden people are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.standings.leaderboards import month_of

PODIUM = 3
"""The last place of a podium."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """A person on a podium."""

    place: int
    """From 1; people with equal wins and games share a place."""
    name: str
    """Their name at their last game of the season; empty once their data is deleted."""
    wins: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A month's podium."""

    month: datetime
    """Start of the month (UTC)."""
    people: int
    """Number of people who finished a game."""
    podium: tuple[Winner, ...]
    """The first places, in order; empty if nobody won a game."""

    @property
    def champions(self) -> tuple[Winner, ...]:
        """Those in first place."""
        return tuple(each for each in self.podium if each.place == 1)


def month_before(month: datetime) -> datetime:
    """Start of the month before, in UTC."""
    return month_of(month_of(month) - timedelta(days=1))


def month_after(month: datetime) -> datetime:
    """Start of the month after, in UTC."""
    return month_of(month_of(month) + timedelta(days=31))
