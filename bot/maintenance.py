"""What an owner runs beside the bot: a backup of the database, its standings computed again, what is damaged.

    python -m bot backup PATH
    python -m bot rebuild
    python -m bot check

SQLite makes the backup itself, page by page and again where a page changed; copying the file by hand
would miss what still stands beside it. To restore one, stop the bot and put the copy where DATABASE points.
Neither needs a connection to Discord.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.model.errors import NotCopied
from bot.standings.projection import Projection
from bot.store.database import Database
from bot.store.examination import damage_in
from bot.store.privacy import make_private
from bot.store.standings import standings_in

_PATIENCE = 30.0
"""Seconds to wait for a bot that is writing at that moment."""


def back_up(database: Path, target: Path) -> str:
    """Copy `database` to `target`, which must not be there yet; a sentence about it.

    Raises `NotCopied`, and then leaves nothing behind.
    """
    if target.exists():
        raise NotCopied(database, target, "there is a file already, and a backup replaces none")
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            make_private(unfinished)
            with closing(sqlite3.connect(unfinished)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise NotCopied(database, target, str(error)) from error
    unfinished.rename(target)
    return f"The database was copied to {target}."


def check(database: Path) -> tuple[str, ...]:
    """What is damaged in it, a line for each; none for a sound one.

    Raises `DatabaseTooNew` and `DatabaseUnusable`.
    """
    return tuple(damage_in(database))


async def rebuild(path: Path) -> str:
    """Compute the standings again, also while the bot runs; a sentence about them.

    Raises `DatabaseTooNew`, `DatabaseUnusable` and `StoreUnavailable`.
    """
    database = await Database.open(path, _PATIENCE)
    try:
        standings = standings_in(database)
        same = await Projection(standings.projection).rebuild()
    finally:
        await database.close()
    if same:
        return "The standings are computed again, and are as they were."
    return "The standings are computed again, and were different before."
