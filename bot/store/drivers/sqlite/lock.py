"""One bot a database: a lock beside the file, which the system lets go of when the process ends in any way.

It is a lock of the operating system on a file `<database>.lock`, by `fcntl` or, on Windows, by `msvcrt`. The
file stays where it is: it says nothing by being there. SQLite's own locks would not do, as a bot holds none
of those between two transactions, and one that it held all the time would keep out backups, too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.model.errors import DatabaseInUse, DatabaseUnusable
from bot.store.drivers.sqlite.privacy import make_private

PATIENCE = 10.0
"""Seconds for which a bot waits for another one to go: in a restart they may overlap."""

_PAUSE = 0.1
"""Seconds between two attempts."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        """Raises `OSError` when another process holds the lock."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        """Raises `OSError` when another process holds the lock."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@asynccontextmanager
async def only_bot_on(database: Path, patience: float = PATIENCE) -> AsyncIterator[None]:
    """Be the only bot on that database. Raises `DatabaseInUse` after `patience`, and `DatabaseUnusable`."""
    try:
        file = _opened(database)
    except OSError as error:
        raise DatabaseUnusable(database, str(error)) from error
    try:
        until = time.monotonic() + patience
        while True:
            try:
                _lock(file)
                break
            except OSError:
                if time.monotonic() >= until:
                    raise DatabaseInUse(database) from None
            await asyncio.sleep(_PAUSE)
        yield
    finally:
        os.close(file)


def _opened(database: Path) -> int:
    """The file that is locked, beside the database itself where its path is a link. Raises `OSError`."""
    real = database.resolve()
    path = real.with_name(f"{real.name}.lock")
    make_private(path)
    return os.open(path, os.O_RDWR)
