"""Deletions of people's data, noted outside of the database too: a restored backup brings the people back.

Each deletion is a row, written with it in one transaction, and a line of a file that no backup replaces: its
time, and a digest of the person's id. A line that has no row tells that the database is older than that
deletion, so it is made again. Nobody is deleted who came back later, for the database they play in has the
row. A row that has no line, as after a crash, gets one.

The digest has the key of `bot.store.declined`, so the file alone does not tell whose data was deleted. With
another key its lines cannot be read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bot.store.connection import Connection
from bot.store.declined import mark_of

KEPT = 90 * 86_400
"""Time (s) for which a deletion is noted: no older backup may be restored."""

_ROWS_KEPT = KEPT + 7 * 86_400
"""Time (s) for which its row is: longer than any line, by whatever clock."""

_HEADING = "# When people's data was deleted, and digests of their IDs: for a backup that is restored.\n"

NAMED = (
    *(("games", "host"), ("games", "called")),
    *(
        (table, "user")
        for table in (
            *("seats", "people", "declined", "hidden", "reminders"),
            *("result_seats", "careers", "computer_records", "tallies", "ratings"),
            *("daily_answers", "daily_here", "drills", "squares", "squares_shared", "club_entrants"),
        )
    ),
)
"""The columns, after their tables, that name people."""

_PEOPLE = tuple(
    f'SELECT DISTINCT "{column}" AS person FROM {table} WHERE "{column}" > 0'  # noqa: S608 -- names of ours
    for table, column in NAMED
)


class Deletion(NamedTuple):
    """One deletion of a person's data."""

    at: int
    """Time, in s since 1970."""
    who: str
    """Digest of the person's id."""


class NoDeletions(ValueError):
    """A file that is not one of deletions, and so is not to be replaced."""

    def __init__(self) -> None:
        super().__init__("it is another file")


def digest_of(user: int, key: bytes) -> str:
    """The digest of a person's id, after the mark of the key."""
    digest = hashlib.blake2b(str(user).encode(), key=key, digest_size=16, person=b"deleted")
    return mark_of(key).hex() + digest.hexdigest()


def is_of(digest: str, key: bytes) -> bool:
    """True if the digest was made with that key."""
    return digest.startswith(mark_of(key).hex())


async def note(connection: Connection, deletion: Deletion) -> bool:
    """Insert the row of a deletion; false if there is one."""
    inserted = await connection.fetchval(
        "INSERT INTO deletions (at, who) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1", *deletion
    )
    return inserted is not None


async def noted(connection: Connection) -> frozenset[Deletion]:
    """All deletions that have a row."""
    rows = await connection.fetch("SELECT at, who FROM deletions")
    return frozenset(Deletion(row["at"], row["who"]) for row in rows)


async def times_of(connection: Connection, digest: str) -> tuple[int, ...]:
    """When data of the person with that digest was deleted."""
    rows = await connection.fetch("SELECT at FROM deletions WHERE who = $1 ORDER BY at", digest)
    return tuple(row["at"] for row in rows)


async def prune(connection: Connection, now: int) -> None:
    """Delete the rows of what is noted long enough."""
    await connection.execute("DELETE FROM deletions WHERE at < $1", now - _ROWS_KEPT)


def are_to_be_pruned(rows: Iterable[Deletion], now: int) -> bool:
    """True if `prune` deletes any of the rows."""
    return any(row.at < now - _ROWS_KEPT for row in rows)


async def people_among(connection: Connection, digests: Collection[str], key: bytes) -> dict[str, int]:
    """User ids by digest, for the people in the database whose digest is among these."""
    found = {}
    for statement in _PEOPLE:
        async for row in connection.cursor(statement):
            digest = digest_of(row["person"], key)
            if digest in digests:
                found[digest] = row["person"]
    return found


def is_kept(deletion: Deletion, now: int) -> bool:
    """True until the deletion has been noted long enough."""
    return deletion.at >= now - KEPT


def beside(database: Path) -> Path:
    """The file of deletions for an SQLite database."""
    real = database.resolve()
    return real.with_name(f"{real.name}-deletions")


def read(file: Path) -> frozenset[Deletion]:
    """The deletions in the file; none if there is no file. Raises `OSError` and `NoDeletions`."""
    try:
        text = file.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return frozenset()
    if text and not text.startswith(_HEADING):
        raise NoDeletions
    return frozenset(filter(None, map(_read_line, text.splitlines())))


def write(file: Path, deletions: Iterable[Deletion]) -> None:
    """Replace the file, which only its owner can read and write. Raises `OSError`."""
    lines = [f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ} {who}\n" for at, who in sorted(deletions)]
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with suppress(FileNotFoundError):
            unfinished.unlink()
        with open(
            os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii"
        ) as new:
            new.writelines((_HEADING, *lines))
            new.flush()
            os.fsync(new.fileno())
        unfinished.replace(file)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _read_line(line: str) -> Deletion | None:
    """The line's deletion; `None` for the heading and for a damaged line."""
    time, _, who = line.partition(" ")
    try:
        return Deletion(int(datetime.strptime(time, "%Y-%m-%dT%H:%M:%S%z").timestamp()), who)
    except ValueError:
        return None
