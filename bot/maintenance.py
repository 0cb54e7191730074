"""The owner's commands, none of which needs a connection to Discord.

    python -m bot backup PATH     copies an SQLite database
    python -m bot rebuild         computes the standings again
    python -m bot check           lists what is damaged
    python -m bot move FROM TO    copies a database into another one, of either kind

The backup uses SQLite's own, which copies pages again that change meanwhile; a copy of the file would miss
the write-ahead log beside it. To restore one, stop the bot and put the copy where DATABASE points. PostgreSQL
has its own programs for backups, which `backup` names.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.model.database_address import DatabaseAddress, PostgresAddress, pg_dump
from bot.model.errors import NotCopied
from bot.standings.projection import Projection
from bot.store import moving
from bot.store.drivers.sqlite.files import write_copy
from bot.store.examination import damage_in
from bot.store.opening import open_database

_PATIENCE = 30.0
"""Time-out (s) for a bot that is writing at the moment."""


def back_up(database: DatabaseAddress, target: Path) -> str:
    """Copy `database` to `target`, which must not exist; returns a sentence about it.

    Raises `NotCopied`, and then leaves no file behind.
    """
    if isinstance(database, PostgresAddress):
        how = pg_dump(database, target)
        reason = f"this command copies SQLite files; {how} copies it, also while the bot runs"
        raise NotCopied(database, target, reason)
    if target.exists():
        raise NotCopied(database, target, "there is a file already, and a backup replaces none")
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            write_copy(source, target)
    except (sqlite3.Error, OSError) as error:
        raise NotCopied(database, target, str(error)) from error
    return f"The database was copied to {target}."


async def check(database: DatabaseAddress) -> tuple[str, ...]:
    """The database's damage, a line for each; empty for a sound one.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld`, `DatabaseUnusable` and
    `LibraryLacking`.
    """
    return await damage_in(database)


async def rebuild(address: DatabaseAddress, *, copies: bool = True) -> str:
    """Recompute the standings, also while the bot runs; returns a sentence about it.

    If `copies`, a file of an older bot is copied before it is upgraded. Raises `DatabaseTooNew`,
    `DatabaseOfDevelopment`, `DatabaseUnusable`, `UpgradeNotCopied`, `LibraryLacking` and `StoreUnavailable`.
    """
    database = await open_database(address, patience=_PATIENCE, copies=copies)
    try:
        same = await Projection(database.standings.projection).rebuild()
    finally:
        await database.store.close()
    if same:
        return "The standings are computed again, and are as they were."
    return "The standings are computed again, and were different before."


async def move(source: DatabaseAddress, target: DatabaseAddress) -> str:
    """Copy everything into another database, of either kind; returns a sentence about it.

    Raises `NotCopied`, `DatabaseInUse`, `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld`,
    `DatabaseUnusable` and `LibraryLacking`.
    """
    moved = await moving.move(source, target)
    return (
        f"{moved.rows} rows were copied to {target}, with {moved.logs} logs that are the same in both. "
        f"Set DATABASE to it; then delete {source}, which people's deletions do not reach any more."
    )
