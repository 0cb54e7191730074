"""Rate limits that processes share: IDENTIFY, and requests that Discord counts.

A row per limit holds the time, by the database's clock, at which the next slot is free; a call takes the slot
and moves that time on, under the row's lock. A crash of the server may lose it (`synchronous_commit` off).
"""

from __future__ import annotations

from bot.model.errors import StoreUnavailable
from bot.store.connection import Connection
from bot.store.drivers.postgresql.database import PostgresDatabase


class SharedPacing:
    """The shared turns to identify and slots for requests."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def turn(self, key: int, period: float, ahead: float) -> tuple[float, bool]:
        """Take the next turn to identify with that rate limit key, if it is at most `ahead` seconds off.

        Returns the delay (s) of that turn, and true if it was taken. Turns of a key are `period` seconds
        apart. Raises `StoreUnavailable`.
        """

        async def work(connection: Connection) -> tuple[float, bool]:
            await connection.execute("SET LOCAL synchronous_commit = off")
            row = await connection.fetchrow(
                """
                WITH taken AS (
                    INSERT INTO identify_turns AS turn (key, free_at)
                    VALUES ($1, clock_timestamp() + make_interval(secs => $2))
                    ON CONFLICT (key) DO UPDATE SET
                        free_at = greatest(turn.free_at, clock_timestamp()) + make_interval(secs => $2)
                    WHERE turn.free_at <= clock_timestamp() + make_interval(secs => $3)
                    RETURNING extract(epoch FROM free_at - clock_timestamp())::float8 - $2 AS seconds
                )
                SELECT
                    (SELECT seconds FROM taken) AS taken,
                    (SELECT extract(epoch FROM free_at - clock_timestamp())::float8
                        FROM identify_turns WHERE key = $1) AS next
                """,
                *(key, period, ahead),
            )
            if row["taken"] is not None:
                return max(0.0, row["taken"]), True
            # The statement may see the row as it was before a concurrent turn.
            return max(ahead, row["next"] or 0.0), False

        return await self._database.write(work)

    async def slots(self, count: int, rate: int) -> float | None:
        """Take `count` consecutive slots, of `rate` a second. Returns the delay (s) of the first.

        `None` if the database does not answer in time.
        """
        try:
            return await self._next(
                """
                INSERT INTO request_slots AS slot (one, free_at)
                VALUES (1, clock_timestamp() + make_interval(secs => $1))
                ON CONFLICT (one) DO UPDATE SET
                    free_at = greatest(slot.free_at, clock_timestamp()) + make_interval(secs => $1)
                RETURNING extract(epoch FROM free_at - clock_timestamp())::float8 - $1
                """,
                count / rate,
            )
        except StoreUnavailable:
            return None

    async def _next(self, statement: str, *values: float) -> float:
        async def work(connection: Connection) -> float:
            await connection.execute("SET LOCAL synchronous_commit = off")
            seconds: float = await connection.fetchval(statement, *values)
            return max(0.0, seconds)

        return await self._database.write(work)
