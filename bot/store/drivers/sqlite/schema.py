"""Migrates an SQLite file to the current schema, or refuses it untouched.

Each migration is applied once, in order. The file's header has the number of the last one (`user_version`)
and the program's mark (`application_id`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bot.model.errors import DatabaseTooOld
from bot.store.drivers.migrations import migrations_of, refuse_unknown

MARK = 0x31352D32
"""The application id in the file's header: "15-2" in ASCII."""


class ForeignDatabaseError(Exception):
    """The file belongs to another program."""


@cache
def migrations() -> dict[int, str]:
    """The SQL of every migration by its number, in order."""
    return migrations_of("bot.store.drivers.sqlite")


def newest() -> int:
    """The number of the newest migration."""
    return max(migrations())


def version(connection: sqlite3.Connection) -> int:
    """The number of the last migration that the database has; 0 for a new one."""
    return _pragma(connection, "user_version")


def check(connection: sqlite3.Connection) -> None:
    """Check mark and version, read-only.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment` and `ForeignDatabaseError`.
    """
    mark = _pragma(connection, "application_id")
    is_empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if mark != MARK and not (mark == 0 and is_empty):
        raise ForeignDatabaseError
    refuse_unknown(version(connection), migrations())


def require_current(connection: sqlite3.Connection, path: Path) -> None:
    """Raises what `check` raises, and `DatabaseTooOld` for a file that lacks migrations."""
    check(connection)
    if version(connection) < newest():
        raise DatabaseTooOld(path)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that the database lacks, in the caller's transaction."""
    has = version(connection)
    for number, script in migrations().items():
        if number > has:
            for statement in _statements(script):
                connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {MARK}")
    connection.execute(f"PRAGMA user_version = {newest()}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _statements(script: str) -> Iterator[str]:
    """The script's statements; `executescript` would commit the caller's transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
