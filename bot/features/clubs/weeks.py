"""The times at which the events of a weekly one open: a week apart, counted from its first. Pure.

A week counts seven times 24 hours, so the hour stays the same in UTC.
"""

from __future__ import annotations

from typing import Final

WEEK: Final = 7 * 86_400
"""Time (s) between two events."""

MOST_LATE: Final = 86_400
"""Lateness (s) up to which an event still opens, if the bot was down at its time; else it is left out."""


def is_too_late(due: int, now: float) -> bool:
    """True if the last of those times is too long ago for its event to open, `due` being past."""
    return (now - due) % WEEK > MOST_LATE


def next_time(due: int, now: float) -> int:
    """The first time after `now` that is whole weeks after `due`, and at least one."""
    return due + WEEK * max(1, int(now - due) // WEEK + 1)
