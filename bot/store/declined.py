"""People who decline challenges of one challenger or of everybody, until they take it back or for a time.

A decline outlasts a deletion of the challenger's own data: they may come back. So the row does not name the
challenger. It has a digest of both ids, which can tell if a challenge is declined, and does not reveal whose.
Ids can be tried out, so the digest has a key (`key_from`) that is not in the database. With another key the
declines of single people are forgotten.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from itertools import permutations

from bot.model.declined import Declined
from bot.store.connection import Connection

BETWEEN_CALLS = 300
"""Time (s) until a challenger can call the same person again, unless both play together before."""

NOT_NOW = 86_400
"""Time (s) for which a person's first *Not now* to a challenger holds; it doubles with each further one."""

_MOST_DOUBLINGS = 5
"""Limit: a *Not now* holds for 32 days at most."""

REMEMBERED = 30 * 86_400
"""Time (s) after which a *Not now* that is over no longer makes the next one longer."""

_EVERYBODY = b""
"""Stored in place of a digest by a person who declines everybody."""

_MARK = 4
"""Size (bytes) of a digest's beginning that tells its key."""


def key_from(token: str) -> bytes:
    """The key of the digests, made from the bot's token: a secret that all processes have."""
    return hashlib.blake2b(token.encode(), digest_size=32, person=b"declined").digest()


async def declined_until(
    connection: Connection, user: int, challenger: int, *, key: bytes, now: int
) -> float | None:
    """Time (s since 1970) until which the person declines that challenger, maybe infinite; `None` if not."""
    rows = await connection.fetch(
        """
        SELECT until FROM declined
        WHERE "user" = $1 AND challenger IN ($2, $3) AND (until IS NULL OR until > $4)
        """,
        *(user, _EVERYBODY, _digest(user, challenger, key), now),
    )
    return max((math.inf if row["until"] is None else float(row["until"]) for row in rows), default=None)


async def declined_by(connection: Connection, user: int, *, key: bytes) -> Declined:
    """Everything the person has declined."""
    row = await connection.fetchrow(
        """
        SELECT count(*) FILTER (WHERE challenger = $2) AS everybody,
            count(*) FILTER (WHERE until IS NULL AND substr(challenger, 1, $3) = $4) AS people,
            count(*) FILTER (WHERE refusals > 0 AND until IS NOT NULL) AS not_now
        FROM declined WHERE "user" = $1
        """,
        *(user, _EVERYBODY, _MARK, mark_of(key)),
    )
    return Declined(everybody=bool(row["everybody"]), people=row["people"], not_now=row["not_now"])


async def decline(connection: Connection, user: int, challenger: int | None, *, key: bytes) -> None:
    """Decline challenges of that challenger; with `None`, of everybody."""
    await connection.execute(
        """
        INSERT INTO declined ("user", challenger) VALUES ($1, $2)
        ON CONFLICT ("user", challenger) DO UPDATE SET until = NULL
        """,
        *(user, _digest(user, challenger, key)),
    )


async def accept(connection: Connection, user: int, challenger: int | None, *, key: bytes = b"") -> None:
    """Undo `decline` and `refuse` for that challenger; with `None`, for all, each and everybody."""
    if challenger is None:
        await connection.execute('DELETE FROM declined WHERE "user" = $1', user)
    else:
        statement = 'DELETE FROM declined WHERE "user" = $1 AND challenger = $2'
        await connection.execute(statement, user, _digest(user, challenger, key))


async def note_call(connection: Connection, user: int, challenger: int, *, key: bytes, now: int) -> None:
    """Let the challenger, whose call the person does not decline, call them again in a few minutes."""
    await _put_off(connection, user, _digest(user, challenger, key), now + BETWEEN_CALLS, now)


async def refuse(connection: Connection, user: int, challenger: int, *, key: bytes, now: int) -> None:
    """Decline that challenger for a day, or for longer if the person has refused them lately."""
    digest = _digest(user, challenger, key)
    before = await connection.fetchval(
        'SELECT refusals FROM declined WHERE "user" = $1 AND challenger = $2 AND until > $3',
        *(user, digest, now - REMEMBERED),
    )
    until = now + NOT_NOW * 2 ** min(before or 0, _MOST_DOUBLINGS)
    await _put_off(connection, user, digest, until, now, refusals=1)


async def _put_off(
    connection: Connection, user: int, digest: bytes, until: int, now: int, *, refusals: int = 0
) -> None:
    """Write when a challenger may call the person again, unless never; delete what is over."""
    await connection.execute(
        "DELETE FROM declined WHERE until <= $1 AND (refusals = 0 OR until <= $2)", now, now - REMEMBERED
    )
    await connection.execute(
        """
        INSERT INTO declined AS kept ("user", challenger, until, refusals) VALUES ($1, $2, $3, $4)
        ON CONFLICT ("user", challenger)
        DO UPDATE SET until = excluded.until, refusals = kept.refusals + excluded.refusals
        WHERE kept.until IS NOT NULL
        """,
        *(user, digest, until, refusals),
    )


async def play_together(connection: Connection, people: Collection[int], *, key: bytes) -> None:
    """Forget whom of each other these people, whose game begins, have declined for a time."""
    await connection.executemany(
        'DELETE FROM declined WHERE "user" = $1 AND challenger = $2 AND until IS NOT NULL',
        [(user, _digest(user, challenger, key)) for user, challenger in permutations(people, 2)],
    )


def _digest(user: int, challenger: int | None, key: bytes) -> bytes:
    """The digest for a challenger in a person's row; `_EVERYBODY` for `None`."""
    if challenger is None:
        return _EVERYBODY
    digest = hashlib.blake2b(f"{user} {challenger}".encode(), digest_size=16).digest()
    return mark_of(key) + hashlib.blake2b(digest, key=key, digest_size=16).digest()


def mark_of(key: bytes) -> bytes:
    """Tells a key from others, and does not reveal it."""
    return hashlib.blake2b(key=key, digest_size=_MARK).digest()
