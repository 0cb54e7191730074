"""A person's daily hands, whether or not the feature is offered: exported, and deleted on request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from bot.store.connection import Connection, Row
from engine.coach import COST_UNIT


async def known_of(connection: Connection, user: int) -> list[dict[str, Any]]:
    """A person's answers for their export, with the servers in which they were shown."""
    return _known_about(
        await connection.fetch('SELECT * FROM daily_answers WHERE "user" = $1 ORDER BY day', user),
        await connection.fetch('SELECT * FROM daily_here WHERE "user" = $1 ORDER BY guild', user),
    )


async def names_of(connection: Connection, user: int) -> set[str]:
    """The person's names in servers' daily results."""
    rows = await connection.fetch('SELECT DISTINCT name FROM daily_here WHERE "user" = $1', user)
    return {row["name"] for row in rows}


async def remove(connection: Connection, user: int) -> None:
    """Delete a person's answers."""
    await connection.execute('DELETE FROM daily_answers WHERE "user" = $1', user)
    await connection.execute('DELETE FROM daily_here WHERE "user" = $1', user)


def _known_about(answers: Iterable[Row], here: Sequence[Row]) -> list[dict[str, Any]]:
    """A person's answers for their export, with the servers in which they were shown."""
    return [
        {
            "day": _written_day(row["day"]),
            "discarded": row["given"].split(),
            "percent_behind_the_best": row["cost"] * 100 / COST_UNIT,
            "streak": row["streak"],
            "servers": [
                {"server": str(each["guild"]), "your_name": each["name"], "shared": bool(each["shared"])}
                for each in here
                if each["day"] == row["day"]
            ],
        }
        for row in answers
    ]


def _written_day(number: int) -> str | None:
    """The day in ISO 8601; `None` for a damaged one."""
    try:
        return date.fromordinal(number).isoformat()
    except (ValueError, OverflowError):
        return None
