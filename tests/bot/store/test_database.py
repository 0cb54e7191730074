"""The SQLite driver's threads: aiosqlite, opening and closing, group commit, cache and writes behind."""

from __future__ import annotations

import ast
import asyncio
import inspect
import sqlite3
import sys
import threading
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
import pytest

from bot.model.errors import DatabaseUnusable, StaleGame, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.drivers.sqlite import database as database_module
from bot.store.people import SqlPeople
from bot.store.store import SqlStore
from tests.bot.store.opened import open_store, traced
from tests.patience import PATIENCE

T = TypeVar("T", SqliteDatabase, SqlStore)

ROOT = Path(__file__).parents[3]


def test_one_part_of_aiosqlite_that_is_not_public_is_used() -> None:
    tree = ast.parse((ROOT / "bot/store/drivers/sqlite/database.py").read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "_worker"
    }
    heirs = [
        ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases
    ]

    assert used == {"_execute", "close"}
    assert heirs == ["BaseDatabase"], "a subclass of aiosqlite's could use more of it unseen"


def test_it_runs_a_function_with_its_arguments() -> None:
    parameters = list(inspect.signature(aiosqlite.Connection._execute).parameters)

    assert parameters == ["self", "fn", "args", "kwargs"]


def test_no_other_version_of_aiosqlite_is_allowed_than_was_tried() -> None:
    """Versions 0.20, 0.21 and 0.22 were tried; try a newer one before raising the bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert "aiosqlite>=0.20,<0.23" in project["dependencies"]


async def test_a_database_that_cannot_be_opened_leaves_no_thread_that_waits(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary,\n" * 1000)
    before = set(threading.enumerate())
    with pytest.raises(DatabaseUnusable):
        await SqliteDatabase.open(path)
    await asyncio.get_running_loop().shutdown_default_executor()

    assert set(threading.enumerate()) <= before


async def test_a_database_is_closed_that_nobody_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    goes_on, connect = threading.Event(), database_module._connect

    def slow_connect(path: Path, patience: float, *, copies: bool) -> sqlite3.Connection:
        goes_on.wait(PATIENCE)
        opened.append(connect(path, patience, copies=copies))
        return opened[0]

    monkeypatch.setattr(database_module, "_connect", slow_connect)
    opening = asyncio.create_task(SqliteDatabase.open(tmp_path / "games.sqlite3"))
    await asyncio.sleep(0.05)
    opening.cancel()
    await asyncio.wait([opening])
    assert opening.cancelled()
    goes_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    async with asyncio.timeout(PATIENCE):
        while not _is_closed(opened[0]):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.005)


async def test_a_database_is_closed_that_is_given_up_while_its_thread_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = database_module._connect

    def noted(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **options))
        return opened[-1]

    async def given_up(_: aiosqlite.Connection) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(database_module, "_connect", noted)
    monkeypatch.setattr(aiosqlite.Connection, "__await__", lambda each: given_up(each).__await__())
    with pytest.raises(asyncio.CancelledError):
        await SqliteDatabase.open(tmp_path / "games.sqlite3")
    assert _is_closed(opened[0])


def _is_closed(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError as error:
        return "closed" in str(error)
    return False


async def test_cards_are_not_in_the_debug_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    card = "5H"
    await database.write(lambda connection: connection.fetch("SELECT $1", card))
    await database.close()

    assert "executing" in caplog.text
    assert card not in caplog.text


@asynccontextmanager
async def _closing(opened: T) -> AsyncIterator[T]:
    """Close it in any case, or a failed test would wait for the connection's thread."""
    try:
        yield opened
    finally:
        await opened.close()


async def test_what_is_asked_for_often_is_read_once_until_it_is_written(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.sqlite3")
    async with _closing(store):
        people = SqlPeople(store._database)
        read: list[str] = []
        await store._database.read(traced(read))
        for closed in (True, False):
            await store.prefer(7, dms_closed=closed)
            read.clear()
            assert [(await store.preferences(7)).dms_closed for _ in range(3)] == [closed] * 3
            assert len([each for each in read if each.lstrip().startswith("SELECT")]) == 1
        await store.prefer(7, dms_closed=True)
        assert (await store.preferences(7)).dms_closed
        await people.forget(7)
        assert not (await store.preferences(7)).dms_closed
    with pytest.raises(StoreUnavailable):
        await store.preferences(7)


async def test_what_was_read_while_it_was_written_is_read_again(tmp_path: Path) -> None:
    numbers = iter(range(9))

    async def count(_: Connection) -> int:
        return next(numbers)

    async with _closing(await SqliteDatabase.open(tmp_path / "games.sqlite3")) as database:
        reading = asyncio.create_task(database.cached("key", count))
        await asyncio.sleep(0)
        database.invalidate("key")
        assert await reading == 0
        assert [await database.cached("key", count) for _ in range(2)] == [1, 1]


async def test_writes_that_wait_are_committed_together_and_fail_by_themselves(tmp_path: Path) -> None:
    async with _closing(await SqliteDatabase.open(tmp_path / "games.sqlite3")) as database:
        said: list[str] = []
        await database.write(lambda connection: connection.execute("CREATE TABLE numbers (number)"))
        await database.exclusive(lambda connection: connection.set_trace_callback(said.append))

        def insert(number: int) -> Work[int]:
            async def work(connection: Connection) -> int:
                await connection.execute("INSERT INTO numbers VALUES ($1)", number)
                if number == 13:
                    raise StaleGame("unlucky", number)
                return number

            return work

        async def written(numbers: range) -> list[object]:
            """The outcomes of writes that wait while the thread is busy."""
            free = threading.Event()
            busy = asyncio.create_task(database.exclusive(lambda _: free.wait()))
            await asyncio.sleep(0)
            writes = [asyncio.create_task(database.write(insert(number))) for number in numbers]
            await asyncio.sleep(0)
            free.set()
            await busy
            return await asyncio.gather(*writes, return_exceptions=True)

        assert await written(range(10)) == [*range(10)]
        assert said.count("COMMIT") == 1
        ended = await written(range(10, 20))
        assert [each for each in ended if not isinstance(each, StaleGame)] == [10, 11, 12, *range(14, 20)]
        kept = await database.read(lambda connection: connection.fetch("SELECT * FROM numbers"))
        assert sorted(row["number"] for row in kept) == [each for each in range(20) if each != 13]


async def test_a_write_that_is_refused_after_closing_is_not_committed_with_another(tmp_path: Path) -> None:
    async with _closing(await SqliteDatabase.open(tmp_path / "games.sqlite3")) as database:
        await database.write(lambda connection: connection.execute("CREATE TABLE numbers (number)"))
        free = threading.Event()
        busy = asyncio.create_task(database.exclusive(lambda _: free.wait()))
        asked_before = asyncio.create_task(database.write(_insert(1)))
        await asyncio.sleep(0)
        ending = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        with pytest.raises(StoreUnavailable):
            await database.write(_insert(2))
        free.set()
        await asyncio.gather(busy, asked_before, ending)

    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        assert connection.execute("SELECT number FROM numbers").fetchall() == [(1,)]


async def test_writes_that_wait_together_wait_once_for_the_lock_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with _closing(await SqliteDatabase.open(path, patience=0.05)) as database:
        begun: list[str] = []
        await database.write(lambda connection: connection.execute("CREATE TABLE numbers (number)"))
        await database.exclusive(lambda connection: connection.set_trace_callback(begun.append))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        free = threading.Event()
        busy = asyncio.create_task(database.exclusive(lambda _: free.wait()))
        writes = [asyncio.create_task(database.write(_insert(each))) for each in range(5)]
        await asyncio.sleep(0)
        free.set()
        await busy
        ended = await asyncio.gather(*writes, return_exceptions=True)
        other.execute("ROLLBACK")
        other.close()

        assert [type(each) for each in ended] == [StoreUnavailable] * 5
        assert begun.count("BEGIN IMMEDIATE") == 1
        await database.write(_insert(9))
        kept = await database.read(lambda connection: connection.fetch("SELECT * FROM numbers"))
        assert [row["number"] for row in kept] == [9]


def _insert(number: int) -> Work[object]:
    return lambda connection: connection.execute("INSERT INTO numbers VALUES ($1)", number)


async def test_who_reads_waits_for_nobody_who_writes_and_play_for_no_long_reading(tmp_path: Path) -> None:
    goes_on = threading.Event()

    async def waits(_: Connection) -> None:
        goes_on.wait(PATIENCE)

    async def one(connection: Connection) -> int:
        number: int = await connection.fetchval("SELECT 1")
        return number

    async with _closing(await SqliteDatabase.open(tmp_path / "games.sqlite3")) as database:
        busy = [asyncio.create_task(work(waits)) for work in (database.write, database.read_long)]
        try:
            async with asyncio.timeout(PATIENCE):
                assert await database.read(one) == await database.read_slow(one) == 1
            busy += [asyncio.create_task(database.read_slow(waits)) for _ in range(3)]
            async with asyncio.timeout(PATIENCE):
                assert await database.read(one) == 1
        finally:
            goes_on.set()
            await asyncio.gather(*busy)


@pytest.mark.parametrize("way", ["read", "read_slow", "read_long"])
async def test_who_reads_cannot_write(tmp_path: Path, way: str) -> None:
    async with _closing(await SqliteDatabase.open(tmp_path / "games.sqlite3")) as database:
        with pytest.raises(StoreUnavailable, match="readonly"):
            await getattr(database, way)(lambda connection: connection.execute("DELETE FROM hidden"))


async def test_a_long_reading_ends_when_the_database_is_closed(tmp_path: Path) -> None:
    forever = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    reading = [
        asyncio.create_task(way(lambda connection: connection.fetchval(forever)))
        for way in (database.read, database.read_slow, database.read_long)
    ]
    await asyncio.sleep(0.1)
    async with asyncio.timeout(PATIENCE):
        await database.close()
        ended = await asyncio.gather(*reading, return_exceptions=True)
    assert [type(each) for each in ended] == [StoreUnavailable] * 3


async def _kept(path: Path) -> list[int]:
    """The numbers that another connection finds."""
    with closing(sqlite3.connect(path)) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM notes ORDER BY rowid")]


def _note(number: int) -> Work[None]:
    async def work(connection: Connection) -> None:
        await connection.execute("INSERT INTO notes VALUES ($1)", number)

    return work


@asynccontextmanager
async def _with_notes(path: Path, behind: float) -> AsyncIterator[SqliteDatabase]:
    async with _closing(await SqliteDatabase.open(path, 0.05, behind=behind)) as database:
        await database.write(lambda connection: connection.execute("CREATE TABLE notes (number UNIQUE)"))
        yield database


async def test_what_is_written_behind_comes_with_the_next_write_and_before_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with _with_notes(path, behind=600.0) as database:
        database.write_behind("k3f9a", _note(1))
        await database.read(lambda connection: connection.fetchval("SELECT 1"))
        assert await _kept(path) == []
        await database.write(_note(2))
        assert await _kept(path) == [1, 2]


async def test_what_is_written_behind_comes_by_itself_and_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with _with_notes(path, behind=0.01) as database:
        database.write_behind("k3f9a", _note(1))
        async with asyncio.timeout(PATIENCE):
            while await _kept(path) != [1]:  # noqa: ASYNC110 -- another connection tells nobody
                await asyncio.sleep(0.005)
    path = tmp_path / "others.sqlite3"
    async with _with_notes(path, behind=600.0) as database:
        database.write_behind("k3f9a", _note(1))
        await database.flush()
        assert await _kept(path) == [1]


async def test_what_is_written_behind_is_there_when_the_database_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with _with_notes(path, behind=600.0) as database:
        database.write_behind("k3f9a", _note(1))
    assert await _kept(path) == [1]
    with pytest.raises(StoreUnavailable):
        database.write_behind("k3f9a", _note(2))


async def test_what_could_not_be_written_behind_is_written_later_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with _with_notes(path, behind=600.0) as database:
        database.write_behind("k3f9a", _note(1))
        database.write_behind("k3f9a", _note(2))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable):
                await database.write(_note(3))
            with pytest.raises(StoreUnavailable):
                await database.flush()
        await database.write(_note(4))
        assert await _kept(path) == [1, 2, 4]


async def test_a_fault_of_what_is_written_behind_is_said_once_and_spoils_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.sqlite3"
    async with _with_notes(path, behind=600.0) as database:
        for number in (1, 1, 2):
            database.write_behind("k3f9a", _note(number))
        await database.write(_note(3))
        await database.write(_note(4))
        assert await _kept(path) == [1, 2, 3, 4]
    assert [record.getMessage() for record in caplog.records] == [
        "what was written behind is lost: IntegrityError"
    ]


async def test_another_program_that_comes_and_goes_leaves_the_write_ahead_log_of_a_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing the file in this process would release SQLite's POSIX locks on it."""
    monkeypatch.setattr(database_module, "_SCAN_LIMIT", 0)
    path = tmp_path / "games.sqlite3"
    await (await SqliteDatabase.open(path)).close()
    look = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT * FROM people'); c.close()"
    async with _closing(await SqliteDatabase.open(path)) as database:
        other_program = await asyncio.create_subprocess_exec(sys.executable, "-c", look)
        assert await other_program.wait() == 0
        await database.write(lambda connection: connection.execute("INSERT INTO hidden VALUES (7)"))
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT user FROM hidden").fetchall() == [(7,)]
