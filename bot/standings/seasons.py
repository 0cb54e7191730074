"""Seasons: each month of a server, begun and closed by the calendar of its time zone. Pure.

A month is a number, such as 202611. It begins at midnight in the zone that moderators have chosen, or in UTC.
A new zone counts from the next beginning on: the month under way, and those before, keep theirs. So each game
is of exactly one month, and a closed month stays as it was.

A season ranks people by the games that they won against people; of equal ones, who needed fewer games. It
follows from the results, so a rebuild gives the same. A person whose data is deleted keeps their place
without a name; hidden people are left out.
"""

from __future__ import annotations

import zoneinfo
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Final

from bot.standings.leaderboards import pages_of

PODIUM = 3
"""The last place of a podium."""

AHEAD: Final = timedelta(hours=15)
"""Upper bound of the difference between a zone and UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """A person on a podium, or on the board of a month."""

    place: int
    """From 1; people with equal wins and games share a place."""
    name: str
    """Their name at their last game of the season; empty once their data is deleted."""
    wins: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A month's podium."""

    month: int
    end: datetime
    """Its end, in the server's time zone."""
    people: int
    """Number of people who finished a game."""
    podium: tuple[Winner, ...]
    """The first places, in order; empty if nobody won a game."""

    @property
    def champions(self) -> tuple[Winner, ...]:
        """Those in first place."""
        return tuple(each for each in self.podium if each.place == 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonBoard:
    """A page of everybody who finished a game in a month."""

    month: int
    end: datetime
    is_over: bool
    people: int
    """Number of people on all pages."""
    page: int
    """The number of this page, from 0; the last one if a later one was requested."""
    rows: tuple[Winner, ...]

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return pages_of(self.people)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The months of a server."""

    zones: tuple[tuple[int, str], ...] = ()
    """Time zones, each with the first month that begins by it, in order."""

    @property
    def chosen(self) -> str:
        """The name of the zone that was chosen last."""
        return self.zones[-1][1] if self.zones else "UTC"

    def begin(self, month: int) -> datetime:
        """The beginning of the month, in the zone by which it begins."""
        return datetime.combine(first_day(month), datetime.min.time(), self._zone_of(month))

    def end(self, month: int) -> datetime:
        """The end of the month: the beginning of the next."""
        return self.begin(month_after(month))

    def month_at(self, now: datetime) -> int:
        """The month under way."""
        month = month_after(number_of(now.astimezone(UTC)))
        while self.begin(month) > now:
            month = month_before(month)
        return month

    def zone_from(self, month: int) -> str:
        """The name of the zone by which the month begins."""
        return next((zone for first, zone in reversed(self.zones) if first <= month), "UTC")

    def _zone_of(self, month: int) -> tzinfo:
        """The zone by which the month begins; UTC for a name that no longer exists."""
        return zone_named(self.zone_from(month)) or UTC


@cache
def zone_named(name: str) -> tzinfo | None:
    """The time zone of that name in the IANA database; `None` if there is none."""
    return zoneinfo.ZoneInfo(name) if name in zones() else None


@cache
def zones() -> tuple[str, ...]:
    """The names of the time zones, in order: those of places, and UTC."""
    places = (name for name in zoneinfo.available_timezones() if "/" in name and name != "Etc/UTC")
    return ("UTC", *sorted(name for name in places if not name.startswith("Etc/")))


def number_of(day: date) -> int:
    """The month of the day, such as 202611."""
    return day.year * 100 + day.month


def first_day(month: int) -> date:
    """The first day of the month. Raises `ValueError` for a number that is no month."""
    return date(month // 100, month % 100, 1)


def month_before(month: int) -> int:
    """The month before."""
    return number_of(first_day(month) - timedelta(days=1))


def month_after(month: int) -> int:
    """The month after."""
    return number_of(first_day(month) + timedelta(days=31))
