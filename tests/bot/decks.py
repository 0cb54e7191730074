"""Secrets of honest decks that a test knows, and decks of the first scheme, as an upgrade leaves them."""

from __future__ import annotations

from typing import Any

from bot.store.connection import Connection
from engine.fair import MOST_SEATS, Secrets
from engine.fair.ft1 import commitment

SECRET = bytes(range(32))
SECRETS = Secrets(secret=SECRET, salts=tuple(bytes([number]) * 32 for number in range(1, MOST_SEATS + 1)))


def secrets() -> Secrets:
    """The same for every table."""
    return SECRETS


async def put_under_first_scheme(store: Any, game: str, *words: tuple[int, str]) -> None:
    """Give the lobby a deck of the first scheme, with people's words, as it was before the upgrade."""

    async def work(connection: Connection) -> None:
        await connection.execute("DELETE FROM salts WHERE game = $1", game)
        await connection.execute(
            "UPDATE games SET commitment = $2 WHERE id = $1", game, commitment(game, SECRET)
        )
        for user, word in words:
            await connection.execute(
                'INSERT INTO words (game, "user", word) VALUES ($1, $2, $3)', game, user, word
            )

    await store.database.write(work)
