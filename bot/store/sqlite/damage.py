"""How rows of the SQLite file are read that may be damaged; see `bot.store.damage`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from bot.model.errors import DamagedGame, StoreError
from bot.store.damage import UNREADABLE, damaged_game

as_text = partial(str, encoding="utf-8", errors="replace")
"""How texts are read: a byte that is none makes one value unreadable, not every row of a query."""


@contextmanager
def reading(connection: sqlite3.Connection, game: str, part: str | Callable[[], str]) -> Iterator[None]:
    """Raises `DamagedGame` for a `part` of the game that cannot be read, as `its messages`."""
    try:
        yield
    except StoreError:
        raise
    except UNREADABLE as error:
        raise damaged(connection, game, part if isinstance(part, str) else part(), error) from None


def damaged(connection: sqlite3.Connection, game: str, part: str, error: Exception) -> DamagedGame:
    """The error for that game, with who may clear its channel."""
    row = connection.execute("SELECT guild, host FROM games WHERE id = ?", (game,)).fetchone()
    seats = connection.execute("SELECT user FROM seats WHERE game = ? AND user > 0", (game,)).fetchall()
    return damaged_game(game, part, error, row and dict(row), (each["user"] for each in seats))
