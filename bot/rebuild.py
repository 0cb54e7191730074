"""`python -m bot rebuild`: computes the standings anew from the logs, and says whether they are the same."""

from __future__ import annotations

from pathlib import Path

from bot.standings.projection import Projection
from bot.store.database import Database
from bot.store.standings import SqliteStandings

_PATIENCE = 30.0
"""Seconds to wait for a bot that is writing at that moment."""


async def rebuild(path: Path) -> str:
    """Compute the standings anew, also while the bot runs; a sentence about them.

    Raises `DatabaseTooNew`, `DatabaseUnusable` and `StoreUnavailable`.
    """
    database = await Database.open(path, _PATIENCE)
    try:
        same = await Projection(SqliteStandings(database)).rebuild()
    finally:
        await database.close()
    if same:
        return "The standings are computed anew, and are as they were."
    return "The standings are computed anew, and were different before."
