"""Tokens of writes, which tell the outcome of a commit whose answer was lost.

Each write begins by storing its token: a number that grows, in the row of a writer, of which there are as
many as concurrent writes. To store the same token once more waits for the first transaction, should it still
be in progress, and finds its number if it was committed. A transaction id does not tell: a server that has
crashed gives those of unfinished transactions to others.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from itertools import count

from bot.model.errors import LeaseLost
from bot.store.connection import Connection

_BITS = 63
"""Size of a writer's random key, a positive bigint."""

_SEEN = "ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = now()"

_STORE = f"INSERT INTO commits (writer, number) VALUES ($1, $2) {_SEEN}"  # noqa: S608 -- SQL of this module's own

# The row lock delays striking this process off until the transaction has ended.
_STORE_AS_MEMBER = f"""
    INSERT INTO commits (writer, number)
    SELECT $1, $2 FROM (SELECT 1 FROM members WHERE number = $3 FOR KEY SHARE) AS member
    {_SEEN} RETURNING 1
"""  # noqa: S608 -- as above

_STORE_AGAIN = f"{_STORE} WHERE commits.number < excluded.number RETURNING 1"

_PRUNE = "DELETE FROM commits WHERE at < now() - interval '1 day'"


@dataclass(frozen=True, slots=True)
class Token:
    """The token of one write."""

    writer: int
    number: int


class Tokens:
    """Makes the tokens of one process."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._idle: list[int] = []
        """Writers that no write is using."""

    def take(self) -> Token:
        """A token for one transaction, whose writer nobody else uses."""
        writer = self._idle.pop() if self._idle else secrets.randbits(_BITS)
        return Token(writer, next(self._numbers))

    def give_back(self, token: Token) -> None:
        """Let the next write use the writer: its transaction has ended.

        One whose end is in doubt may lock the writer's row for as long as the server takes it for alive.
        """
        self._idle.append(token.writer)


async def store(connection: Connection, token: Token, member: int | None) -> None:
    """Store the token of a write that begins. Raises `LeaseLost` if `member` was struck off."""
    if member is None:
        await connection.execute(_STORE, token.writer, token.number)
    elif await connection.fetchval(_STORE_AS_MEMBER, token.writer, token.number, member) is None:
        raise LeaseLost


async def was_committed(connection: Connection, token: Token) -> bool:
    """True if a transaction with that token was committed; if not, it will not be any more."""
    return await connection.fetchval(_STORE_AGAIN, token.writer, token.number) is None


async def prune(connection: Connection) -> None:
    """Delete the rows of writers of long ago, about which nobody will ask."""
    await connection.execute(_PRUNE)
