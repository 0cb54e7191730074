"""A person's drills, whether or not the feature is offered: exported, and deleted on request."""

from __future__ import annotations

from typing import Any

from bot.store.connection import Connection


async def known_of(connection: Connection, user: int) -> list[dict[str, Any]]:
    """Totals of a person's drills, for their export."""
    rows = await connection.fetch('SELECT * FROM drills WHERE "user" = $1 ORDER BY kind COLLATE "C"', user)
    return [
        {
            "drill": row["kind"],
            "answers": row["answers"],
            "right": row["hits"],
            "streak": row["streak"],
            "longest_streak": row["longest"],
            "answers_with_a_time": row["timed"],
            "their_seconds": row["spent"] / 1000,
            "last_answer": row["given"],
            "deals_answered": row["done"].split(),
        }
        for row in rows
    ]


async def remove(connection: Connection, user: int) -> None:
    """Delete what a person's drills add up to."""
    await connection.execute('DELETE FROM drills WHERE "user" = $1', user)
