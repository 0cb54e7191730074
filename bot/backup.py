"""`python -m bot backup PATH`: copies the database while the bot runs, whole and at one moment.

SQLite makes the copy itself, page by page and again where a page changed meanwhile; copying the file by hand
would miss what still stands beside it. To restore one, stop the bot and put the copy where DATABASE points.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.start_up_errors import NotCopied


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
            with closing(sqlite3.connect(unfinished)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise NotCopied(database, target, str(error)) from error
    unfinished.rename(target)
    return f"The database was copied to {target}."
