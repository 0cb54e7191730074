"""One bot per database: a lock of the operating system on a file `<database>.lock`.

The lock (`fcntl` or, on Windows, `msvcrt`) ends with the process, however that ends; the file stays, and
has no meaning alone. SQLite's own locks do not serve: a bot holds none between two transactions, and
holding one all the time would keep out backups, too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.model.errors import DatabaseInUse
from bot.store.drivers.sqlite.privacy import make_private
from bot.store.drivers.sqlite.trouble import refusal

PATIENCE = 10.0
"""Time (s) to wait for another bot to end: in a restart they may overlap."""

_PAUSE = 0.1
"""Delay (s) between two attempts."""

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
    """Hold the lock. Raises `DatabaseInUse` after `patience`, and `DatabaseUnusable`."""
    try:
        file = _opened(database)
    except OSError as error:
        raise refusal(database, error) from error
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
    """Open the lock file, which is beside the target of a symbolic link. Raises `OSError`."""
    real = database.resolve()
    path = real.with_name(f"{real.name}.lock")
    make_private(path)
    return os.open(path, os.O_RDWR)
