"""Leases of shards: a row per live process (member) and one per shard, by the database's clock.

A member renews in time (heartbeat). A late one is struck off by any that was in time, which frees its shards;
a member that was late itself strikes off none, since the database may have been unreachable for all. Numbers
of members grow, and are never used again: they are fencing tokens. Every write checks that its process is
still a member (`PostgresDatabase.fence`), so one that was struck off without noticing cannot write.

Each write locks its member's row in shared mode, so a member is struck off only between its writes.
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
"""Duration (s) of a membership after its renewal."""

CHANNEL = "fifteen_two_leases"
"""Channel of `NOTIFY` for changed leases; a hint only."""

T = TypeVar("T")

Accepted: TypeAlias = frozenset[int]
"""The ids of interactions."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of one shard; `handled` has the presses that its former holder handled recently."""

    shard: int
    member: int | None
    claimed_by: int | None
    handled: Accepted


@dataclass(frozen=True, slots=True)
class Standing:
    """All leases, and by member the end of its membership."""

    leases: tuple[Lease, ...]
    members: dict[int, datetime]


class PostgresLeases:
    """The leases of a bot's shards, for one of its processes."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._member = 0

    @property
    def member(self) -> int:
        """The number of this process; 0 before it has joined."""
        return self._member

    @property
    def lasts(self) -> float:
        """Duration (s) of a membership after its renewal."""
        return LASTS

    async def join(self, count: int) -> None:
        """Become a member of a bot with `count` shards. Raises `ShardsDiffer` and `StoreUnavailable`."""

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

        self._database.fence(None)  # a start that has failed has left, and is tried again by another number
        self._member = await self._database.write(work)
        self._database.fence(self._member)

    async def renew(self) -> Standing:
        """Renew this membership, strike off late members, and return the new standing.

        If this process was late itself, the database may have been unreachable: then all late members get as
        much time again. Raises `LeaseLost` if this one was struck off, and `StoreUnavailable`.
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
        """Take the free ones of these shards.

        Returns, per taken shard, the presses that its former holder handled recently; none after a crash.
        Raises `LeaseLost` and `StoreUnavailable`.
        """
        statement = """
            UPDATE leases SET member = $1, claimed_by = nullif(claimed_by, $1)
            WHERE shard = ANY($2) AND member IS NULL RETURNING shard, taken
        """
        rows: list[dict[str, Any]] = await self._notifying(
            lambda connection: connection.fetch(statement, self._member, sorted(shards))
        )
        return {row["shard"]: frozenset(json.loads(row["taken"])) for row in rows}

    async def claim(self, shards: Collection[int]) -> None:
        """Request the shards from their holders. Raises `LeaseLost` and `StoreUnavailable`."""
        statement = "UPDATE leases SET claimed_by = $1 WHERE shard = ANY($2) AND member != $1"
        await self._notifying(lambda connection: connection.execute(statement, self._member, sorted(shards)))

    async def settle(self) -> None:
        """Flush the writes behind of all games. Raises `LeaseLost` and `StoreUnavailable`."""
        await self._database.flush()

    async def hand_over(self, shard: int, handled: Accepted) -> bool:
        """Hand the shard over to its claimant, with the recently handled presses.

        False if there is no claim any more. Raises `LeaseLost` and `StoreUnavailable`.
        """
        await self._database.flush()
        statement = """
            UPDATE leases SET member = claimed_by, claimed_by = NULL, taken = $3
            WHERE shard = $1 AND member = $2 AND claimed_by != $2 RETURNING 1
        """
        values = (shard, self._member, json.dumps(sorted(handled)))
        return await self._notifying(lambda connection: connection.fetchval(statement, *values)) is not None

    async def leave(self, handled: Mapping[int, Accepted]) -> None:
        """End this membership, which frees its shards.

        `handled` has the recently handled presses of each shard. Raises `LeaseLost` and `StoreUnavailable`.
        """
        if not self._member:
            return
        await self._database.flush()

        async def work(connection: Connection) -> None:
            statement = "UPDATE leases SET taken = $3 WHERE shard = $1 AND member = $2"
            for shard, presses in handled.items():
                await connection.execute(statement, shard, self._member, json.dumps(sorted(presses)))
            await connection.execute("DELETE FROM members WHERE number = $1", self._member)

        await self._notifying(work)

    async def _notifying(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Commit the work, and notify all processes of changed leases."""

        async def notifying(connection: Connection) -> T:
            result = await work(connection)
            await connection.execute(f"NOTIFY {CHANNEL}")
            return result

        return await self._database.write(notifying)


async def _strike_off(connection: Connection) -> None:
    """Delete late members; one that is writing just now is skipped until the next time."""
    await connection.execute(
        """
        DELETE FROM members WHERE number IN (
            SELECT number FROM members WHERE until < now() FOR UPDATE SKIP LOCKED)
        """
    )


async def _give_time(connection: Connection) -> None:
    """Renew all late members.

    One that is renewing itself just now is skipped: two such processes would deadlock.
    """
    await connection.execute(
        f"""
        UPDATE members SET until = now() + interval '{LASTS} seconds' WHERE number IN (
            SELECT number FROM members WHERE until < now() FOR NO KEY UPDATE SKIP LOCKED)
        """  # noqa: S608 -- as above
    )


def _lease(row: dict[str, object]) -> Lease:
    handled = json.loads(str(row["taken"]))
    return Lease(row["shard"], row["member"], row["claimed_by"], frozenset(handled))  # type: ignore[arg-type]
