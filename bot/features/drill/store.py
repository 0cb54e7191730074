"""People's records in drills. A question counts once, and not after a later one has counted."""

from __future__ import annotations

from datetime import date

from bot.features.drill.records import Kind, Record, Told
from bot.store import daily
from bot.store.connection import Connection, Database, Row
from engine.coach import DailyHand

MOST_DONE = 500
"""Limit of the deals in a record that are not asked again: the latest ones."""

_ADD = """
    INSERT INTO drills ("user", kind, asked, given, answers, hits, streak, longest, timed, spent, done)
    VALUES ($1, $2, 0, '', 0, 0, 0, 0, 0, 0, '') ON CONFLICT DO NOTHING
"""

_KEEP = """
    UPDATE drills SET asked = $3, given = $4, answers = $5, hits = $6, streak = $7, longest = $8, timed = $9,
        spent = $10, done = $11
    WHERE "user" = $1 AND kind = $2
"""


class DrillStore:
    """The store of drills. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def records(self, user: int) -> dict[Kind, Record]:
        """The person's records in the kinds of which they have answered a question."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch('SELECT * FROM drills WHERE "user" = $1', user)
        )
        found = {row["kind"]: _record_of(row) for row in rows}
        return {kind: found[kind.value] for kind in Kind if kind.value in found}

    async def done(self, user: int) -> frozenset[str]:
        """The deals whose discards the person has answered."""
        statement = 'SELECT done FROM drills WHERE "user" = $1 AND kind = $2'
        done: str | None = await self._database.read_one(
            lambda connection: connection.fetchval(statement, user, Kind.DISCARDS.value)
        )
        return frozenset((done or "").split())

    async def answered(
        self, user: int, kind: Kind, *, asked: int, now: int, given: str, is_hit: bool, done: str = ""
    ) -> Told:
        """Take the answer to the question that was `asked` then (ms since 1970), and is answered `now`.

        A later answer to the same question changes nothing. `done` is the deal that is not asked again.
        """

        async def work(connection: Connection) -> Told:
            await connection.execute(_ADD, user, kind.value)
            row = await connection.fetchrow(
                'SELECT * FROM drills WHERE "user" = $1 AND kind = $2 FOR NO KEY UPDATE', user, kind.value
            )
            record = _record_of(row)
            if asked == row["asked"]:
                return Told(record=record, given=row["given"], is_counted=True)
            if not row["asked"] < asked <= now:
                return Told(record=record, given=given, is_counted=False)
            after = record.after(is_hit=is_hit, time=now - asked)
            deals = [*(each for each in row["done"].split() if each != done), *([done] if done else [])]
            figures = (after.answers, after.hits, after.streak, after.longest, after.timed, after.spent)
            await connection.execute(
                _KEEP, user, kind.value, asked, given, *figures, " ".join(deals[-MOST_DONE:])
            )
            return Told(record=after, given=given, is_counted=True)

        return await self._database.write(work)

    async def past_days(self, today: date) -> tuple[date, ...]:
        """The days before `today` that have a daily hand, the newest first."""
        return await self._database.read_one(lambda connection: daily.past_days(connection, today))

    async def past_hand(self, day: date, today: date) -> DailyHand | None:
        """The daily hand of a day before `today`, if there is one."""
        return await self._database.read_one(lambda connection: daily.past_hand(connection, day, today))


def _record_of(row: Row) -> Record:
    return Record(
        answers=row["answers"],
        hits=row["hits"],
        streak=row["streak"],
        longest=row["longest"],
        timed=row["timed"],
        spent=row["spent"],
    )
