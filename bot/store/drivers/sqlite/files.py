"""The files of an open database: notices a lost one, writes a copy of all that the connection still has.

A deleted, moved or replaced file stays readable and writable through the connections that have it open, and
is gone with the last of them: without a check, a bot would go on for weeks and lose it all at its end.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from contextlib import closing
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Lock

from bot.store.drivers.sqlite.privacy import make_private

log = logging.getLogger(__name__)

_VERSIONS = slice(18, 20)
"""Place of the two format versions in SQLite's file header."""

_IN_WAL_MODE = b"\2\2"
"""Format versions of a file in WAL mode; copies (`write_copy`) have others."""

LARGE_LOG = 64_000_000
"""Size (bytes) of a write-ahead log above which it is logged; SQLite's own checkpoints keep it at 4 MB."""

_LARGE = (
    "the write-ahead log %s is larger than %d MB, and grows as long as another program reads the database: "
    "end that one"
)


class OpenFiles:
    """The file of a database and its write-ahead log, as they were when it was opened.

    Close it after all connections: closing the file earlier would release SQLite's POSIX locks, which belong
    to the process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """

    def __init__(self, path: Path) -> None:
        """`path` is open in WAL mode. Raises `OSError`."""
        self._path, self._log = path.resolve(), log_of(path)
        self._ids = {each: _id_of(os.stat(each)) for each in (self._path, self._log)}
        self._file = self._path.open("rb", buffering=0)
        self._reading = Lock()
        """The watcher and the writer look from threads of their own, and share the file's position."""
        self._is_unread = self._is_large = False
        """What the last look has found, and has been logged."""

    def lost(self) -> Path | None:
        """The first file that was deleted, moved, replaced or overwritten; `None` if none was.

        A look also logs a write-ahead log that has grown large, and a disk with a fault, which says nothing
        of the files: each once, until it is over.
        """
        with self._reading:
            try:
                lost = self._look()
            except OSError as error:
                if not self._is_unread:
                    log.warning("%s cannot be examined: %s", self._path, error.strerror)
                self._is_unread = True
                return None
            self._is_unread = False
            return lost

    def _look(self) -> Path | None:
        """See `lost`. Raises `OSError`."""
        for path, known in self._ids.items():
            try:
                found = os.stat(path)
            except (FileNotFoundError, NotADirectoryError):
                return path
            if _id_of(found) != known:
                return path
        was_large, self._is_large = self._is_large, found.st_size > LARGE_LOG
        if self._is_large and not was_large:
            log.warning(_LARGE, self._log, LARGE_LOG // 1_000_000)
        self._file.seek(_VERSIONS.start)
        is_ours = self._file.read(_VERSIONS.stop - _VERSIONS.start) == _IN_WAL_MODE
        return None if is_ours else self._path

    def close(self) -> None:
        """Close the file, when no connection to it is left."""
        self._file.close()


def log_of(path: Path) -> Path:
    """The write-ahead log of the database at that path, beside the target of a symbolic link."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def set_foreign_log_aside(path: Path, head: bytes) -> None:
    """Rename a write-ahead log of another file, which SQLite would play into this one. Raises `OSError`.

    `head` is the header of the file: a copy is not in WAL mode, and an empty file has no log either.
    """
    foreign = log_of(path)
    if head[_VERSIONS] == _IN_WAL_MODE or not foreign.exists() or not foreign.stat().st_size:
        return
    aside = _unused(foreign.with_name(f"{foreign.name}.aside"))
    foreign.rename(aside)
    log.warning("%s does not belong to %s, which is a copy or new: it is %s now", foreign, path, aside)


def write_copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database to `target`, which only its owner can read and which needs no write-ahead log.

    It gets its name once it is whole, and replaces any other file. Raises `sqlite3.Error` and `OSError`, and
    then leaves no file behind.
    """
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        make_private(unfinished)
        with closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
            if copy.execute(_HAS_IDENTITY).fetchone() is not None:
                copy.execute("UPDATE identity SET name = 'a copy'")
                copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


_HAS_IDENTITY = "SELECT 1 FROM sqlite_schema WHERE name = 'identity'"


def read_mark(path: Path) -> str:
    """The mark beside the database; empty if there is none."""
    try:
        return _mark_of(path).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def write_mark(path: Path) -> str:
    """Write another mark beside the database, and return it; the one before if that fails."""
    mark = token_hex(8)
    try:
        _mark_of(path).write_text(mark, encoding="ascii")
    except OSError as error:
        log.warning("%s cannot be written: %s", _mark_of(path), error.strerror)
        return read_mark(path)
    return mark


def _mark_of(path: Path) -> Path:
    real = path.resolve()
    return real.with_name(f"{real.name}-mark")


def rescue(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Copy a lost database beside its former place; `None` if no folder could take it."""
    for folder in (path.resolve().parent, Path.cwd(), Path(tempfile.gettempdir())):
        target = _unused(folder / f"{path.name}.rescued")
        try:
            write_copy(connection, target)
        except (sqlite3.Error, OSError) as error:
            log.error("the database could not be rescued to %s: %s", target, error)  # noqa: TRY400 -- the next folder may do
        else:
            return target
    return None


def _unused(path: Path) -> Path:
    """The path, with a number if there is such a file."""
    names = (path.with_name(f"{path.name}{number}") for number in count(2))
    return path if not path.exists() else next(each for each in names if not each.exists())


def _id_of(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
