"""How rows of the PostgreSQL database are read that may be damaged; see `bot.store.damage`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.model.errors import StoreError
from bot.store.damage import UNREADABLE, damaged_game
from bot.store.postgresql.database import Connection


@asynccontextmanager
async def reading(connection: Connection, game: str, part: str | Callable[[], str]) -> AsyncIterator[None]:
    """Raises `DamagedGame` for a `part` of the game that cannot be read, as `its messages`."""
    try:
        yield
    except StoreError:
        raise
    except UNREADABLE as error:
        row = await connection.fetchrow("SELECT guild, host FROM games WHERE id = $1", game)
        seats = await connection.fetch(
            'SELECT "user" FROM seats WHERE game = $1 AND "user" > 0 ORDER BY seat', game
        )
        what = part if isinstance(part, str) else part()
        raise damaged_game(game, what, error, row, [each["user"] for each in seats]) from None
