"""Honest decks: secrets, what others gave to them, and the chain that each log is.

A secret is read by who deals, and, once its game has ended, by who checks it; no record of a table holds it.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.deck import Deck
from bot.store import deck_rows
from bot.store.connection import Connection
from bot.store.damage import reading
from engine import Entry
from engine.fair import CHAIN_BEGINS, Proof, Terms, commitment, lengthened


async def insert_deck(connection: Connection, game: str, secret: bytes) -> None:
    """Keep the secret of a new table, and commit to it."""
    await connection.execute("INSERT INTO decks (game, secret) VALUES ($1, $2)", game, secret)
    await connection.execute("UPDATE games SET commitment = $2 WHERE id = $1", game, commitment(game, secret))


async def deck(connection: Connection, game: str) -> Deck | None:
    """The deck of that game. Raises `DamagedGame`."""
    row = await connection.fetchrow("SELECT * FROM decks WHERE game = $1", game)
    if row is None:
        return None
    words = await connection.fetch('SELECT "user", word FROM words WHERE game = $1', game)
    async with reading(connection, game, "its deck"):
        return deck_rows.deck_of(row, words)


async def note_message(connection: Connection, game: str, message: int) -> None:
    """Keep which message showed the commitment first; of later ones nothing is kept."""
    await connection.execute(
        "UPDATE decks SET message = $2 WHERE game = $1 AND message IS NULL", game, message
    )


async def write_word(connection: Connection, game: str, user: int, word: str | None) -> None:
    """Put the person's own word in the place of their earlier one; `None` takes it back."""
    await connection.execute('DELETE FROM words WHERE game = $1 AND "user" = $2', game, user)
    if word is not None:
        await connection.execute(
            'INSERT INTO words (game, "user", word) VALUES ($1, $2, $3)', game, user, word
        )


async def seal(connection: Connection, game: str, terms: Terms | None) -> None:
    """Fix the terms of a game that begins, and begin the chain of its log."""
    await connection.execute("DELETE FROM words WHERE game = $1", game)
    if terms is not None:
        await connection.execute(
            "UPDATE decks SET terms = $2, seal = $3 WHERE game = $1", game, terms.canonical, terms.seal
        )
        await connection.execute("UPDATE games SET head = $2 WHERE id = $1", game, CHAIN_BEGINS)


async def lengthen(connection: Connection, game: str, link: bytes | None, entries: Iterable[Entry]) -> None:
    """Add events to the chain, whose head is `link`, if the game has one. Raises `DamagedGame`."""
    if link is not None:
        async with reading(connection, game, "its table"):
            link = lengthened(bytes(link), entries)
        await connection.execute("UPDATE games SET head = $2 WHERE id = $1", game, link)


async def head(connection: Connection, game: str) -> str | None:
    """The head of the log's chain, in hexadecimal. Raises `DamagedGame`."""
    found = await connection.fetchval("SELECT head FROM games WHERE id = $1", game)
    if found is None:
        return None
    async with reading(connection, game, "its table"):
        return deck_rows.head_of(found)


async def proof(connection: Connection, game: str) -> Proof | None:
    """What a game that has ended can be checked by. Raises `DamagedGame`."""
    row = await connection.fetchrow(
        "SELECT decks.*, status, head FROM decks JOIN games ON id = game WHERE game = $1", game
    )
    if row is None or row["terms"] is None:
        return None
    log = await connection.fetch(
        "SELECT kind, body, codec FROM events WHERE game = $1 ORDER BY version", game
    )
    async with reading(connection, game, "its deck"):
        return None if deck_rows.is_open(row) else deck_rows.proof_of(row, log)


async def check_chain(connection: Connection, game: str) -> None:
    """Raises `DamagedGame` when the log is not the one whose head is kept."""
    found = await head(connection, game)
    if found is not None:
        rows = await connection.fetch(
            "SELECT kind, body, codec FROM events WHERE game = $1 ORDER BY version", game
        )
        async with reading(connection, game, "its log"):
            deck_rows.require_chain(rows, found)


async def forget_word(connection: Connection, game: str, user: int) -> None:
    """Delete what the person gave to that game; what was sealed with it cannot be checked any more."""
    row = await connection.fetchrow(
        'SELECT seat, terms FROM decks JOIN seats USING (game) WHERE game = $1 AND "user" = $2', game, user
    )
    if row is not None and deck_rows.has_word(row["terms"], row["seat"]):
        left = deck_rows.without_word(row["terms"], row["seat"])
        await connection.execute("UPDATE decks SET terms = $2, forgotten = true WHERE game = $1", game, left)


async def word_of(connection: Connection, game: str, seat: int) -> str | None:
    """What the person of that seat gave to the game, if that was anything, and can be read."""
    return deck_rows.word_in(await connection.fetchval("SELECT terms FROM decks WHERE game = $1", game), seat)
