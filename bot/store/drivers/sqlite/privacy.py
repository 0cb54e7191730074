"""File modes: only the owner can read what is private (POSIX)."""

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
    """Create an empty file, if there is none, that only its owner can read and write.

    SQLite gives the files beside a database the database's mode.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, stat.S_IRUSR | stat.S_IWUSR))
    except OSError:
        return  # it exists, or cannot be created, which opening it reports better


def warn_of_readers(*paths: Path) -> None:
    """Log which of these files others may read; an older bot, or a copy, may have made them so."""
    for path in paths:
        if _HAS_MODES and path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & _OTHERS:
            log.warning("%s can be read by others than its owner (mode %o): chmod 600 it", path, mode)
