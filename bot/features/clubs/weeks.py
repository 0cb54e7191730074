"""The times at which the events of a weekly one open: a week apart, counted from its first. Pure.

A week keeps the hour in the server's time zone (`bot.standings.seasons`), through summer time too.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

WEEK: Final = 7 * 86_400
"""Time (s) between two events, but where the clock is put forward or back."""

MOST_LATE: Final = 86_400
"""Lateness (s) up to which an event still opens, if the bot was down at its time; else it is left out."""


def is_too_late(due: int, now: float, zone: tzinfo = UTC) -> bool:
    """True if the last of those times is too long ago for its event to open, `due` being past."""
    return now - _time(due, _weeks(due, now, zone) - 1, zone) > MOST_LATE


def next_time(due: int, now: float, zone: tzinfo = UTC) -> int:
    """The first time after `now` that is whole weeks after `due`, and at least one."""
    return _time(due, max(1, _weeks(due, now, zone)), zone)


def _weeks(due: int, now: float, zone: tzinfo) -> int:
    """The number of weeks from `due` to the first of those times after `now`."""
    weeks = int((now - due) // WEEK)
    while _time(due, weeks, zone) <= now:
        weeks += 1
    return weeks


def _time(due: int, weeks: int, zone: tzinfo) -> int:
    """That number of weeks after `due` (s since 1970)."""
    return int((datetime.fromtimestamp(due, zone) + timedelta(weeks=weeks)).timestamp())
