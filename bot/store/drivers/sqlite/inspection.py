"""Opens an SQLite file read-only to check its pages and rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot.model.errors import DatabaseDamaged, DatabaseUnusable
from bot.store.connection import Work
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.dialect import as_text, run
from bot.store.drivers.sqlite.trouble import refusal


def inspected(path: Path, work: Work[tuple[str, ...]]) -> tuple[str, ...]:
    """A line for each broken page and dangling reference, then the lines of `work`, as far as it can read.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld` and `DatabaseUnusable`.
    """
    found = list[str]()
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = as_text
            schema.require_current(connection, path)
            found += _pages(connection)
            found += run(work, connection)
    except schema.ForeignDatabaseError:
        raise DatabaseUnusable(path, "it belongs to another program") from None
    except (sqlite3.Error, OSError) as error:
        refused = refusal(path, error)
        if not isinstance(refused, DatabaseDamaged):
            raise refused from error
        found.append(f"the file: {error}")
    return tuple(found)


def _pages(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA integrity_check"):
        if found != "ok":
            yield f"the file: {found}"
    for row in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield f"{row[0]}: a row belongs to nothing in {row[2]}"
