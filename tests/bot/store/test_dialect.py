"""The store's SQL on SQLite: the translation of each spelling of PostgreSQL's, and works run to their end."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.store.connection import Connection
from bot.store.drivers.sqlite.dialect import SqliteConnection, as_stored, run, translated


@pytest.fixture
def raw() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("CREATE TABLE people (user INTEGER PRIMARY KEY, name TEXT, wins INTEGER)")
        connection.executemany(
            "INSERT INTO people VALUES (?, ?, ?)", [(1, "Ada", 3), (2, "Ben", 5), (3, "Cleo", 5)]
        )
        yield connection


@pytest.mark.parametrize(
    ("postgresql", "sqlite"),
    [
        ("SELECT $1", "SELECT ?"),
        ("SELECT $1::bigint, $2::text[]", "SELECT ?, ?"),
        ("SELECT wins::double precision", "SELECT wins"),
        ('ORDER BY kind COLLATE "C", level', "ORDER BY kind, level"),
        ('WHERE "user" = $1', "WHERE [user] = ?"),
        ('SELECT hidden."user" AS whose', "SELECT hidden.[user] AS whose"),
        ("SELECT greatest(least($1, told), version)", "SELECT max(min(?, told), version)"),
        ("SELECT 1 FROM games WHERE id = $1 FOR NO KEY UPDATE", "SELECT 1 FROM games WHERE id = ?"),
        ("SELECT 1 FROM games FOR UPDATE", "SELECT 1 FROM games"),
        ("(SELECT 1 FROM games FOR KEY SHARE)", "(SELECT 1 FROM games)"),
        ("WHERE id = ANY($1)", "WHERE id IN (SELECT value FROM json_each(?))"),
        ("WHERE id != ALL($1::bigint[])", "WHERE id NOT IN (SELECT value FROM json_each(?))"),
        ("LOCK TABLE finished IN SHARE ROW EXCLUSIVE MODE", ""),
        ("WHERE name = '' AND text = 'a::b, \"c\" and $1, it''s FOR UPDATE'",) * 2,
    ],
)
def test_each_spelling_is_translated(postgresql: str, sqlite: str) -> None:
    assert translated(postgresql).sql == sqlite


@pytest.mark.parametrize(
    ("statement", "bound"),
    [
        ("SELECT $1, $2", ("a", "b")),
        ("SELECT $2, $1", ["b", "a"]),
        ("SELECT $1, $2, $1", ["a", "b", "a"]),
        ("SELECT $2 WHERE x = ANY($1)", ["b", '["a"]']),
    ],
)
def test_values_are_bound_in_the_order_of_their_places(statement: str, bound: object) -> None:
    values = (["a"], "b") if "ANY" in statement else ("a", "b")
    assert translated(statement).bound(values) == bound
    assert list(translated(statement).each_bound([values])) == [bound]


def test_a_list_may_be_empty_or_a_set(raw: sqlite3.Connection) -> None:
    statement = 'SELECT name FROM people WHERE "user" = ANY($1) AND "user" != ALL($2)'

    async def names(connection: Connection, among: object, but: object) -> list[str]:
        return [row["name"] for row in await connection.fetch(statement, among, but)]

    assert run(lambda connection: names(connection, {1, 2, 3}, [2]), raw) == ["Ada", "Cleo"]
    assert run(lambda connection: names(connection, [], []), raw) == []
    assert run(lambda connection: names(connection, [3], frozenset()), raw) == ["Cleo"]


def test_a_mistyped_name_is_an_error_and_no_text(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        run(lambda connection: connection.fetch('SELECT 1 FROM people WHERE "usr" = $1', 1), raw)


def test_all_rows_are_changed_though_one_is_returned(raw: sqlite3.Connection) -> None:
    async def work(connection: Connection) -> list[sqlite3.Row]:
        assert await connection.fetchval("UPDATE people SET wins = wins + 1 RETURNING 1") == 1
        await connection.execute("BEGIN")
        row = await connection.fetchrow("DELETE FROM people WHERE wins = $1 RETURNING name", 6)
        await connection.execute("COMMIT")
        assert row["name"] == "Ben"
        return await connection.fetch("SELECT name, wins FROM people")

    assert [tuple(row) for row in run(work, raw)] == [("Ada", 4)]


def test_a_row_that_there_is_not_is_none(raw: sqlite3.Connection) -> None:
    async def work(connection: Connection) -> tuple[object, ...]:
        nobody = 'SELECT name FROM people WHERE "user" = $1'
        return (
            await connection.fetch(nobody, 9),
            await connection.fetchrow(nobody, 9),
            await connection.fetchval(nobody, 9),
            [row["name"] async for row in connection.cursor(nobody, 1)],
        )

    assert run(work, raw) == ([], None, None, ["Ada"])


def test_many_rows_are_written_in_the_order_of_the_statement(raw: sqlite3.Connection) -> None:
    async def work(connection: Connection) -> None:
        await connection.executemany(
            'INSERT INTO people AS kept (wins, "user", name) VALUES ($3, $1, $2) '
            'ON CONFLICT ("user") DO UPDATE SET wins = kept.wins + excluded.wins',
            [(1, "Ada", 10), (4, "Dan", 1)],
        )

    run(work, raw)
    found = raw.execute("SELECT * FROM people WHERE user IN (1, 4) ORDER BY user").fetchall()
    assert list(map(tuple, found)) == [(1, "Ada", 13), (4, "Dan", 1)]


def test_a_work_gives_back_what_it_returns_and_raises_what_it_raises(raw: sqlite3.Connection) -> None:
    async def fails(_: Connection) -> None:
        raise ZeroDivisionError

    assert run(lambda connection: connection.fetchval("SELECT 7"), raw) == 7
    with pytest.raises(ZeroDivisionError):
        run(fails, raw)


def test_a_work_that_awaits_anything_else_is_refused(raw: sqlite3.Connection) -> None:
    async def waits(connection: Connection) -> None:
        await connection.execute("DELETE FROM people")
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="await nothing but its connection"):
        run(waits, raw)


@pytest.mark.parametrize(
    ("number", "size"), [(0, 1), (127, 1), (128, 2), (40_000, 3), (-(2**31), 4), (2**40, 6), (2**60, 8)]
)
def test_a_number_is_sought_as_sqlite_stores_it(number: int, size: int) -> None:
    assert len(as_stored(number)) == size
    assert int.from_bytes(as_stored(number), "big", signed=True) == number


async def test_damaged_json_has_no_side(raw: sqlite3.Connection) -> None:
    raw.execute("CREATE TABLE result_seats (part)")
    raw.executemany("INSERT INTO result_seats VALUES (?)", [('{"side": 1}',), ("{",), ("{}",)])
    side = SqliteConnection.dialect.of_part("side")
    found = raw.execute(f"SELECT {side} FROM result_seats ORDER BY rowid").fetchall()
    assert [each[0] for each in found] == [1, None, None]
