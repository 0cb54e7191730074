"""What an error of SQLite or of the disk says: the file is damaged, cannot be used, or cannot be used now.

A page that the disk does not read looks like a broken one: in the middle of a statement SQLite reports EIO
as SQLITE_CORRUPT (SQLITE_IOERR_CORRUPTFS in its os_unix.c), but not in the middle of a backup. So a file is
called damaged only if a copy of all that the disk reads has broken pages, too.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.model.errors import DatabaseDamaged, DatabaseUnusable

_NO_DAMAGE = "a page of it could not be read, and no damage was found"


class BrokenPagesError(sqlite3.DatabaseError):
    """A check has found broken pages."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def refusal(path: Path, error: Exception) -> DatabaseDamaged | DatabaseUnusable:
    """The sentence for the owner about an error of SQLite or the disk.

    The second look at a damaged file reads all of it: call it in a thread.
    """
    if not is_corrupt(error):
        return DatabaseUnusable(path, _reason(path, error), may_pass=_may_pass(error))
    if _is_damaged(path):
        return DatabaseDamaged(path)
    return DatabaseUnusable(path, _NO_DAMAGE, may_pass=True)


def is_corrupt(error: BaseException) -> bool:
    """True for broken pages, SQLITE_CORRUPT."""
    return _code(error) == sqlite3.SQLITE_CORRUPT


def refuse_broken_pages(connection: sqlite3.Connection, check: str) -> None:
    """Raises `BrokenPagesError` if `check` (`quick_check`, `integrity_check`) finds any."""
    connection.execute("PRAGMA ignore_check_constraints = ON")  # rows are checked when they are read
    found = [line for (line,) in connection.execute(f"PRAGMA {check}")]
    connection.execute("PRAGMA ignore_check_constraints = OFF")
    for line in found:
        # Values of another type than their column's are a matter of rows, too.
        if line != "ok" and " value in " not in line:
            raise BrokenPagesError(line)


def _is_damaged(path: Path) -> bool:
    where = f"{path.resolve().as_uri()}?mode=rw"
    try:
        # A database without a name is a file of SQLite's own, which nobody else can open.
        with closing(sqlite3.connect(where, uri=True)) as source, closing(sqlite3.connect("")) as copy:
            source.backup(copy)
            refuse_broken_pages(copy, "integrity_check")
    except sqlite3.Error as error:
        return is_corrupt(error)
    return False


def _may_pass(error: Exception) -> bool:
    """True for another program's lock, and for a disk that is full, or does not read or write."""
    if isinstance(error, OSError):
        return error.errno in {errno.EIO, errno.ENOSPC, errno.EDQUOT}
    return _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}


def _code(error: BaseException) -> int:
    """SQLite's primary result code; 0 for other errors."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _reason(path: Path, error: Exception) -> str:
    """The error's text; for a missing folder that would name a file beside the database."""
    folder = path.resolve().parent
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        return str(error)
    return f"no file can be made in {folder}" if os.path.isdir(folder) else f"there is no folder {folder}"
