"""Migrates an SQLite file to the current schema, or refuses it untouched.

Each migration is applied once, in order. The file's header has the number of the last one (`user_version`)
and the program's mark (`application_id`). Migrations may call `FUNCTIONS` for what SQL cannot compute.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from bot.model.errors import DatabaseTooNew, DatabaseTooOld
from bot.standings.careers import Career
from bot.standings.ratings import Kind
from bot.standings.results import Appearance, SeatResult
from bot.store.drivers.migrations import STEPS, migrations_of
from bot.store.drivers.sqlite.dialect import run
from bot.store.finished_games import plain
from engine import PRESETS, Counting, encode_rules, from_plain

MARK = 0x31352D32
"""The application id in the file's header: "15-2" in ASCII."""


class ForeignDatabaseError(Exception):
    """The file belongs to another program."""


def _rules_agreed(  # noqa: PLR0917 -- SQL knows no keywords
    players: int, preset: str, target: int | None, partners: int | None, aloud: int, muggins: int
) -> str:
    """For 0007: the rules, as JSON, of a table of a schema with one column per choice."""
    changes: dict[str, object] = {"muggins": bool(muggins)}
    if target is not None:
        changes["target"] = target
    if partners is not None:
        changes["partners"] = bool(partners)
    if aloud or muggins:
        changes["counting"] = Counting.ALOUD
    return json.dumps(encode_rules(PRESETS[preset](players, **changes)), separators=(",", ":"))


class CareerOfParts:
    """For 0017: an SQL aggregate of (number, seats, part) into a career."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int, str]] = []

    def step(self, number: int, seats: int, part: str) -> None:
        """Add one game."""
        self._parts.append((number, seats, part))

    def finalize(self) -> str:
        """The sum of all games, in their order."""
        career = Career()
        for _, seats, part in sorted(self._parts):
            known = {key: value for key, value in json.loads(part).items() if key != "rating"}
            career += Career.of(Appearance(kind=Kind.of(seats), part=from_plain(SeatResult, known)))
        return plain(career)


WIPES_SINCE = 17
"""The first migration of bots that overwrite deleted data (`PRAGMA secure_delete`)."""

FUNCTIONS: dict[str, tuple[int, Callable[..., str]]] = {"rules_agreed": (6, _rules_agreed)}
"""SQL functions for migrations: by name, the number of arguments and the function."""


@cache
def migrations() -> tuple[str, ...]:
    """The SQL of every migration, in order; the first is number one."""
    return tuple(migrations_of("bot.store.drivers.sqlite").values())


def version(connection: sqlite3.Connection) -> int:
    """The number of the last migration that the database has; 0 for a new one."""
    return _pragma(connection, "user_version")


def check(connection: sqlite3.Connection) -> None:
    """Check mark and version, read-only. Raises `DatabaseTooNew` and `ForeignDatabaseError`."""
    mark = _pragma(connection, "application_id")
    is_empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if mark != MARK and not (mark == 0 and is_empty):
        raise ForeignDatabaseError
    found, known = _pragma(connection, "user_version"), len(migrations())
    if found > known:
        raise DatabaseTooNew(found, known)


def rewrite(connection: sqlite3.Connection) -> None:
    """Vacuum a file of a bot older than `WIPES_SINCE`, which left deleted data in unused parts of it.

    It takes as long as copying the file. Call it before `migrate`, so that the next start repeats it after an
    interruption.
    """
    if 0 < _pragma(connection, "user_version") < WIPES_SINCE:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def require_current(connection: sqlite3.Connection, path: Path) -> None:
    """Raises what `check` raises, and `DatabaseTooOld` for a file that lacks migrations."""
    check(connection)
    if _pragma(connection, "user_version") < len(migrations()):
        raise DatabaseTooOld(path)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that the database lacks, in the caller's transaction."""
    scripts = migrations()
    for name, (arguments, function) in FUNCTIONS.items():
        connection.create_function(name, arguments, function, deterministic=True)
    connection.create_aggregate("career_of", 3, cast(Any, CareerOfParts))
    has = _pragma(connection, "user_version")
    for number, script in enumerate(scripts[has:], has + 1):
        for statement in _statements(script):
            connection.execute(statement)
        if number in STEPS:
            run(STEPS[number], connection)
    connection.execute(f"PRAGMA application_id = {MARK}")
    connection.execute(f"PRAGMA user_version = {len(scripts)}")


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
