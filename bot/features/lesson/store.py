"""The step at which each person goes on, in their row of `people`, which their deletion takes along."""

from __future__ import annotations

from bot.store.connection import Connection, Database

_KEEP = """
    INSERT INTO people ("user", dms_closed, lesson) VALUES ($1, false, $2)
    ON CONFLICT ("user") DO UPDATE SET lesson = $2
"""


class LessonStore:
    """People's progress in the lesson. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def step(self, user: int) -> str | None:
        """The word of the step at which the person goes on; `None` before the lesson and after its end."""

        async def work(connection: Connection) -> str | None:
            word: str | None = await connection.fetchval('SELECT lesson FROM people WHERE "user" = $1', user)
            return word

        return await self._database.read_one(work)

    async def keep(self, user: int, step: str | None) -> None:
        """Store the word of the step at which the person goes on; `None` at the end."""
        await self._database.write(lambda connection: connection.execute(_KEEP, user, step))
