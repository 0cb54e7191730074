"""A person's squares, whether or not the feature is offered: exported, and deleted on request."""

from __future__ import annotations

from typing import Any

from bot.store.connection import Connection
from bot.store.exports import day_of


async def known_of(connection: Connection, user: int) -> list[dict[str, Any]]:
    """A person's squares for their export, with the servers in which they showed them."""
    rows = await connection.fetch('SELECT * FROM squares WHERE "user" = $1 ORDER BY day', user)
    shared = await connection.fetch('SELECT * FROM squares_shared WHERE "user" = $1 ORDER BY guild', user)
    return [
        {
            "day": day_of(row["day"]),
            "cells": row["cells"],
            "points": row["total"],
            "shared_in_servers": [str(each["guild"]) for each in shared if each["day"] == row["day"]],
        }
        for row in rows
    ]


async def remove(connection: Connection, user: int) -> None:
    """Delete a person's squares."""
    await connection.execute('DELETE FROM squares WHERE "user" = $1', user)
    await connection.execute('DELETE FROM squares_shared WHERE "user" = $1', user)
