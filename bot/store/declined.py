"""People who decline challenges: from one challenger, or from everybody.

A decline lasts until it is taken back, also when the challenger has their own data deleted and comes back.
So the row does not name the challenger: it holds a digest of both ids, which can tell if a challenge is
declined, and does not reveal whose.
"""

from __future__ import annotations

import hashlib

from bot.model.declined import Declined
from bot.store.connection import Connection

_EVERYBODY = b""
"""Stored in place of a digest by a person who declines everybody."""


async def is_declined(connection: Connection, user: int, challenger: int) -> bool:
    """True if the person declines challenges from that one, or from everybody."""
    statement = 'SELECT EXISTS (SELECT 1 FROM declined WHERE "user" = $1 AND challenger IN ($2, $3))'
    return bool(await connection.fetchval(statement, user, _EVERYBODY, _digest(user, challenger)))


async def declined_by(connection: Connection, user: int) -> Declined:
    """Everything the person has declined."""
    row = await connection.fetchrow(
        """
        SELECT count(*) FILTER (WHERE challenger = $2) AS everybody,
            count(*) FILTER (WHERE challenger != $2) AS people
        FROM declined WHERE "user" = $1
        """,
        user,
        _EVERYBODY,
    )
    return Declined(everybody=bool(row["everybody"]), people=row["people"])


async def decline(connection: Connection, user: int, challenger: int | None) -> None:
    """Decline challenges of that challenger; with `None`, of everybody."""
    statement = 'INSERT INTO declined ("user", challenger) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    await connection.execute(statement, user, _digest(user, challenger))


async def accept(connection: Connection, user: int, challenger: int | None) -> None:
    """Undo `decline` for that challenger; with `None`, for all, each and everybody."""
    if challenger is None:
        await connection.execute('DELETE FROM declined WHERE "user" = $1', user)
    else:
        statement = 'DELETE FROM declined WHERE "user" = $1 AND challenger = $2'
        await connection.execute(statement, user, _digest(user, challenger))


def _digest(user: int, challenger: int | None) -> bytes:
    """The digest for a challenger in a person's row; `_EVERYBODY` for `None`."""
    if challenger is None:
        return _EVERYBODY
    return hashlib.blake2b(f"{user} {challenger}".encode(), digest_size=16).digest()
