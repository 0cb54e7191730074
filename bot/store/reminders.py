"""A person's reminders, whether or not the feature is offered: exported, and deleted on request."""

from __future__ import annotations

from typing import Any

from bot.store.connection import Connection
from bot.store.exports import time_of


async def known_of(connection: Connection, user: int) -> dict[str, Any] | None:
    """A person's wish for reminders, for their export; `None` without one."""
    row = await connection.fetchrow('SELECT * FROM reminders WHERE "user" = $1', user)
    if row is None:
        return None
    return {
        "state": row["state"],
        "last_sent": time_of(row["rung"]) if row["rung"] else None,
        "you_last_pressed_something": time_of(row["seen"]),
    }


async def remove(connection: Connection, user: int) -> None:
    """Delete a person's wish for reminders."""
    await connection.execute('DELETE FROM reminders WHERE "user" = $1', user)
