"""Days in UTC as moments that each reader sees by their own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta


def moment(day: date, hour: int = 0) -> int:
    """That hour (UTC), in seconds since 1970."""
    return int(datetime.combine(day, time(hour), UTC).timestamp())


def end_of(day: date) -> str:
    """The time of the next midnight (UTC); not a countdown, which would run on after it."""
    return f"<t:{moment(day + timedelta(days=1))}:t>"
