"""The `DailyHands` of the SQLite file: hands, answers, places, and where they are posted.

The secret never leaves this module (`bot.store.daily_rows`).
"""

from __future__ import annotations

import secrets
import sqlite3
from datetime import date
from typing import Any

from bot.features.daily.hands import DailyAnswer, DailyBest, DailyHands, DailyPlace, DailyPosting
from bot.store import daily_rows
from bot.store.sqlite.database import Database
from engine import Cards, spell
from engine.coach import DailyHand

_SEEN = "NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.user = played.user AND hidden.user != :user)"
"""Whether the person who asks may know of a row."""

PLACE_IN_ALL, PLACE_IN_SERVER = (
    f"""
    SELECT count(*) AS players, ifnull(sum(cost < :cost), 0) AS better FROM {table} AS played
    WHERE {where} AND {_SEEN}
    """  # noqa: S608 -- of texts of ours
    for table, where in (("daily_answers", "day = :day"), ("daily_here", "guild = :guild AND day = :day"))
)
"""Each reads an index alone: 1 ms among ten thousand players."""


class SqliteDaily(DailyHands):
    """See `DailyHands`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seed(self, day: date) -> bytes:
        """See `DailyHands.seed`."""
        secret = await self._database.read(_secret)
        if secret is None:
            secret = await self._database.write(_made_secret)
        return daily_rows.seed(secret, day)

    async def hand(self, day: date) -> DailyHand | None:
        """See `DailyHands.hand`."""
        return await self._database.read(lambda connection: _hand(connection, day))

    async def keep_hand(self, day: date, hand: DailyHand) -> DailyHand:
        """See `DailyHands.keep_hand`."""

        def work(connection: sqlite3.Connection) -> DailyHand:
            connection.execute(
                "INSERT OR IGNORE INTO daily_hands (day, hand) VALUES (?, ?)",
                (day.toordinal(), daily_rows.written(hand)),
            )
            connection.execute(
                "DELETE FROM daily_here WHERE day < ?",
                (day.toordinal() - daily_rows.KEPT,),
            )
            return _hand(connection, day) or hand

        return await self._database.write(work)

    async def answer(self, user: int, day: date) -> DailyAnswer | None:
        """See `DailyHands.answer`."""
        return await self._database.read(lambda connection: _answer(connection, user, day))

    async def keep_answer(self, user: int, day: date, given: Cards, cost: int) -> DailyAnswer:
        """See `DailyHands.keep_answer`."""

        def work(connection: sqlite3.Connection) -> DailyAnswer:
            if _answer(connection, user, day) is None:  # or it is damaged
                connection.execute(
                    "DELETE FROM daily_answers WHERE user = ? AND day = ?", (user, day.toordinal())
                )
            before = _answer(connection, user, date.fromordinal(day.toordinal() - 1))
            streak = 1 + (before.streak if before else 0)
            connection.execute(
                "INSERT OR IGNORE INTO daily_answers (user, day, given, cost, streak) VALUES (?, ?, ?, ?, ?)",
                (user, day.toordinal(), spell(given), cost, streak),
            )
            kept = _answer(connection, user, day)
            assert kept is not None, "it was just written"
            return kept

        return await self._database.write(work)

    async def appear(self, guild: int, user: int, name: str, answer: DailyAnswer) -> None:
        """See `DailyHands.appear`."""
        day = answer.day.toordinal()
        values = (guild, user, day, name, answer.cost, user, day)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                """
                INSERT INTO daily_here (guild, user, day, name, cost) SELECT ?, ?, ?, ?, ?
                WHERE EXISTS (SELECT 1 FROM daily_answers WHERE user = ? AND day = ?)
                ON CONFLICT DO UPDATE SET name = excluded.name, cost = excluded.cost
                """,
                values,
            )

        await self._database.write(work)

    async def place(self, user: int, answer: DailyAnswer, guild: int | None) -> DailyPlace:
        """See `DailyHands.place`."""
        statement = PLACE_IN_ALL if guild is None else PLACE_IN_SERVER
        values = {"user": user, "guild": guild, "day": answer.day.toordinal(), "cost": answer.cost}
        row = await self._database.read(lambda connection: connection.execute(statement, values).fetchone())
        return DailyPlace(place=row["better"] + 1, players=max(row["players"], 1))

    async def best(self, guild: int, day: date, most: int) -> DailyBest | None:
        """See `DailyHands.best`."""
        values = {"guild": guild, "day": day.toordinal(), "user": 0, "most": most}

        def work(connection: sqlite3.Connection) -> DailyBest | None:
            row = connection.execute(
                f"""
                SELECT count(*) AS players, min(cost) AS cost FROM daily_here AS played
                WHERE guild = :guild AND day = :day AND {_SEEN}
                """,  # noqa: S608
                values,
            ).fetchone()
            if not row["players"]:
                return None
            found = connection.execute(
                f"""
                SELECT name, count(*) OVER () AS best FROM daily_here AS played
                WHERE guild = :guild AND day = :day AND cost = :cost AND {_SEEN}
                ORDER BY user LIMIT :most
                """,  # noqa: S608
                {**values, "cost": row["cost"]},
            ).fetchall()
            return DailyBest(
                players=row["players"],
                cost=row["cost"],
                names=tuple(each["name"] for each in found),
                best=found[0]["best"],
            )

        return await self._database.read(work)

    async def claim_share(self, guild: int, user: int, day: date, *, claim: bool = True) -> bool:
        """See `DailyHands.claim_share`."""
        values = (claim, guild, user, day.toordinal(), not claim)
        statement = "UPDATE daily_here SET shared = ? WHERE guild = ? AND user = ? AND day = ? AND shared = ?"
        return await self._database.write(
            lambda connection: bool(connection.execute(statement, values).rowcount)
        )

    async def posting(self, guild: int) -> DailyPosting | None:
        """See `DailyHands.posting`."""

        return await self._database.read(lambda connection: _posting_of(connection, guild))

    async def keep_posting(self, guild: int, posting: DailyPosting | None) -> DailyPosting | None:
        """See `DailyHands.keep_posting`."""

        def work(connection: sqlite3.Connection) -> DailyPosting | None:
            if posting is None:
                connection.execute("DELETE FROM daily_posts WHERE guild = ?", (guild,))
                return None
            connection.execute(
                """
                INSERT INTO daily_posts (guild, channel, hour, posted) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET channel = excluded.channel, hour = excluded.hour,
                    posted = max(posted, excluded.posted)
                """,
                (guild, posting.channel, posting.hour, posting.posted.toordinal()),
            )
            return _posting_of(connection, guild)

        return await self._database.write(work)

    async def due(self, day: date, hour: int) -> tuple[DailyPosting, ...]:
        """See `DailyHands.due`."""

        def work(connection: sqlite3.Connection) -> tuple[DailyPosting, ...]:
            found = connection.execute(
                "SELECT * FROM daily_posts WHERE hour BETWEEN 0 AND ? AND posted < ? ORDER BY guild",
                (hour, day.toordinal()),
            )
            return tuple(map(daily_rows.posting_of, found.fetchall()))

        return await self._database.read(work)

    async def trying(self, guild: int, at: int) -> None:
        """See `DailyHands.trying`."""
        await self._write("UPDATE daily_posts SET tried = ? WHERE guild = ?", at, guild)

    async def not_posted(self, guild: int) -> None:
        """See `DailyHands.not_posted`."""
        await self._write("UPDATE daily_posts SET tried = NULL WHERE guild = ?", guild)

    async def posted(self, guild: int, day: date) -> None:
        """See `DailyHands.posted`."""
        await self._write(
            "UPDATE daily_posts SET posted = max(posted, ?), tried = NULL WHERE guild = ?",
            day.toordinal(),
            guild,
        )

    async def _write(self, statement: str, *values: int) -> None:
        await self._database.write(lambda connection: connection.execute(statement, values))


def known_of(connection: sqlite3.Connection, user: int) -> list[dict[str, Any]]:
    """A person's answers, and where they stood with them, for their export."""
    found = connection.execute("SELECT * FROM daily_answers WHERE user = ? ORDER BY day", (user,)).fetchall()
    here = connection.execute("SELECT * FROM daily_here WHERE user = ? ORDER BY guild", (user,)).fetchall()
    return daily_rows.known_about(found, here)


def names_of(connection: sqlite3.Connection, user: int) -> set[str]:
    """The names under which a person stands in servers."""
    return {
        name for (name,) in connection.execute("SELECT DISTINCT name FROM daily_here WHERE user = ?", (user,))
    }


def remove(connection: sqlite3.Connection, user: int) -> None:
    """Forget what a person has answered."""
    connection.execute("DELETE FROM daily_answers WHERE user = ?", (user,))
    connection.execute("DELETE FROM daily_here WHERE user = ?", (user,))


def _secret(connection: sqlite3.Connection) -> bytes | None:
    row = connection.execute("SELECT secret FROM daily_secret").fetchone()
    return None if row is None else bytes(row["secret"])


def _made_secret(connection: sqlite3.Connection) -> bytes:
    connection.execute(
        "INSERT OR IGNORE INTO daily_secret (one, secret) VALUES (1, ?)",
        (secrets.token_bytes(daily_rows.SECRET_BYTES),),
    )
    made = _secret(connection)
    assert made is not None, "it was just written"
    return made


def _hand(connection: sqlite3.Connection, day: date) -> DailyHand | None:
    row = connection.execute("SELECT hand FROM daily_hands WHERE day = ?", (day.toordinal(),)).fetchone()
    return None if row is None else daily_rows.hand_of(row["hand"])


def _answer(connection: sqlite3.Connection, user: int, day: date) -> DailyAnswer | None:
    row = connection.execute(
        """
        SELECT given, cost, streak, (SELECT max(streak) FROM daily_answers WHERE user = :user) AS longest
        FROM daily_answers WHERE user = :user AND day = :day
        """,
        {"user": user, "day": day.toordinal()},
    ).fetchone()
    return daily_rows.answer_of(row, day)


def _posting_of(connection: sqlite3.Connection, guild: int) -> DailyPosting | None:
    row = connection.execute("SELECT * FROM daily_posts WHERE guild = ?", (guild,)).fetchone()
    return None if row is None or row["hour"] not in daily_rows.HOURS else daily_rows.posting_of(row)
