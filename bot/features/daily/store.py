"""Daily hands: the hands, people's answers and places, and the channels that they are posted in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from bot.features.daily.hands import DailyAnswer, DailyBest, DailyPlace, DailyPosting, is_best
from bot.standings.milestones import WEEK
from bot.store import daily
from bot.store.connection import Connection, Database, Row
from engine import Cards, NotationError, cards, spell
from engine.coach import DailyHand

_KEPT: Final = 16
"""Days for which places in servers are kept, before a dealt day, which may itself be a week ago."""

_HOURS: Final = range(24)

_LAST_DAY: Final = date.max.toordinal() - 1
"""The last day with a successor, as an ordinal."""


_SEEN = """
    NOT EXISTS (SELECT 1 FROM hidden WHERE hidden."user" = played."user" AND hidden."user" != $1)
"""
"""True if the asker may know of a row."""

PLACE_IN_ALL, PLACE_IN_SERVER = (
    f"""
    SELECT count(*) AS players, count(*) FILTER (WHERE cost < $3) AS better FROM {table} AS played
    WHERE {where} AND {_SEEN}
    """  # noqa: S608 -- of texts of ours
    for table, where in (("daily_answers", "day = $2"), ("daily_here", "day = $2 AND guild = $4"))
)


class DailyStore:
    """The store of daily hands. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seed(self, day: date) -> bytes:
        """The seed of that day's hand."""
        return await daily.seed(self._database, "daily", day)

    async def hand(self, day: date) -> DailyHand | None:
        """The hand of that day; `None` if it was not dealt."""
        return await self._database.read_one(lambda connection: _hand(connection, day))

    async def keep_hand(self, day: date, hand: DailyHand) -> DailyHand:
        """Store the hand of that day unless one is stored; returns the stored one. Deletes old rankings."""

        async def work(connection: Connection) -> DailyHand:
            await connection.execute(
                "INSERT INTO daily_hands (day, hand) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                *(day.toordinal(), daily.written(hand)),
            )
            await connection.execute("DELETE FROM daily_here WHERE day < $1", day.toordinal() - _KEPT)
            return await _hand(connection, day) or hand

        return await self._database.write(work)

    async def answer(self, user: int, day: date) -> DailyAnswer | None:
        """The person's answer on that day."""
        return await self._database.read_one(lambda connection: _answer(connection, user, day))

    async def keep_answer(self, user: int, day: date, given: Cards, cost: int) -> DailyAnswer:
        """Store the person's answer unless they have answered before; returns the stored one."""

        async def work(connection: Connection) -> DailyAnswer:
            if await _answer(connection, user, day) is None:  # or it is damaged
                await connection.execute(
                    'DELETE FROM daily_answers WHERE "user" = $1 AND day = $2', user, day.toordinal()
                )
            before = await _answer(connection, user, date.fromordinal(day.toordinal() - 1))
            streak = 1 + (before.streak if before else 0)
            await connection.execute(
                """
                INSERT INTO daily_answers ("user", day, given, cost, streak) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT DO NOTHING
                """,
                *(user, day.toordinal(), spell(given), cost, streak),
            )
            kept = await _answer(connection, user, day)
            assert kept is not None, "it was just written"
            return kept

        return await self._database.write(work)

    async def appear(self, guild: int, user: int, name: str, answer: DailyAnswer) -> None:
        """Add the person, under this name, to the server's ranking; no effect if the answer was deleted."""
        values = (guild, user, answer.day.toordinal(), name, answer.cost)
        await self._database.write(
            lambda connection: connection.execute(
                """
                INSERT INTO daily_here (guild, "user", day, name, cost)
                SELECT $1, $2::bigint, $3::bigint, $4, $5
                WHERE EXISTS (SELECT 1 FROM daily_answers WHERE "user" = $2 AND day = $3 FOR KEY SHARE)
                ON CONFLICT (guild, day, "user") DO UPDATE SET name = excluded.name, cost = excluded.cost
                """,
                *values,
            )
        )

    async def has_perfect_week(self, user: int, day: date) -> bool:
        """True if the person's first `WEEK` days in a row with the best choice end that day."""
        statement = 'SELECT day, cost FROM daily_answers WHERE "user" = $1 AND day <= $2 ORDER BY day'
        last = day.toordinal()

        async def work(connection: Connection) -> bool:
            recent = await connection.fetch(
                'SELECT cost FROM daily_answers WHERE "user" = $1 AND day > $2 AND day <= $3',
                *(user, last - WEEK, last),
            )
            if sum(is_best(row["cost"]) for row in recent) < WEEK:
                return False  # as nearly always, without a look at the years before
            rows = await connection.fetch(statement, user, last)
            return _first_week([row["day"] for row in rows if is_best(row["cost"])]) == last

        return await self._database.read_one(work)

    async def place(self, user: int, answer: DailyAnswer, guild: int | None) -> DailyPlace:
        """The place of the person's answer in the server; in the world for `None`."""
        values = (user, answer.day.toordinal(), answer.cost)
        row = await self._database.read_one(
            lambda connection: (
                connection.fetchrow(PLACE_IN_ALL, *values)
                if guild is None
                else connection.fetchrow(PLACE_IN_SERVER, *values, guild)
            )
        )
        return DailyPlace(place=row["better"] + 1, players=max(row["players"], 1))

    async def best(self, guild: int, day: date, most: int) -> DailyBest | None:
        """The best of a day in the server, with at most `most` names; `None` if nobody has played."""
        values = (0, day.toordinal(), guild)

        async def work(connection: Connection) -> DailyBest | None:
            row = await connection.fetchrow(
                f"""
                SELECT count(*) AS players, min(cost) AS cost FROM daily_here AS played
                WHERE guild = $3 AND day = $2 AND {_SEEN}
                """,  # noqa: S608
                *values,
            )
            if not row["players"]:
                return None
            found = await connection.fetch(
                f"""
                SELECT name, count(*) OVER () AS best FROM daily_here AS played
                WHERE guild = $3 AND day = $2 AND cost = $4 AND {_SEEN}
                ORDER BY "user" LIMIT $5
                """,  # noqa: S608
                *(*values, row["cost"], most),
            )
            return DailyBest(
                players=row["players"],
                cost=row["cost"],
                names=tuple(each["name"] for each in found),
                best=found[0]["best"],
            )

        return await self._database.read(work)

    async def claim_share(self, guild: int, user: int, day: date, *, claim: bool = True) -> bool:
        """Claim the person's one share of that day in the server; False if it is claimed already.

        With `claim` False the claim is released, since the post has failed.
        """
        statement = """
            UPDATE daily_here SET shared = $1 WHERE guild = $2 AND "user" = $3 AND day = $4 AND shared = $5
            RETURNING 1
        """
        values = (claim, guild, user, day.toordinal(), not claim)
        changed = await self._database.write(lambda connection: connection.fetchval(statement, *values))
        return changed is not None

    async def posting(self, guild: int) -> DailyPosting | None:
        """The server's setting of the daily post, if it has one."""
        return await self._database.read_one(lambda connection: _posting_in(connection, guild))

    async def keep_posting(self, guild: int, posting: DailyPosting | None) -> DailyPosting | None:
        """Store the setting, or delete it; returns the stored one, in which a posted day stays posted."""

        async def work(connection: Connection) -> DailyPosting | None:
            if posting is None:
                await connection.execute("DELETE FROM daily_posts WHERE guild = $1", guild)
                return None
            await connection.execute(
                """
                INSERT INTO daily_posts AS kept (guild, channel, hour, posted) VALUES ($1, $2, $3, $4)
                ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel, hour = excluded.hour,
                    posted = greatest(kept.posted, excluded.posted)
                """,
                *(guild, posting.channel, posting.hour, posting.posted.toordinal()),
            )
            return await _posting_in(connection, guild)

        return await self._database.write(work)

    async def due(self, day: date, hour: int) -> tuple[DailyPosting, ...]:
        """The settings of servers whose post of that day is due by that hour (UTC)."""
        statement = "SELECT * FROM daily_posts WHERE hour BETWEEN 0 AND $1 AND posted < $2 ORDER BY guild"
        found = await self._database.read_one(
            lambda connection: connection.fetch(statement, hour, day.toordinal())
        )
        return tuple(map(_posting_of, found))

    async def trying(self, guild: int, at: int) -> None:
        """Record that an attempt to send begins now (`at`, s since 1970)."""
        await self._write("UPDATE daily_posts SET tried = $1 WHERE guild = $2", at, guild)

    async def not_posted(self, guild: int) -> None:
        """Record that the attempt has certainly failed."""
        await self._write("UPDATE daily_posts SET tried = NULL WHERE guild = $1", guild)

    async def posted(self, guild: int, day: date) -> None:
        """Record that the day needs no further post."""
        await self._write(
            "UPDATE daily_posts SET posted = greatest(posted, $1), tried = NULL WHERE guild = $2",
            *(day.toordinal(), guild),
        )

    async def _write(self, statement: str, *values: int) -> None:
        await self._database.write(lambda connection: connection.execute(statement, *values))


def _first_week(days: Iterable[int]) -> int | None:
    """The last of the first `WEEK` days in a row; `days` are ordinals in order."""
    run, before = 0, 0
    for day in days:
        run = run + 1 if day == before + 1 else 1
        before = day
        if run == WEEK:
            return day
    return None


async def _hand(connection: Connection, day: date) -> DailyHand | None:
    kept = await connection.fetchval("SELECT hand FROM daily_hands WHERE day = $1", day.toordinal())
    return None if kept is None else daily.hand_of(kept)


async def _answer(connection: Connection, user: int, day: date) -> DailyAnswer | None:
    row = await connection.fetchrow(
        """
        SELECT given, cost, streak,
            (SELECT max(streak) FROM daily_answers WHERE "user" = $1) AS longest
        FROM daily_answers WHERE "user" = $1 AND day = $2
        """,
        *(user, day.toordinal()),
    )
    return _answer_of(row, day)


async def _posting_in(connection: Connection, guild: int) -> DailyPosting | None:
    row = await connection.fetchrow("SELECT * FROM daily_posts WHERE guild = $1", guild)
    return None if row is None or row["hour"] not in _HOURS else _posting_of(row)


def _answer_of(row: Row | None, day: date) -> DailyAnswer | None:
    """The answer of a row; `None` without a row, or for a damaged one."""
    if row is None:
        return None
    try:
        given = cards(row["given"])
    except NotationError:
        return None
    return DailyAnswer(day=day, given=given, cost=row["cost"], streak=row["streak"], longest=row["longest"])


def _posting_of(row: Row) -> DailyPosting:
    """The posting of a row; a damaged day is moved to the nearest valid one."""
    return DailyPosting(
        guild=row["guild"],
        channel=row["channel"],
        hour=row["hour"],
        posted=date.fromordinal(min(max(row["posted"], 1), _LAST_DAY)),
        tried=row["tried"],
    )
