"""File modes: only their owner can read the database's files, where the system has modes."""

from __future__ import annotations

import logging
import os
import stat
import sys
from pathlib import Path

log = logging.getLogger(__name__)

_HAS_MODES = sys.platform != "win32"

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private(path: Path) -> None:
    """Make an empty file, if there is none, that its owner alone can read and write.

    SQLite gives the files that it puts beside a database the mode that this one has.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, stat.S_IRUSR | stat.S_IWUSR))
    except OSError:
        return  # it is there; or it cannot be, which opening it says better


def warn_of_readers(database: Path) -> None:
    """Say in the log which of the database's files others may read, as files made before may be."""
    for path in (database, *(database.with_name(database.name + end) for end in ("-wal", "-shm", ".lock"))):
        if _HAS_MODES and path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & _OTHERS:
            log.warning("%s can be read by others than its owner (mode %o): chmod 600 it", path, mode)
