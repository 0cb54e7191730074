"""People who want to be reminded of slow games, with the times of their last reminder and press."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.connection import Connection, Database

DAY: Final = 86_400
"""Time (s) between two reminders to a person, at least."""

QUIET: Final = 6 * 3_600
"""Time (s) without a press of the person before a reminder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A person's wish to be reminded."""

    user: int
    rung: int
    """Time (s since 1970) at which the last reminder was sent; 0 for never."""
    seen: int
    """Time (s since 1970) of their last noted press."""
    is_refused: bool
    """True if Discord has refused a reminder, which ends them."""


class ReminderStore:
    """The wishes of people. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, user: int) -> Reminder | None:
        """The person's wish; `None` if they want none."""

        async def work(connection: Connection) -> Reminder | None:
            row = await connection.fetchrow(
                """SELECT * FROM reminders WHERE "user" = $1 AND state <> 'off'""", user
            )
            if row is None:
                return None
            return Reminder(
                user=row["user"], rung=row["rung"], seen=row["seen"], is_refused=row["state"] == "refused"
            )

        return await self._database.read_one(work)

    async def want(self, user: int, now: int) -> None:
        """Remind the person from now on; again, if Discord had refused it."""
        await self._write(
            """
            INSERT INTO reminders ("user", rung, seen, state) VALUES ($1, 0, $2, 'on')
            ON CONFLICT ("user") DO UPDATE SET seen = excluded.seen, state = 'on'
            """,
            *(user, now),
        )

    async def want_none(self, user: int) -> None:
        """Remind the person no more."""
        await self._write("""UPDATE reminders SET state = 'off' WHERE "user" = $1""", user)

    async def drop_unwanted(self, now: int) -> None:
        """Delete the rows of people who want none, a day after the last one: until then it counts."""
        unwanted = "FROM reminders WHERE state = 'off' AND rung <= $1"
        found = await self._database.read_one(
            lambda connection: connection.fetchval(f"SELECT 1 {unwanted} LIMIT 1", now - DAY)
        )
        if found is not None:
            await self._write(f"DELETE {unwanted}", now - DAY)

    async def wanting(self) -> frozenset[int]:
        """The people who want reminders and get them."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch("""SELECT "user" FROM reminders WHERE state = 'on'""")
        )
        return frozenset(row["user"] for row in rows)

    async def due(self, now: int) -> tuple[int, ...]:
        """Those of them who were not reminded for `DAY`, and have pressed nothing for `QUIET`."""
        statement = """
            SELECT "user" FROM reminders WHERE state = 'on' AND rung <= $1 AND seen <= $2
            ORDER BY rung, "user"
        """
        rows = await self._database.read_one(
            lambda connection: connection.fetch(statement, now - DAY, now - QUIET)
        )
        return tuple(row["user"] for row in rows)

    async def saw(self, user: int, now: int) -> None:
        """Note that the person has pressed something."""
        await self._write('UPDATE reminders SET seen = $2 WHERE "user" = $1 AND seen < $2', user, now)

    async def claim(self, user: int, now: int) -> int | None:
        """Claim the person's reminder of this day; the time of the last one, or `None` if none is due."""

        async def work(connection: Connection) -> int | None:
            before: int | None = await connection.fetchval(
                """
                SELECT rung FROM reminders
                WHERE "user" = $1 AND state = 'on' AND rung <= $2 AND seen <= $3 FOR NO KEY UPDATE
                """,
                *(user, now - DAY, now - QUIET),
            )
            if before is not None:
                await connection.execute('UPDATE reminders SET rung = $2 WHERE "user" = $1', user, now)
            return before

        return await self._database.write(work)

    async def not_sent(self, user: int, now: int, before: int) -> None:
        """Give up the claim of `now`, as the reminder has certainly not been sent."""
        await self._write('UPDATE reminders SET rung = $3 WHERE "user" = $1 AND rung = $2', user, now, before)

    async def refused(self, user: int) -> None:
        """Note that Discord has refused it: no more reminders."""
        await self._write("""UPDATE reminders SET state = 'refused' WHERE "user" = $1""", user)

    async def _write(self, statement: str, *values: int) -> None:
        await self._database.write(lambda connection: connection.execute(statement, *values))
