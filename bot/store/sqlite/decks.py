"""Honest decks, in the SQLite file: secrets, what others gave to them, and the chain that each log is.

A secret is read by who deals, and, once its game has ended, by who checks it; no record of a table holds it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from bot.model.deck import Deck
from bot.store import deck_rows
from bot.store.sqlite.damage import reading
from engine import Entry
from engine.fair import CHAIN_BEGINS, Proof, Terms, commitment, lengthened


def insert_deck(connection: sqlite3.Connection, game: str, secret: bytes) -> None:
    """Keep the secret of a new table, and commit to it."""
    connection.execute("INSERT INTO decks (game, secret) VALUES (?, ?)", (game, secret))
    connection.execute("UPDATE games SET commitment = ? WHERE id = ?", (commitment(game, secret), game))


def deck(connection: sqlite3.Connection, game: str) -> Deck | None:
    """The deck of that game. Raises `DamagedGame`."""
    row = connection.execute("SELECT * FROM decks WHERE game = ?", (game,)).fetchone()
    if row is None:
        return None
    words = connection.execute("SELECT user, word FROM words WHERE game = ?", (game,)).fetchall()
    with reading(connection, game, "its deck"):
        return deck_rows.deck_of(row, words)


def note_message(connection: sqlite3.Connection, game: str, message: int) -> None:
    """Keep which message showed the commitment first; of later ones nothing is kept."""
    connection.execute("UPDATE decks SET message = ? WHERE game = ? AND message IS NULL", (message, game))


def write_word(connection: sqlite3.Connection, game: str, user: int, word: str | None) -> None:
    """Put the person's own word in the place of their earlier one; `None` takes it back."""
    connection.execute("DELETE FROM words WHERE game = ? AND user = ?", (game, user))
    if word is not None:
        connection.execute("INSERT INTO words (game, user, word) VALUES (?, ?, ?)", (game, user, word))


def seal(connection: sqlite3.Connection, game: str, terms: Terms | None) -> None:
    """Fix the terms of a game that begins, and begin the chain of its log."""
    connection.execute("DELETE FROM words WHERE game = ?", (game,))
    if terms is not None:
        connection.execute(
            "UPDATE decks SET terms = ?, seal = ? WHERE game = ?", (terms.canonical, terms.seal, game)
        )
        connection.execute("UPDATE games SET head = ? WHERE id = ?", (CHAIN_BEGINS, game))


def lengthen(connection: sqlite3.Connection, game: str, entries: Iterable[Entry]) -> None:
    """Add events to the chain, if the game has one. Raises `DamagedGame`."""
    (link,) = connection.execute("SELECT head FROM games WHERE id = ?", (game,)).fetchone()
    if link is not None:
        with reading(connection, game, "its table"):
            link = lengthened(bytes(link), entries)
        connection.execute("UPDATE games SET head = ? WHERE id = ?", (link, game))


def head(connection: sqlite3.Connection, game: str) -> str | None:
    """The head of the log's chain, in hexadecimal. Raises `DamagedGame`."""
    row = connection.execute("SELECT head FROM games WHERE id = ?", (game,)).fetchone()
    if row is None or row["head"] is None:
        return None
    with reading(connection, game, "its table"):
        return deck_rows.head_of(row["head"])


def proof(connection: sqlite3.Connection, game: str) -> Proof | None:
    """What a game that has ended can be checked by. Raises `DamagedGame`."""
    row = connection.execute(
        "SELECT decks.*, status, head FROM decks JOIN games ON id = game WHERE game = ?", (game,)
    ).fetchone()
    if row is None or row["terms"] is None:
        return None
    with reading(connection, game, "its deck"):
        if deck_rows.is_open(row):
            return None
        log = "SELECT kind, body, codec FROM events WHERE game = ? ORDER BY version"
        return deck_rows.proof_of(row, connection.execute(log, (game,)).fetchall())


def check_chain(connection: sqlite3.Connection, game: str) -> None:
    """Raises `DamagedGame` when the log is not the one whose head is kept."""
    found = head(connection, game)
    if found is not None:
        rows = connection.execute(
            "SELECT kind, body, codec FROM events WHERE game = ? ORDER BY version", (game,)
        ).fetchall()
        with reading(connection, game, "its log"):
            deck_rows.require_chain(rows, found)


def forget_word(connection: sqlite3.Connection, game: str, user: int) -> None:
    """Delete what the person gave to that game; what was sealed with it cannot be checked any more."""
    row = connection.execute(
        "SELECT seat, terms FROM decks JOIN seats USING (game) WHERE game = ? AND user = ?", (game, user)
    ).fetchone()
    if row is not None and deck_rows.has_word(row["terms"], row["seat"]):
        left = deck_rows.without_word(row["terms"], row["seat"])
        connection.execute("UPDATE decks SET terms = ?, forgotten = 1 WHERE game = ?", (left, game))


def word_of(connection: sqlite3.Connection, game: str, seat: int) -> str | None:
    """What the person of that seat gave to the game, if that was anything, and can be read."""
    row = connection.execute("SELECT terms FROM decks WHERE game = ?", (game,)).fetchone()
    return None if row is None else deck_rows.word_in(row["terms"], seat)
