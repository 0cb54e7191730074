"""The copies beside an SQLite file of before each upgrade of its schema.

A copy of before an upgrade has the same data as the database, so it goes after `KEPT`, and as soon as
somebody has their data deleted (`docs/privacy.md`).
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sqlite3
import time
from pathlib import Path

from bot.model.errors import UpgradeNotCopied
from bot.store.drivers.sqlite.files import write_copy

log = logging.getLogger(__name__)

KEPT = 14 * 86_400
"""Time (s) until a copy of before an upgrade is removed."""

_MB = 1_000_000


def copy_before_upgrade(path: Path, source: sqlite3.Connection, found: int, known: int) -> Path:
    """Copy the database, whose schema is `found`, beside it. Raises `UpgradeNotCopied`."""
    real = path.resolve()
    copy = real.with_name(f"{real.name}.schema-{found}")
    (pages,), (size,) = (source.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    free = shutil.disk_usage(real.parent).free
    try:
        if free < pages * size:
            reason = f"it takes {pages * size / _MB:.1f} MB, and {free / _MB:.1f} MB are free"
            raise UpgradeNotCopied(path, found, known, reason)
        write_copy(source, copy)
    except (OSError, sqlite3.Error) as error:
        raise UpgradeNotCopied(path, found, known, str(error)) from error
    return copy


def copies_of(path: Path) -> list[Path]:
    """The copies beside the database of before its upgrades, also one that a crash has left unfinished."""
    real = path.resolve()
    named = re.compile(rf"{re.escape(real.name)}\.schema-\d+(\.unfinished)?")
    return sorted(each for each in real.parent.iterdir() if named.fullmatch(each.name))


def remove_copies(path: Path, *, older_than: float = 0.0, now: float | None = None) -> list[Path]:
    """Remove the copies of that age (s) of before upgrades; returns those that are left.

    `now` is the time in seconds since 1970.
    """
    until = (time.time() if now is None else now) - older_than
    for copy in copies_of(path):
        try:
            if copy.stat().st_mtime <= until:
                os.unlink(copy)
                log.info("%s, a copy of before an upgrade, is removed", copy)
        except OSError as error:
            log.warning("%s, a copy of before an upgrade, cannot be removed: %s", copy, error.strerror)
    return copies_of(path)
