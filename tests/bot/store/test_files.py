"""The files of a database: which bot opens them, what is said of damaged and lost ones, and what is wiped."""

# ruff: noqa: ASYNC240 -- files are what is tested

from __future__ import annotations

import asyncio
import errno
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.ending import ending
from bot.maintenance import back_up, check
from bot.model.errors import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLost,
    DatabaseTooNew,
    DatabaseUnusable,
    NoSuchGame,
    StoreUnavailable,
)
from bot.store import Store
from bot.store.connection import Connection
from bot.store.drivers.sqlite import SqliteDatabase, gaps, schema
from bot.store.drivers.sqlite import database as database_module
from bot.store.drivers.sqlite.lock import only_bot_on
from bot.store.drivers.sqlite.trouble import refusal
from tests.bot.store.failing_disk import UnsteadyFile, failing_disk
from tests.bot.store.opened import open_store, sql
from tests.bot.store.tables import table
from tests.patience import PATIENCE

HAS_MODES = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")

HOLDS = """
import asyncio, sys
from pathlib import Path
from typing import Any
from bot.store.drivers.sqlite.lock import only_bot_on

async def hold():
    async with only_bot_on(Path(sys.argv[1])):
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(hold())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@HAS_MODES
async def test_all_files_are_their_owner_s_alone(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with only_bot_on(path):
        store = await open_store(path)
        await store.open_table(table())
        await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
        modes = {each.name: mode(each) for each in tmp_path.iterdir()}
        await store.close()

    assert modes.keys() == {path.name + end for end in ("", "-wal", "-shm", ".lock")} | {"copy.sqlite3"}
    assert set(modes.values()) == {0o600}
    assert caplog.messages == []


@HAS_MODES
async def test_a_looser_mode_of_an_older_file_is_said(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await (await open_store(path)).close()
    path.chmod(0o644)
    await (await open_store(path)).close()

    assert f"{path} can be read by others than its owner (mode 644): chmod 600 it" in caplog.messages


async def test_a_second_bot_waits_for_the_first_to_go(path: Path) -> None:
    order = list[str]()

    async def second() -> None:
        async with only_bot_on(path, PATIENCE):
            order.append("second")

    async with only_bot_on(path):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0)  # it tries once
        order.append("first")
    await waiting
    assert order == ["first", "second"]


@pytest.mark.deep
async def test_a_bot_that_is_killed_holds_no_lock(path: Path) -> None:
    holder = subprocess.Popen(  # noqa: ASYNC220 -- it is to be killed
        [sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DatabaseInUse, match="Another bot runs on the database"):
            async with only_bot_on(path, patience=0.0):
                pass
        holder.kill()
        holder.wait()
    async with only_bot_on(path, patience=0.0):
        pass


async def test_what_reads_beside_the_bot_is_no_second_one(path: Path, tmp_path: Path) -> None:
    async with only_bot_on(path):
        store = await open_store(path)
        assert await check(path) == ()
        await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
        await store.close()


def _truncated(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _malformed(path: Path) -> None:
    [(page,)] = sql(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'games'")
    [(size,)] = sql(path, "PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)


def _without_a_schema(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 64)


@pytest.mark.parametrize("damage", [_truncated, _malformed, _without_a_schema])
async def test_a_damaged_file_is_refused_in_one_sentence(path: Path, damage: Callable[[Path], None]) -> None:
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    damage(path)
    with pytest.raises(DatabaseDamaged) as refusal:
        await SqliteDatabase.open(path)
    assert "\n" not in str(refusal.value)
    assert await check(path) != ()


async def test_a_large_file_that_was_cut_off_is_refused_without_looking_it_through(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_store(path)).close()
    _truncated(path)
    monkeypatch.setattr(database_module, "SCAN_LIMIT", 0)
    with pytest.raises(DatabaseDamaged):
        await SqliteDatabase.open(path)


async def test_a_page_that_breaks_later_ends_the_bot(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    _malformed(path)
    monkeypatch.setattr(database_module, "SCAN_LIMIT", 0)
    database = await SqliteDatabase.open(path)
    ended: list[str] = []
    database.when_unusable(lambda: ended.append("ended"))
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await Store(database, time.time).table("k3f9a")
    await database.close()
    with pytest.raises(DatabaseDamaged):
        database.refuse_if_unusable()
    assert ended == ["ended"]


@pytest.mark.parametrize("is_over", [True, False])
async def test_a_disk_that_does_not_read_for_a_while_has_damaged_nothing(path: Path, is_over: bool) -> None:
    """SQLite takes what it cannot read in the middle of a statement for damage."""
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    database = await SqliteDatabase.open(path)
    store = Store(database, time.time)
    await store.preferences(7)  # it knows the schema by now
    with ExitStack() as fault:
        fault.enter_context(failing_disk())
        with pytest.raises(StoreUnavailable, match="malformed"):
            await store.table("k3f9a")
        if is_over:
            fault.close()
        await database.close()
    with pytest.raises(DatabaseUnusable, match="no damage was found") as refusal:
        database.refuse_if_unusable()
    assert refusal.value.may_pass


@pytest.mark.parametrize("first", [0, 4096])
async def test_a_start_on_a_disk_that_does_not_read_may_pass(path: Path, first: int) -> None:
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    with failing_disk(first=first):
        for call in (SqliteDatabase.open, check):
            with pytest.raises(DatabaseUnusable) as refusal:
                await call(path)
            assert refusal.value.may_pass
    await (await open_store(path)).close()


def test_a_full_disk_may_pass(path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError, match="full") as full:
            connection.execute("CREATE TABLE one (two)")
    for error in (full.value, OSError(errno.ENOSPC, "No space left on device")):
        end = ending(refusal(path, error))
        assert end is not None
        assert end.status == 75
        assert f"({error}): see that its disk works and has room" in end.sentence


@pytest.mark.parametrize("call", ["stat", "read"])
async def test_the_watch_goes_on_after_a_fault_of_the_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, call: str
) -> None:
    looks, stat = list[Path](), os.stat

    def noted(looked_at: Any, **options: Any) -> os.stat_result:
        if looked_at == path:
            looks.append(path)
            if call == "stat" and UnsteadyFile.failing_from is not None:
                raise OSError(errno.EIO, "Input/output error")
        return stat(looked_at, **options)

    monkeypatch.setattr(os, "stat", noted)
    monkeypatch.setattr(database_module, "WATCHED_EVERY", 0.01)
    with UnsteadyFile.opened():
        database = await SqliteDatabase.open(path)
    ended = asyncio.Event()
    database.when_unusable(ended.set)
    try:
        async with asyncio.timeout(PATIENCE):
            with failing_disk():
                looks.clear()
                while len(looks) < 3:  # noqa: ASYNC110 -- a thread tells nobody
                    await asyncio.sleep(0)
            assert not ended.is_set()
            _delete(path)
            await ended.wait()
    finally:
        await database.close()
    said = [each for each in caplog.messages if "examined" in each]
    assert said == [f"{path} cannot be examined: Input/output error"]


def _delete(path: Path) -> None:
    path.unlink()


def _delete_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite3"))


def _replace(path: Path) -> None:
    path.with_name("copy.sqlite3").rename(path)


@pytest.mark.parametrize("lose", [_delete, _delete_log, _move, _replace])
@pytest.mark.parametrize("notices", ["the watch", "a write"])
async def test_a_file_that_is_lost_ends_the_bot_and_all_that_was_stored_is_rescued(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lose: Callable[[Path], None], notices: str
) -> None:
    monkeypatch.setattr(database_module, "WATCHED_EVERY", 0.01 if notices == "the watch" else 1000.0)
    database = await SqliteDatabase.open(path)
    await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
    store = Store(database, time.time)
    await store.open_table(table())
    ended = asyncio.Event()
    database.when_unusable(ended.set)
    lose(path)
    if notices == "a write":
        with pytest.raises(StoreUnavailable):
            await store.prefer(7, language="fr")
    async with asyncio.timeout(PATIENCE):
        await ended.wait()
    with pytest.raises(StoreUnavailable):
        await store.prefer(7, language="fr")
    with pytest.raises(StoreUnavailable):
        await store.count_open_tables()
    await database.close()
    with pytest.raises(DatabaseLost) as loss:
        database.refuse_if_unusable()
    assert loss.value.rescued is not None
    await asyncio.to_thread(subprocess.run, shlex.split(str(loss.value).split("`")[1]), check=True)
    store = await open_store(path)
    assert (await store.table("k3f9a")).game == "k3f9a"
    assert (await store.preferences(7)).language is None
    await store.close()


async def test_a_copy_that_is_written_over_the_open_file_is_noticed(path: Path, tmp_path: Path) -> None:
    database = await SqliteDatabase.open(path)
    await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
    path.write_bytes((tmp_path / "copy.sqlite3").read_bytes())  # as `cp` does: it is the same file
    with pytest.raises(StoreUnavailable, match=r"games\.sqlite3 was deleted, moved or replaced"):
        await Store(database, time.time).prefer(7, language="fr")
    await database.close()
    with pytest.raises(DatabaseLost):
        database.refuse_if_unusable()


async def test_where_no_copy_can_be_made_the_sentence_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.store.drivers.sqlite.files.write_copy", full)
    database = await SqliteDatabase.open(path)
    _delete(path)
    with pytest.raises(StoreUnavailable):
        await Store(database, time.time).prefer(7, language="fr")
    await database.close()
    with pytest.raises(DatabaseLost, match="no copy of the database could be made"):
        database.refuse_if_unusable()


@pytest.mark.parametrize("is_new", [False, True])
async def test_a_log_of_another_file_is_set_aside(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, is_new: bool
) -> None:
    """As where a copy is put in place of a database whose bot was killed."""
    copy = tmp_path / "copy.sqlite3"
    log_file = path.with_name(f"{path.name}-wal")
    store = await open_store(path)
    await asyncio.to_thread(back_up, path, copy)
    await store.open_table(table())
    written = log_file.read_bytes()
    await store.close()
    assert written
    path.unlink()
    if not is_new:
        copy.rename(path)
    log_file.write_bytes(written)

    store = await open_store(path)
    with pytest.raises(NoSuchGame):
        await store.table("k3f9a")
    await store.close()
    aside = path.with_name("games.sqlite3-wal.aside")
    assert aside.read_bytes() == written
    assert [each for each in caplog.messages if "does not belong to" in each and str(aside) in each]
    assert await check(path) == ()


async def test_the_log_of_a_killed_bot_is_its_own(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "killed.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{copy}{end}")
    await store.close()
    store = await open_store(copy)
    assert (await store.table("k3f9a")).game == "k3f9a"
    await store.close()


async def test_a_volume_without_a_write_ahead_log_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite goes on without one where memory cannot be shared, and says so in its answer alone."""
    connect = sqlite3.connect

    def without_shared_memory(path: Path, **options: Any) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?vfs=unix-dotfile", uri=True, **options)

    monkeypatch.setattr(sqlite3, "connect", without_shared_memory)
    with pytest.raises(DatabaseUnusable, match="a write-ahead log cannot be used there"):
        await SqliteDatabase.open(path)


async def test_what_is_damaged_is_listed_and_nothing_is_changed(path: Path) -> None:
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert await check(path) == ()
    sql(path, "UPDATE games SET preset = 'nobody plays this'")
    before = path.read_bytes()
    assert await check(path) == ("game k3f9a is damaged: its table cannot be read (ValueError)",)
    assert path.read_bytes() == before


# -- files that are no place for a database --------------------------------------------------------------


async def test_a_file_that_is_no_database_is_left_alone_and_not_looked_through(
    path: Path, tmp_path: Path
) -> None:
    path.write_text("Dear diary,\n" * 1000)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable, match="not a database") as refusal:
        await open_store(path)
    assert refusal.value.database == path
    for each in (path, tmp_path / "none"):
        with pytest.raises(DatabaseUnusable):
            await check(each)
    assert path.read_bytes() == before


async def test_a_database_of_a_newer_bot_or_another_program_is_left_alone(path: Path, tmp_path: Path) -> None:
    await (await open_store(path)).close()
    known = schema.newest()
    sql(path, f"PRAGMA user_version = {known + 1}")
    recipes = tmp_path / "recipes"
    sql(recipes, "CREATE TABLE recipes (name)")
    before = [each.read_bytes() for each in (path, recipes)]
    with pytest.raises(DatabaseTooNew) as refusal:
        await open_store(path)
    assert (refusal.value.found, refusal.value.known) == (known + 1, known)
    with pytest.raises(DatabaseUnusable, match="another program"):
        await open_store(recipes)
    assert [each.read_bytes() for each in (path, recipes)] == before


async def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert sql(path, "PRAGMA application_id") == [(schema.MARK,)]


async def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnusable, match=r"unable to open|Is a directory"):
        await open_store(tmp_path)


async def test_a_folder_that_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no/such/games.sqlite3"

    async def lock(path: Path) -> None:
        async with only_bot_on(path):
            pass

    for opening in (lock, open_store):
        with pytest.raises(DatabaseUnusable) as refusal:
            await opening(path)
        assert refusal.value.reason == f"there is no folder {path.parent}"


@asynccontextmanager
async def folder_that_may_not_be_written() -> AsyncIterator[Path]:
    """A read-only folder with a read-only database; a superuser drops its rights for the duration."""
    folder = Path(tempfile.mkdtemp())  # not in tmp_path, which only its owner may enter
    await (await open_store(folder / "old.sqlite3")).close()
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
async def test_a_file_that_may_not_be_written_is_unusable(name: str) -> None:
    async with folder_that_may_not_be_written() as folder:
        with pytest.raises(DatabaseUnusable, match=r"readonly|unable to open|no file can be made in"):
            await open_store(folder / name)


# -- traces of moved rows --------------------------------------------------------------------------------

TRACE = b"Ada Lovelace"


def leave(path: Path) -> int:
    """Write the trace into every gap, as rows do that move to another page; how many there are."""
    body = bytearray(path.read_bytes())
    left = 0
    for start in range(0, len(body), 4096):
        first, end = gaps.gap(bytes(body[start : start + 4096]), 100 if start == 0 else 0)
        if end - first > 3 * len(TRACE):
            middle = start + (first + end) // 2
            body[middle : middle + len(TRACE)] = TRACE
            left += 1
    path.write_bytes(body)
    return left


async def test_traces_in_the_gaps_of_pages_are_wiped_and_stay_away(path: Path) -> None:
    database = await SqliteDatabase.open(path)

    async def fill(connection: Connection) -> None:
        await connection.execute("CREATE TABLE guests (number INTEGER PRIMARY KEY, name)")
        await connection.execute("CREATE INDEX names ON guests (name, number)")
        await connection.executemany(
            "INSERT INTO guests VALUES ($1, $2)", [(number, f"Somebody {number}") for number in range(2_000)]
        )

    async def rows(connection: Connection) -> list[tuple]:
        return [tuple(row) for row in await connection.fetch("SELECT * FROM guests ORDER BY number")]

    await database.write(fill)
    before = await database.read(rows)
    await database.close()
    left = leave(path)
    assert path.read_bytes().count(TRACE) == left > 20
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]

    database = await SqliteDatabase.open(path)
    assert await database.write(rows) == before, "the writer remembers the pages with the traces"
    await database.wipe([TRACE])
    assert path.read_bytes().count(TRACE) == 0
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]
    assert await database.read(rows) == before
    await database.write(
        lambda connection: connection.execute("UPDATE guests SET name = 'x' WHERE number % 3")
    )
    await database.exclusive(database_module.truncate_write_ahead_log)
    assert path.read_bytes().count(TRACE) == 0, "what the writer remembered has not come back"
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]
    await database.close()


async def test_what_stands_in_rows_is_left_alone(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    await database.write(lambda connection: connection.execute("CREATE TABLE names (name)"))
    await database.write(
        lambda connection: connection.execute("INSERT INTO names VALUES ($1)", TRACE.decode())
    )
    await database.wipe([TRACE, b"SQLite", b"CREATE"])
    await database.close()
    assert path.read_bytes().count(TRACE) == 1
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]


async def test_a_search_rests_after_each_small_piece_as_long_as_it_took(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests = list[float]()
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


async def test_a_restored_backup_is_told_from_the_database_of_the_last_start(tmp_path: Path) -> None:
    file, backup = tmp_path / "games.db", tmp_path / "backup.db"

    async def starts() -> bool:
        store = await open_store(file)
        try:
            return await store.is_another()
        finally:
            await store.close()

    assert not await starts(), "it is new"
    assert not await starts(), "it is as it was left"
    back_up(file, backup)
    shutil.copy(backup, file)
    assert await starts()
    assert not await starts()
