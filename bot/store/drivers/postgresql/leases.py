"""Leases of shards: a row for each live process and one for each shard, by the database's clock.

A process is a member as long as it says so in time. Who does not is struck off by any other that did, and its
shards are free; who was late itself strikes off nobody, as the database may have been out of reach for all.
A member's number grows and is never used again: every write of a process asks whether its own number still
stands (`fence`), so one that was struck off, and does not know it, writes nothing any more.

Members are struck off only between writes of theirs: each write holds a share of its member's row.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

from bot.model.errors import LeaseLost, ShardsDiffer
from bot.store.connection import Connection
from bot.store.drivers.postgresql.database import PostgresDatabase

LASTS = 5.0
"""Seconds for which a process is a member after it last said so."""

CHANNEL = "fifteen_two_leases"
"""On which everybody hears that a lease has changed; a hint only."""

T = TypeVar("T")

Accepted: TypeAlias = frozenset[int]
"""The ids of interactions."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of one shard."""

    shard: int
    member: int | None
    claimed_by: int | None
    taken: Accepted


@dataclass(frozen=True, slots=True)
class Standing:
    """All leases, and until when which processes live."""

    leases: tuple[Lease, ...]
    members: dict[int, datetime]


class PostgresLeases:
    """The leases of one bot's shards, as one of its processes asks for them."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._member = 0

    @property
    def member(self) -> int:
        """The number of this process; 0 before it has joined."""
        return self._member

    @property
    def lasts(self) -> float:
        """Seconds for which a process may be silent before it is given up."""
        return LASTS

    async def join(self, count: int) -> None:
        """Become a member of a bot with so many shards. Raises `ShardsDiffer` and `StoreUnavailable`."""

        async def work(connection: Connection) -> int:
            await connection.execute("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE")
            await _strike_off(connection)
            other = await connection.fetchval("SELECT shards FROM members WHERE shards != $1 LIMIT 1", count)
            if other is not None:
                raise ShardsDiffer(count, other)
            await connection.execute("DELETE FROM leases WHERE shard >= $1", count)
            await connection.execute(
                """
                INSERT INTO leases (shard) SELECT generate_series(0, $1::bigint - 1)
                ON CONFLICT (shard) DO NOTHING
                """,
                count,
            )
            member: int = await connection.fetchval(
                f"""
                INSERT INTO members (shards, until) VALUES ($1, now() + interval '{LASTS} seconds')
                RETURNING number
                """,  # noqa: S608 -- a number of this module's own
                count,
            )
            return member

        self._member = await self._database.write(work)
        self._database.fence(self._member)

    async def renew(self) -> Standing:
        """Say that this process lives, strike off who does not, and look.

        If this one is late, then perhaps nobody could say so: all who are late get as much time again.
        Raises `LeaseLost` when this one was struck off, and `StoreUnavailable`.
        """

        async def work(connection: Connection) -> Standing:
            was_late = await connection.fetchval(
                f"""
                WITH before AS (
                    SELECT number, until < now() AS was_late FROM members WHERE number = $1 FOR NO KEY UPDATE)
                UPDATE members SET until = now() + interval '{LASTS} seconds'
                FROM before WHERE members.number = before.number RETURNING was_late
                """,  # noqa: S608 -- as above
                self._member,
            )
            if was_late is None:
                raise LeaseLost
            await (_give_time if was_late else _strike_off)(connection)
            rows = await connection.fetch(
                "SELECT shard, member, claimed_by, taken FROM leases ORDER BY shard"
            )
            members = await connection.fetch("SELECT number, until FROM members")
            until = {row["number"]: row["until"] for row in members}
            return Standing(tuple(map(_lease, rows)), until)

        return await self._database.write(work)

    async def take(self, shards: Collection[int]) -> Mapping[int, Accepted]:
        """Take those of them that are free: which, and the presses that their last holders took.

        Of one that was killed they are not known. Raises `LeaseLost` and `StoreUnavailable`.
        """
        statement = """
            UPDATE leases SET member = $1, claimed_by = nullif(claimed_by, $1)
            WHERE shard = ANY($2) AND member IS NULL RETURNING shard, taken
        """
        rows: list[dict[str, Any]] = await self._tell(
            lambda connection: connection.fetch(statement, self._member, sorted(shards))
        )
        return {row["shard"]: frozenset(json.loads(row["taken"])) for row in rows}

    async def claim(self, shards: Collection[int]) -> None:
        """Ask their holders to hand them over. Raises `LeaseLost` and `StoreUnavailable`."""
        statement = "UPDATE leases SET claimed_by = $1 WHERE shard = ANY($2) AND member != $1"
        await self._tell(lambda connection: connection.execute(statement, self._member, sorted(shards)))

    async def settle(self) -> None:
        """Write what is written behind, of all games. Raises `LeaseLost` and `StoreUnavailable`."""
        await self._database.flush()

    async def hand_over(self, shard: int, taken: Accepted) -> bool:
        """Give the shard to who has claimed it, with the presses taken in the last seconds.

        False where nobody has any more. Raises `LeaseLost` and `StoreUnavailable`.
        """
        await self._database.flush()
        statement = """
            UPDATE leases SET member = claimed_by, claimed_by = NULL, taken = $3
            WHERE shard = $1 AND member = $2 AND claimed_by != $2 RETURNING 1
        """
        values = (shard, self._member, json.dumps(sorted(taken)))
        return await self._tell(lambda connection: connection.fetchval(statement, *values)) is not None

    async def leave(self, taken: Mapping[int, Accepted]) -> None:
        """Be a member no more: what this process holds is free at once.

        `taken` are the presses taken in the last seconds, by shard. Raises `LeaseLost` and
        `StoreUnavailable`.
        """
        if not self._member:
            return
        await self._database.flush()

        async def work(connection: Connection) -> None:
            statement = "UPDATE leases SET taken = $3 WHERE shard = $1 AND member = $2"
            for shard, presses in taken.items():
                await connection.execute(statement, shard, self._member, json.dumps(sorted(presses)))
            await connection.execute("DELETE FROM members WHERE number = $1", self._member)

        await self._tell(work)

    async def _tell(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def told(connection: Connection) -> T:
            result = await work(connection)
            await connection.execute(f"NOTIFY {CHANNEL}")
            return result

        return await self._database.write(told)


async def _strike_off(connection: Connection) -> None:
    """Give up who has not said in time that they live; who is just writing is looked at the next time."""
    await connection.execute(
        """
        DELETE FROM members WHERE number IN (
            SELECT number FROM members WHERE until < now() FOR UPDATE SKIP LOCKED)
        """
    )


async def _give_time(connection: Connection) -> None:
    """Let all who are late be members for as long as if they had just said that they live.

    Who is just saying so has no need of it, and is not waited for: two that did would wait for each other.
    """
    await connection.execute(
        f"""
        UPDATE members SET until = now() + interval '{LASTS} seconds' WHERE number IN (
            SELECT number FROM members WHERE until < now() FOR NO KEY UPDATE SKIP LOCKED)
        """  # noqa: S608 -- as above
    )


def _lease(row: dict[str, object]) -> Lease:
    taken = json.loads(str(row["taken"]))
    return Lease(row["shard"], row["member"], row["claimed_by"], frozenset(taken))  # type: ignore[arg-type]
