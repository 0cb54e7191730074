"""The SQLite driver beyond the contract: durability, trouble with the disk, threads, writes behind."""

# ruff: noqa: ASYNC240 -- files are what is tested

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.model.errors import DamagedGame, DatabaseUnusable, StaleGame, StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Status
from bot.store import Store
from bot.store.connection import Connection, Work
from bot.store.drivers.sqlite import SqliteDatabase, files
from bot.store.drivers.sqlite import database as database_module
from bot.store.people import SqlPeople
from engine import Game
from tests.bot.store.opened import emptied, open_store, sql, traced
from tests.bot.store.tables import table, turns
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
FIRST, SECOND = islice(turns(1, Agreement()), 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """One that waits for no other program."""
    store = await open_store(emptied(path), patience=0.0)
    yield store
    await store.close()


@pytest.fixture
async def database(path: Path) -> AsyncIterator[SqliteDatabase]:
    """One that waits for no other program, with a table of numbers."""
    async with with_numbers(path) as database:
        yield database


@asynccontextmanager
async def with_numbers(path: Path, behind: float = 600.0) -> AsyncIterator[SqliteDatabase]:
    """It is closed in any case: a failed test would wait for its thread."""
    database = await SqliteDatabase.open(emptied(path), 0.0, behind=behind)
    try:
        await database.write(lambda connection: connection.execute("CREATE TABLE numbers (number UNIQUE)"))
        yield database
    finally:
        await database.close()


def kept(path: Path) -> list[int]:
    """The numbers that another program finds."""
    return [number for (number,) in sql(path, "SELECT number FROM numbers ORDER BY rowid")]


def insert(number: int) -> Work[Any]:
    return lambda connection: connection.execute("INSERT INTO numbers VALUES ($1)", number)


async def pragma(store: Store, name: str) -> object:
    assert isinstance(store.database, SqliteDatabase)
    found = await store.database.exclusive(lambda connection: connection.execute(f"PRAGMA {name}").fetchone())
    return next(iter(found or ()), None)


@asynccontextmanager
async def busy(database: SqliteDatabase) -> AsyncIterator[None]:
    """Let the writer's thread be busy, so that what is asked for meanwhile waits for it."""
    free = threading.Event()
    waiting = asyncio.create_task(database.exclusive(lambda _: free.wait()))
    await asyncio.sleep(0)
    try:
        yield
        await asyncio.sleep(0)
    finally:
        free.set()
        await waiting


# -- durability ------------------------------------------------------------------------------------------


async def test_what_is_confirmed_is_synced_to_the_disk(path: Path) -> None:
    store = await open_store(path, patience=0.05)
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 50}
    assert {name: await pragma(store, name) for name in wanted} == wanted
    await store.close()


async def test_the_file_itself_allows_one_open_table_in_a_channel_and_one_event_at_a_version(
    store: Store, path: Path
) -> None:
    await store.open_table(table())
    await store.begin("k3f9a", FIRST)
    await store.open_table(table("aside", channel=21))
    for statement in (
        "UPDATE games SET channel = 20 WHERE id = 'aside'",
        "INSERT INTO events SELECT * FROM events WHERE version = 0",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            sql(path, statement)
    await store.call_off("k3f9a")
    sql(path, "UPDATE games SET channel = 20 WHERE id = 'aside'")
    aside = await store.table_in(20)
    assert aside is not None
    assert aside.game == "aside"


def written_until_killed(path: Path) -> tuple[int, int]:
    """Let a process write to the file and kill it: the last game and version that were confirmed to it."""
    command = [sys.executable, "-m", "tests.bot.store.writer", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        confirmed = [writer.stdout.readline() for _ in range(400)]
        writer.send_signal(signal.SIGKILL)
        confirmed += writer.stdout.readlines()
    assert writer.returncode == -signal.SIGKILL
    seed, version = next(line for line in reversed(confirmed) if line.endswith("\n")).split()
    return int(seed), int(version)


@pytest.mark.deep
async def test_a_process_killed_in_the_middle_of_writing_leaves_whole_turns(path: Path) -> None:
    last, version = written_until_killed(path)
    store = await open_store(path)
    assert last > 0
    for seed in range(last + 1):
        moves = list(turns(seed, Agreement()))
        log = await store.log(f"g{seed}")
        assert len(log) in set(accumulate(map(len, moves)))
        assert log == sum(moves, ())[: len(log)]
        over = (await store.table(f"g{seed}")).status is Status.OVER
        assert over == Game.replay(log).is_over
        assert over or seed == last
    assert len(log) >= version
    await store.close()


async def test_times_come_from_the_clock_in_whole_seconds(path: Path) -> None:
    now = 100.9
    store = await open_store(path, clock=lambda: now)
    await store.open_table(table())
    now = 200.2
    version = (await store.begin("k3f9a", FIRST)).version
    now = 300.3
    await store.append("k3f9a", version, SECOND, over=False)
    await store.close()
    assert sql(path, "SELECT created_at, updated_at FROM games") == [(100, 300)]
    assert sql(path, "SELECT DISTINCT at FROM events ORDER BY version") == [(200,), (300,)]


async def test_a_store_that_closes_finishes_what_was_asked_and_refuses_the_rest(
    database: SqliteDatabase, path: Path
) -> None:
    async with busy(database):
        asked = asyncio.create_task(database.write(insert(1)))
        await asyncio.sleep(0)
        ending = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        with pytest.raises(StoreUnavailable):
            await database.write(insert(2))
        with pytest.raises(StoreUnavailable):
            await database.read(lambda connection: connection.fetchval("SELECT 1"))
    await asyncio.gather(asked, ending)
    await database.close()
    assert kept(path) == [1]


async def test_a_store_that_closes_waits_for_no_other_program(path: Path) -> None:
    database = await SqliteDatabase.open(path, patience=2 * PATIENCE)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(PATIENCE):
            async with busy(database):
                asked = [asyncio.create_task(database.write(insert(each))) for each in range(3)]
                await asyncio.sleep(0)
                ending = asyncio.create_task(database.close())
                await asyncio.sleep(0)
            await ending
        failures = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(each) for each in failures] == [StoreUnavailable] * 3


async def test_a_fault_of_the_program_is_not_called_an_unavailable_store(database: SqliteDatabase) -> None:
    await database.write(insert(1))
    with pytest.raises(sqlite3.IntegrityError):
        await database.write(insert(1))


# -- trouble with the disk -------------------------------------------------------------------------------


async def test_a_locked_database_is_unavailable_and_then_works_again(store: Store, path: Path) -> None:
    await store.open_table(table())
    version = (await store.begin("k3f9a", FIRST)).version
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable) as refusal:
            await store.append("k3f9a", version, SECOND, over=False)
        assert isinstance(refusal.value.__cause__, sqlite3.OperationalError)
        assert await store.log("k3f9a") == FIRST, "a reader does not wait for a writer"
        other.execute("ROLLBACK")
    assert await store.append("k3f9a", version, SECOND, over=False) > version
    assert await store.log("k3f9a") == FIRST + SECOND


async def test_a_full_disk_is_unavailable_and_then_works_again(store: Store) -> None:
    await store.open_table(table())
    version = (await store.begin("k3f9a", FIRST)).version
    events = sum(list(turns(1, Agreement()))[1:], ())
    roomy = await pragma(store, "max_page_count")
    await pragma(store, "max_page_count = 1")  # SQLite takes the pages there are
    with pytest.raises(StoreUnavailable, match="full"):
        await store.append("k3f9a", version, events, over=True)
    assert await store.log("k3f9a") == FIRST
    assert (await store.table("k3f9a")).status is Status.PLAYING
    await pragma(store, f"max_page_count = {roomy}")
    assert await store.append("k3f9a", version, events, over=True) == version + len(events)


async def test_a_database_damaged_meanwhile_is_unavailable(store: Store, path: Path) -> None:
    await store.open_table(table())
    await pragma(store, "wal_checkpoint(TRUNCATE)")
    await pragma(store, "shrink_memory")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreUnavailable):
        await store.table("k3f9a")


async def test_a_write_ahead_log_that_another_program_lets_grow_is_logged_once_and_shrinks_after_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(files, "LARGE_LOG", 2_000_000)
    monkeypatch.setattr(database_module, "LOG_KEPT", 1_000_000)
    async with with_numbers(path) as database:
        for times in (1, 2):
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN")
                other.execute("SELECT * FROM numbers").fetchall()
                await database.write(lambda c: c.execute("INSERT INTO numbers VALUES (randomblob(2500000))"))
                for number in range(3):
                    await database.write(insert(10 * times + number))
            said = [each for each in caplog.messages if "is larger than 2 MB, and grows" in each]
            assert len(said) == times
            for number in range(4, 7):  # one empties the log, one begins it again, one sees that it is small
                await database.write(insert(10 * times + number))
            assert files.log_of(path).stat().st_size <= 1_000_000


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("UPDATE events SET codec = codec + 1 WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET codec = codec - 1 WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET kind = 'TeaServed' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = 'no JSON' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = '[1, 2]' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = '{}' WHERE version = 2", "event 2 of its log"),
        ("DELETE FROM events WHERE version = 0", "event 0 of its log"),
        ("DELETE FROM events WHERE version = 1", "event 1 of its log"),
        ("DELETE FROM events WHERE version = (SELECT max(version) FROM events)", "of its log"),
    ],
)
async def test_a_log_that_cannot_be_read_is_a_damaged_game(
    store: Store, path: Path, damage: str, complaint: str
) -> None:
    await store.open_table(table())
    await store.begin("k3f9a", FIRST)
    sql(path, damage)
    with pytest.raises(DamagedGame, match=complaint):
        await store.log("k3f9a")


async def test_a_message_to_somebody_who_is_no_number_is_a_damaged_game(store: Store, path: Path) -> None:
    await store.open_table(table())
    await store.keep_post(Post(game="k3f9a", kind=PostKind.HAND, seat=0, channel=900, message=5))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'seats'")
    sql(path, "UPDATE seats SET user = 'nobody'")
    with pytest.raises(DamagedGame, match="its messages"):
        await store.posts("k3f9a")


# -- threads ---------------------------------------------------------------------------------------------


def test_no_other_version_of_aiosqlite_is_allowed_than_was_tried() -> None:
    """Versions 0.20, 0.21 and 0.22 were tried; try a newer one before raising the bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "aiosqlite>=0.20,<0.23" in project["dependencies"]


async def test_a_database_that_cannot_be_opened_leaves_no_thread_that_waits(path: Path) -> None:
    path.write_text("Dear diary,\n" * 1000)
    before = set(threading.enumerate())
    with pytest.raises(DatabaseUnusable):
        await SqliteDatabase.open(path)
    await asyncio.get_running_loop().shutdown_default_executor()
    assert set(threading.enumerate()) <= before


async def test_a_database_is_closed_that_nobody_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    begun, goes_on, connect = threading.Event(), threading.Event(), sqlite3.connect

    def slow_connect(*args: Any, **options: Any) -> sqlite3.Connection:
        begun.set()
        goes_on.wait(PATIENCE)
        opened.append(connect(*args, **options))
        return opened[0]

    monkeypatch.setattr(sqlite3, "connect", slow_connect)
    opening = asyncio.create_task(SqliteDatabase.open(path))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    opening.cancel()
    await asyncio.wait([opening])
    assert opening.cancelled()
    goes_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    async with asyncio.timeout(PATIENCE):
        while not is_closed(opened[0]):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0)


async def test_a_database_is_closed_that_is_given_up_while_its_thread_starts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **options))
        return opened[-1]

    async def given_up(_: aiosqlite.Connection) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(sqlite3, "connect", noted)
    monkeypatch.setattr(aiosqlite.Connection, "__await__", lambda each: given_up(each).__await__())
    with pytest.raises(asyncio.CancelledError):
        await SqliteDatabase.open(path)
    assert is_closed(opened[0])


def is_closed(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError as error:
        return "closed" in str(error)
    return False


async def test_cards_are_not_in_the_debug_log(
    database: SqliteDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    card = "5H"
    await database.write(lambda connection: connection.fetch("SELECT $1", card))
    assert "executing" in caplog.text
    assert card not in caplog.text


async def test_what_is_asked_for_often_is_read_once_until_it_is_written(store: Store) -> None:
    read: list[str] = []
    await store.database.read(traced(read))
    for closed in (True, False):
        await store.prefer(7, dms_closed=closed)
        read.clear()
        assert [(await store.preferences(7)).dms_closed for _ in range(3)] == [closed] * 3
        assert len([each for each in read if each.lstrip().startswith("SELECT")]) == 1
    await store.prefer(7, dms_closed=True)
    assert (await store.preferences(7)).dms_closed
    await SqlPeople(store.database).forget(7)
    assert not (await store.preferences(7)).dms_closed
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.preferences(7)


async def test_what_was_read_while_it_was_written_is_read_again(database: SqliteDatabase) -> None:
    numbers = iter(range(9))

    async def count(_: Connection) -> int:
        return next(numbers)

    reading = asyncio.create_task(database.cached("key", count))
    await asyncio.sleep(0)
    database.invalidate("key")
    assert await reading == 0
    assert [await database.cached("key", count) for _ in range(2)] == [1, 1]


async def test_writes_that_wait_are_committed_together_and_fail_by_themselves(
    database: SqliteDatabase, path: Path
) -> None:
    said: list[str] = []
    await database.exclusive(lambda connection: connection.set_trace_callback(said.append))

    def unless_unlucky(number: int) -> Work[int]:
        async def work(connection: Connection) -> int:
            await connection.execute("INSERT INTO numbers VALUES ($1)", number)
            if number == 13:
                raise StaleGame("unlucky", number)
            return number

        return work

    async def written(numbers: range) -> list[object]:
        """The outcomes of writes that wait while the thread is busy."""
        async with busy(database):
            writes = [asyncio.create_task(database.write(unless_unlucky(each))) for each in numbers]
        return await asyncio.gather(*writes, return_exceptions=True)

    assert await written(range(10)) == [*range(10)]
    assert said.count("COMMIT") == 1
    ended = await written(range(10, 20))
    assert [each for each in ended if not isinstance(each, StaleGame)] == [10, 11, 12, *range(14, 20)]
    assert sorted(kept(path)) == [each for each in range(20) if each != 13]


async def test_writes_that_wait_together_wait_once_for_the_lock_of_another_program(
    database: SqliteDatabase, path: Path
) -> None:
    begun: list[str] = []
    await database.exclusive(lambda connection: connection.set_trace_callback(begun.append))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with busy(database):
            writes = [asyncio.create_task(database.write(insert(each))) for each in range(5)]
        ended = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(each) for each in ended] == [StoreUnavailable] * 5
    assert begun.count("BEGIN IMMEDIATE") == 1
    await database.write(insert(9))
    assert kept(path) == [9]


async def test_who_reads_waits_for_nobody_who_writes_and_play_for_no_long_reading(
    database: SqliteDatabase,
) -> None:
    goes_on = threading.Event()

    async def waits(_: Connection) -> None:
        goes_on.wait(PATIENCE)

    async def one(connection: Connection) -> int:
        number: int = await connection.fetchval("SELECT 1")
        return number

    working = [asyncio.create_task(work(waits)) for work in (database.write, database.read_long)]
    try:
        async with asyncio.timeout(PATIENCE):
            assert await database.read(one) == await database.read_slow(one) == 1
        working += [asyncio.create_task(database.read_slow(waits)) for _ in range(3)]
        async with asyncio.timeout(PATIENCE):
            assert await database.read(one) == 1
    finally:
        goes_on.set()
        await asyncio.gather(*working)


@pytest.mark.parametrize("way", ["read", "read_slow", "read_long"])
async def test_who_reads_cannot_write(database: SqliteDatabase, way: str) -> None:
    with pytest.raises(StoreUnavailable, match="readonly"):
        await getattr(database, way)(lambda connection: connection.execute("DELETE FROM hidden"))


async def test_a_long_reading_ends_when_the_database_is_closed(database: SqliteDatabase) -> None:
    begun = threading.Semaphore(0)

    async def for_ever(connection: Connection) -> None:
        begun.release()
        await connection.fetchval(
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        )

    ways = (database.read, database.read_slow, database.read_long)
    reading = [asyncio.create_task(way(for_ever)) for way in ways]
    for _ in ways:
        assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
    async with asyncio.timeout(PATIENCE):
        await database.close()
        ended = await asyncio.gather(*reading, return_exceptions=True)
    assert [type(each) for each in ended] == [StoreUnavailable] * 3


# -- writes behind ---------------------------------------------------------------------------------------


async def test_what_is_written_behind_comes_with_the_next_write_and_before_it(
    database: SqliteDatabase, path: Path
) -> None:
    database.write_behind("k3f9a", insert(1))
    await database.read(lambda connection: connection.fetchval("SELECT 1"))
    assert kept(path) == []
    await database.write(insert(2))
    assert kept(path) == [1, 2]


async def test_what_is_written_behind_comes_by_itself_and_when_it_is_asked_for(
    database: SqliteDatabase, path: Path, tmp_path: Path
) -> None:
    database.write_behind("k3f9a", insert(1))
    await database.flush()
    assert kept(path) == [1]
    async with with_numbers(tmp_path / "hasty.sqlite3", behind=0.01) as hasty:
        hasty.write_behind("k3f9a", insert(1))
        async with asyncio.timeout(PATIENCE):
            while kept(tmp_path / "hasty.sqlite3") != [1]:  # noqa: ASYNC110 -- another connection tells nobody
                await asyncio.sleep(0)


async def test_what_is_written_behind_is_there_when_the_database_is_closed(
    database: SqliteDatabase, path: Path
) -> None:
    database.write_behind("k3f9a", insert(1))
    await database.close()
    assert kept(path) == [1]
    with pytest.raises(StoreUnavailable):
        database.write_behind("k3f9a", insert(2))


async def test_what_could_not_be_written_behind_is_written_later_in_its_order(
    database: SqliteDatabase, path: Path
) -> None:
    database.write_behind("k3f9a", insert(1))
    database.write_behind("k3f9a", insert(2))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await database.write(insert(3))
        with pytest.raises(StoreUnavailable):
            await database.flush()
    await database.write(insert(4))
    assert kept(path) == [1, 2, 4]


async def test_a_fault_of_what_is_written_behind_is_said_once_and_spoils_nothing(
    database: SqliteDatabase, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in (1, 1, 2):
        database.write_behind("k3f9a", insert(number))
    await database.write(insert(3))
    await database.write(insert(4))
    assert kept(path) == [1, 2, 3, 4]
    assert caplog.messages == ["what was written behind is lost: IntegrityError"]


async def test_another_program_that_comes_and_goes_leaves_the_write_ahead_log_of_a_large_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing the file in this process would release SQLite's POSIX locks on it."""
    monkeypatch.setattr(database_module, "SCAN_LIMIT", 0)
    async with with_numbers(path) as first:
        await first.close()
    look = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT * FROM people'); c.close()"
    database = await SqliteDatabase.open(path)
    other_program = await asyncio.create_subprocess_exec(sys.executable, "-ISc", look)
    assert await other_program.wait() == 0
    await database.write(insert(7))
    assert kept(path) == [7]
    await database.close()


@pytest.mark.parametrize("asked", ["open_tables", "unsynced"])
async def test_what_a_start_looks_for_is_found_without_reading_every_game(store: Store, asked: str) -> None:
    said: list[str] = []
    await store.database.read(traced(said))
    await getattr(store, asked)()
    [query] = [each for each in said if "FROM games LEFT JOIN seats" in each]
    plan = await store.database.read(lambda connection: connection.fetch(f"EXPLAIN QUERY PLAN {query}"))
    scanned = [row["detail"] for row in plan if row["detail"].startswith("SCAN games")]
    assert all("USING" in each and "INDEX" in each for each in scanned), scanned
