"""Who takes whose challenges no more, in the SQLite file; see `bot.store.declining`."""

from __future__ import annotations

import sqlite3

from bot.model.declined import Declined
from bot.store.declining import EVERYBODY, digest


def is_declined(connection: sqlite3.Connection, user: int, challenger: int) -> bool:
    """Whether the person takes no challenge from that one: by name, or as from everybody."""
    found = connection.execute(
        "SELECT 1 FROM declined WHERE user = ? AND challenger IN (?, ?)",
        (user, EVERYBODY, digest(user, challenger)),
    )
    return found.fetchone() is not None


def declined_by(connection: sqlite3.Connection, user: int) -> Declined:
    """All that the person has declined."""
    everybody, people = connection.execute(
        """
        SELECT ifnull(sum(challenger = :everybody), 0), ifnull(sum(challenger != :everybody), 0)
        FROM declined WHERE user = :user
        """,
        {"user": user, "everybody": EVERYBODY},
    ).fetchone()
    return Declined(everybody=bool(everybody), people=people)


def decline(connection: sqlite3.Connection, user: int, challenger: int | None) -> None:
    """Take no challenge from that person any more, or, with `None`, from anybody."""
    key = digest(user, challenger)
    connection.execute("INSERT OR IGNORE INTO declined (user, challenger) VALUES (?, ?)", (user, key))


def accept(connection: sqlite3.Connection, user: int, challenger: int | None) -> None:
    """Take challenges from that person again, if not from everybody; with `None`, all from everybody."""
    if challenger is None:
        connection.execute("DELETE FROM declined WHERE user = ?", (user,))
    else:
        key = digest(user, challenger)
        connection.execute("DELETE FROM declined WHERE user = ? AND challenger = ?", (user, key))
