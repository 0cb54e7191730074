"""The SQLite file beyond the contract: durability, locks, damage, and files that it must not open."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path

import pytest

from bot.model.errors import DamagedGame, DatabaseTooNew, DatabaseUnusable, StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Status
from bot.store.drivers.sqlite import SqliteDatabase, schema
from bot.store.drivers.sqlite import database as database_module
from bot.store.store import SqlStore
from engine import Game
from tests.bot.store.opened import open_store, traced
from tests.bot.store.tables import table, turns
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
FIRST, *LATER = turns(1, Agreement())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def store(path):
    store = await open_store(path, patience=0.05)
    yield store
    await store.close()


async def pragma(store: SqlStore, name: str) -> object:
    assert isinstance(store._database, SqliteDatabase)
    found = await store._database.exclusive(
        lambda connection: connection.execute(f"PRAGMA {name}").fetchone()
    )
    return next(iter(found or ()), None)


def sql(path: Path, statement: str, *values: object) -> list[tuple]:
    """Run a statement as another program would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


# -- durability ------------------------------------------------------------------------------------------


async def test_what_is_confirmed_is_synced_to_the_disk(store):
    assert await pragma(store, "journal_mode") == "wal"
    assert await pragma(store, "synchronous") == 2
    assert await pragma(store, "foreign_keys") == 1


async def test_the_store_waits_for_others_as_long_as_it_was_told(store):
    assert await pragma(store, "busy_timeout") == 50


async def test_the_file_itself_allows_one_open_table_in_a_channel(store, path):
    await store.open_table(table())
    await store.open_table(table("aside", channel=21))
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        sql(path, "UPDATE games SET channel = 20 WHERE id = 'aside'")
    await store.cancel("k3f9a")
    sql(path, "UPDATE games SET channel = 20 WHERE id = 'aside'")
    assert (await store.table_in(20)).game == "aside"


async def test_the_file_itself_allows_one_event_at_a_version(store, path):
    await store.open_table(table())
    await store.begin("k3f9a", FIRST)
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        sql(path, "INSERT INTO events SELECT * FROM events WHERE version = 0")


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


async def test_a_process_killed_in_the_middle_of_writing_leaves_whole_turns(path):
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


async def test_times_come_from_the_clock_in_whole_seconds(path):
    now = 100.9
    store = await open_store(path, clock=lambda: now)
    await store.open_table(table())
    now = 200.2
    version = (await store.begin("k3f9a", FIRST)).version
    now = 300.3
    await store.append("k3f9a", version, LATER[0], over=False)
    await store.close()
    assert sql(path, "SELECT created_at, updated_at FROM games") == [(100, 300)]
    assert sql(path, "SELECT DISTINCT at FROM events ORDER BY version") == [(200,), (300,)]


async def test_a_store_that_closes_finishes_what_was_asked_and_refuses_the_rest(path):
    store = await open_store(path)
    asked = asyncio.create_task(store.open_table(table()))
    await asyncio.sleep(0)
    closing_down = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await store.table("k3f9a")
    await store.close()
    await asyncio.gather(asked, closing_down)
    assert sql(path, "SELECT id FROM games") == [("k3f9a",)]


async def test_a_store_that_closes_waits_for_no_other_program(path):
    store = await open_store(path, patience=1.0)
    await store.open_table(table())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        asked = [asyncio.create_task(store.prefer(user, dms_closed=True)) for user in range(40)]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(
            PATIENCE
        ):  # one second for the first, and none for the thirty-nine behind it
            await store.close()
        failures = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(each) for each in failures] == [StoreUnavailable] * 40


async def test_a_fault_of_the_program_is_not_called_an_unavailable_store(store):
    with pytest.raises(sqlite3.IntegrityError):
        await store._database.write(
            lambda connection: connection.execute(
                "INSERT INTO seats VALUES ('never', 0, 1, 'x', NULL, NULL, NULL)"
            )
        )


# -- trouble with the disk -------------------------------------------------------------------------------


async def test_a_locked_database_is_unavailable_and_then_works_again(store, path):
    await store.open_table(table())
    version = (await store.begin("k3f9a", FIRST)).version
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable) as refusal:
            await store.append("k3f9a", version, LATER[0], over=False)
        assert isinstance(refusal.value.__cause__, sqlite3.OperationalError)
        assert await store.log("k3f9a") == FIRST, "a reader does not wait for a writer"
        other.execute("ROLLBACK")
    assert await store.append("k3f9a", version, LATER[0], over=False) > version
    assert await store.log("k3f9a") == FIRST + LATER[0]


async def test_a_full_disk_is_unavailable_and_then_works_again(store):
    await store.open_table(table())
    version = (await store.begin("k3f9a", FIRST)).version
    events = sum(LATER, ())
    roomy = await pragma(store, "max_page_count")
    await pragma(store, "max_page_count = 1")  # SQLite takes the pages there are
    with pytest.raises(StoreUnavailable, match="full"):
        await store.append("k3f9a", version, events, over=True)
    assert await store.log("k3f9a") == FIRST
    assert (await store.table("k3f9a")).status is Status.PLAYING
    await pragma(store, f"max_page_count = {roomy}")
    assert await store.append("k3f9a", version, events, over=True) == version + len(events)


async def test_a_database_damaged_meanwhile_is_unavailable(store, path):
    await store.open_table(table())
    await pragma(store, "wal_checkpoint(TRUNCATE)")
    await pragma(store, "shrink_memory")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreUnavailable):
        await store.table("k3f9a")


# -- logs that cannot be read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("UPDATE events SET codec = codec + 1 WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET kind = 'TeaServed' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = 'no JSON' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = '[1, 2]' WHERE version = 2", "event 2 of its log"),
        ("UPDATE events SET body = '{}' WHERE version = 2", "event 2 of its log"),
        ("DELETE FROM events WHERE version = 0", "event 0 of its log"),
        ("DELETE FROM events WHERE version = 1", "event 1 of its log"),
        ("DELETE FROM events WHERE version = (SELECT max(version) FROM events)", "of its log"),
    ],
)
async def test_a_log_that_cannot_be_read_is_a_damaged_game(store, path, damage, complaint):
    await store.open_table(table())
    await store.begin("k3f9a", FIRST)
    sql(path, damage)
    with pytest.raises(DamagedGame, match=complaint):
        await store.log("k3f9a")


async def test_a_message_to_somebody_who_is_no_number_is_a_damaged_game(store, path):
    await store.open_table(table())
    await store.keep_post(Post(game="k3f9a", kind=PostKind.HAND, seat=0, channel=900, message=5))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'seats'")
    sql(path, "UPDATE seats SET user = 'nobody'")
    with pytest.raises(DamagedGame, match="its messages"):
        await store.posts("k3f9a")


# -- files -----------------------------------------------------------------------------------------------


async def test_a_database_of_a_newer_bot_is_left_alone(path):
    store = await open_store(path)
    await store.close()
    known = len(schema.migrations())
    sql(path, f"PRAGMA user_version = {known + 1}")
    before = path.read_bytes()
    with pytest.raises(DatabaseTooNew) as refusal:
        await open_store(path)
    assert (refusal.value.found, refusal.value.known) == (known + 1, known)
    assert path.read_bytes() == before


async def test_a_database_of_another_program_is_left_alone(path):
    sql(path, "CREATE TABLE recipes (name)")
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable, match="another program"):
        await open_store(path)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_left_alone(path):
    path.write_text("Dear diary,\n" * 1000)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable, match="not a database") as refusal:
        await open_store(path)
    assert refusal.value.database == path
    assert path.read_bytes() == before


async def test_an_empty_file_becomes_a_database(path):
    path.touch()
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert sql(path, "PRAGMA application_id") == [(schema.MARK,)]


@pytest.mark.parametrize("where", ["", "no/such/folder/games.sqlite3"])
async def test_a_path_that_is_no_place_for_a_file_is_unusable(tmp_path, where):
    with pytest.raises(DatabaseUnusable, match=r"unable to open|Is a directory|No such file"):
        await open_store(tmp_path / where)


@contextmanager
def folder_that_may_not_be_written() -> Iterator[Path]:
    """A read-only folder with a read-only database; a superuser drops its rights for the duration."""
    folder = Path(tempfile.mkdtemp())  # not in tmp_path, which only its owner may enter
    database_module._connect(folder / "old.sqlite3", 1.0).close()
    folder.chmod(0o555)
    for file in folder.iterdir():
        file.chmod(0o444)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        os.seteuid(me)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["old.sqlite3", "new.sqlite3"])
async def test_a_file_that_may_not_be_written_is_unusable(name):
    with (
        folder_that_may_not_be_written() as folder,
        pytest.raises(DatabaseUnusable, match=r"readonly|unable to open|No such file"),
    ):
        await open_store(folder / name)


# -- migrations ------------------------------------------------------------------------------------------


async def test_migrations_are_found_from_any_folder(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = await open_store(path)
    assert await pragma(store, "user_version") == len(schema.migrations()) >= 1
    await store.close()


async def test_no_rule_stands_in_a_trigger(store, path):
    assert sql(path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'") == []


async def test_only_the_migrations_that_lack_are_applied(path, monkeypatch):
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    scripts = (
        *schema.migrations(),
        "-- a; comment\nCREATE TABLE more (x);\nINSERT INTO more VALUES (';');\n",
    )
    monkeypatch.setattr(schema, "migrations", lambda: scripts)
    store = await open_store(path)
    assert await store.table("k3f9a") == table()
    await store.close()
    assert sql(path, "SELECT x FROM more") == [(";",)]
    assert sql(path, "PRAGMA user_version") == [(len(scripts),)]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(path, monkeypatch):
    store = await open_store(path)
    await store.close()
    scripts = (*schema.migrations(), "CREATE TABLE more (x);\nINSERT INTO nowhere VALUES (1);\n")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "migrations", lambda: scripts)
        with pytest.raises(DatabaseUnusable, match="nowhere"):
            await open_store(path)
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert sql(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == [(0,)]


async def test_a_bot_that_started_meanwhile_may_have_made_the_tables(path, monkeypatch):
    check, checks = schema.check, []

    def slow_check(connection: sqlite3.Connection) -> None:
        check(connection)
        checks.append(connection)
        if len(checks) == 1:
            database_module._connect(path, 1.0).close()

    monkeypatch.setattr(schema, "check", slow_check)
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert len(checks) == 4


@pytest.mark.parametrize("asked", ["open_tables", "unsynced"])
async def test_what_a_start_looks_for_is_found_without_reading_every_game(store, asked):
    said: list[str] = []
    await store._database.read(traced(said))
    await getattr(store, asked)()
    [query] = [each for each in said if "FROM games LEFT JOIN seats" in each]
    plan = await store._database.read(lambda connection: connection.fetch(f"EXPLAIN QUERY PLAN {query}"))
    scanned = [row["detail"] for row in plan if row["detail"].startswith("SCAN games")]
    assert all("USING" in each and "INDEX" in each for each in scanned), scanned
