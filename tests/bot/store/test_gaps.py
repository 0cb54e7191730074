"""Wiping of gaps: traces of moved rows are overwritten, and nothing else is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.store.connection import Connection
from bot.store.drivers.sqlite import SqliteDatabase, gaps
from bot.store.drivers.sqlite.database import _truncate_write_ahead_log

TRACE = b"Ada Lovelace"


def integrity(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        found: str = connection.execute("PRAGMA integrity_check").fetchone()[0]
        return found


def leave(path: Path) -> int:
    """Write the trace into every gap, as rows do that move to another page; how many there are."""
    body = bytearray(path.read_bytes())
    left = 0
    for start in range(0, len(body), 4096):
        first, end = gaps._gap(bytes(body[start : start + 4096]), 100 if start == 0 else 0)
        if end - first > 3 * len(TRACE):
            middle = start + (first + end) // 2
            body[middle : middle + len(TRACE)] = TRACE
            left += 1
    path.write_bytes(body)
    return left


async def test_traces_in_the_gaps_of_pages_are_wiped_and_stay_away(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    database = await SqliteDatabase.open(path)

    async def fill(connection: Connection) -> None:
        await connection.execute("CREATE TABLE guests (number INTEGER PRIMARY KEY, name)")
        await connection.execute("CREATE INDEX names ON guests (name, number)")
        for number in range(2_000):
            await connection.execute("INSERT INTO guests VALUES ($1, $2)", number, f"Somebody {number}")

    async def rows(connection: Connection) -> list[tuple]:
        return [tuple(row) for row in await connection.fetch("SELECT * FROM guests ORDER BY number")]

    await database.write(fill)
    before = await database.read(rows)
    await database.close()
    left = leave(path)
    assert path.read_bytes().count(TRACE) == left > 20
    assert integrity(path) == "ok"

    database = await SqliteDatabase.open(path)
    assert await database.write(rows) == before, "the writer remembers the pages with the traces"
    await database.wipe([TRACE])
    assert path.read_bytes().count(TRACE) == 0
    assert integrity(path) == "ok"
    assert await database.read(rows) == before
    await database.write(
        lambda connection: connection.execute("UPDATE guests SET name = 'x' WHERE number % 3")
    )
    await database.exclusive(_truncate_write_ahead_log)
    assert path.read_bytes().count(TRACE) == 0, "what the writer remembered has not come back"
    assert integrity(path) == "ok"
    await database.close()


async def test_what_stands_in_rows_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    database = await SqliteDatabase.open(path)
    await database.write(lambda connection: connection.execute("CREATE TABLE names (name)"))
    await database.write(
        lambda connection: connection.execute("INSERT INTO names VALUES ($1)", TRACE.decode())
    )
    await database.wipe([TRACE, b"SQLite", b"CREATE"])
    await database.close()
    assert path.read_bytes().count(TRACE) == 1
    assert integrity(path) == "ok"


async def test_a_search_rests_after_each_small_piece_as_long_as_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rests = tmp_path / "large", list[float]()
    body = bytearray(5 * 262_144)
    body[16:18] = (4096).to_bytes(2, "big")
    body[-len(TRACE) :] = TRACE
    path.write_bytes(body)
    clock = iter(range(100))
    monkeypatch.setattr(gaps, "time", SimpleNamespace(thread_time=lambda: next(clock), sleep=rests.append))

    searched = gaps.Gaps(path)
    assert searched.search([TRACE]) == [len(body) // 4096 - 1]
    searched.close()
    assert rests == [1] * 5
