"""The files of a database: who may read them, which bot has them, and what is said of damaged ones."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.maintenance import back_up, check
from bot.model.errors import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLost,
    DatabaseUnusable,
    NoSuchGame,
    StoreUnavailable,
)
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.drivers.sqlite.lock import only_bot_on
from bot.store.store import SqlStore
from tests.bot.store.opened import open_store
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


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@HAS_MODES
async def test_all_files_are_their_owner_s_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.sqlite3"
    async with only_bot_on(path):
        store = await open_store(path)
        await store.open_table(table())
        await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
        modes = {each.name: mode(each) for each in tmp_path.iterdir()}  # noqa: ASYNC240 -- a test of files
        await store.close()

    assert modes.keys() == {path.name + end for end in ("", "-wal", "-shm", ".lock")} | {"copy.sqlite3"}
    assert set(modes.values()) == {0o600}
    assert caplog.messages == []


@HAS_MODES
async def test_a_looser_mode_of_an_older_file_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.sqlite3"
    await (await open_store(path)).close()
    path.chmod(0o644)
    await (await open_store(path)).close()

    assert f"{path} can be read by others than its owner (mode 644): chmod 600 it" in caplog.messages


async def test_a_second_bot_waits_for_the_first_to_go(tmp_path: Path) -> None:
    path, order = tmp_path / "games.sqlite3", []

    async def second() -> None:
        async with only_bot_on(path, PATIENCE):
            order.append("second")

    async with only_bot_on(path):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.3)
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_a_bot_that_is_killed_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    holder = subprocess.Popen(  # noqa: ASYNC220 -- it is to be killed
        [sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DatabaseInUse, match="Another bot runs on the database"):
            async with only_bot_on(path, patience=0.1):
                pass
        holder.kill()
        holder.wait()
    async with only_bot_on(path, patience=0.1):
        pass


async def test_what_reads_beside_the_bot_is_no_second_one(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with only_bot_on(path):
        store = await open_store(path)
        assert await check(path) == ()
        await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
        await store.close()


def _truncated(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _malformed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)


@pytest.mark.parametrize("damage", [_truncated, _malformed])
async def test_a_damaged_file_is_refused_in_one_sentence(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    damage(path)
    with pytest.raises(DatabaseDamaged) as refusal:
        await SqliteDatabase.open(path)
    assert "\n" not in str(refusal.value)


async def test_a_large_file_that_was_cut_off_is_refused_without_looking_it_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    await (await open_store(path)).close()
    _truncated(path)
    monkeypatch.setattr("bot.store.drivers.sqlite.database._SCAN_LIMIT", 0)
    with pytest.raises(DatabaseDamaged):
        await SqliteDatabase.open(path)


async def test_a_page_that_breaks_later_ends_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    _malformed(path)
    monkeypatch.setattr("bot.store.drivers.sqlite.database._SCAN_LIMIT", 0)
    database = await SqliteDatabase.open(path)
    ended: list[str] = []
    database.when_unusable(lambda: ended.append("ended"))
    database.refuse_if_unusable()
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await SqlStore(database, time.time).table("k3f9a")
    with pytest.raises(DatabaseDamaged):
        database.refuse_if_unusable()
    await database.close()
    assert ended == ["ended"]


def _delete(path: Path) -> None:
    path.unlink()


def _delete_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite3"))


def _replace(path: Path) -> None:
    path.with_name("copy.sqlite3").rename(path)


def _overwrite(path: Path) -> None:
    """As `cp` does: it is the same file, with other content."""
    path.write_bytes(path.with_name("copy.sqlite3").read_bytes())


@pytest.mark.parametrize("lose", [_delete, _delete_log, _move, _replace])
@pytest.mark.parametrize("notices", ["the watch", "a write"])
async def test_a_file_that_is_lost_ends_the_bot_and_all_that_was_stored_is_rescued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lose: Callable[[Path], None], notices: str
) -> None:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setattr(
        "bot.store.drivers.sqlite.database._WATCHED_EVERY", 0.01 if notices == "the watch" else 1000.0
    )
    database = await SqliteDatabase.open(path)
    await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
    store = SqlStore(database, time.time)
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
    await asyncio.to_thread(_run_the_command_in, str(loss.value))
    store = await open_store(path)
    assert (await store.table("k3f9a")).game == "k3f9a"
    assert (await store.preferences(7)).language is None
    await store.close()


def _run_the_command_in(sentence: str) -> None:
    subprocess.run(shlex.split(sentence.split("`")[1]), check=True)


async def test_a_copy_that_is_written_over_the_open_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    database = await SqliteDatabase.open(path)
    await asyncio.to_thread(back_up, path, tmp_path / "copy.sqlite3")
    _overwrite(path)
    with pytest.raises(StoreUnavailable, match=r"games\.sqlite3 was deleted, moved or replaced"):
        await SqlStore(database, time.time).prefer(7, language="fr")
    await database.close()
    with pytest.raises(DatabaseLost):
        database.refuse_if_unusable()


async def test_where_no_copy_can_be_made_the_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.store.drivers.sqlite.files.write_copy", full)
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    _delete(tmp_path / "games.sqlite3")
    with pytest.raises(StoreUnavailable):
        await SqlStore(database, time.time).prefer(7, language="fr")
    await database.close()
    with pytest.raises(DatabaseLost, match="no copy of the database could be made"):
        database.refuse_if_unusable()


@pytest.mark.parametrize("is_new", [False, True])
async def test_a_log_of_another_file_is_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_new: bool
) -> None:
    """As where a copy is put in place of a database whose bot was killed."""
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
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
    aside = tmp_path / "games.sqlite3-wal.aside"
    assert aside.read_bytes() == written
    assert [each for each in caplog.messages if "does not belong to" in each and str(aside) in each]
    assert await check(path) == ()


async def test_the_log_of_a_killed_bot_is_its_own(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "killed.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{copy}{end}")
    await store.close()
    store = await open_store(copy)
    assert (await store.table("k3f9a")).game == "k3f9a"
    await store.close()


async def test_a_volume_without_a_write_ahead_log_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite goes on without one where memory cannot be shared, and says so in its answer alone."""
    connect = sqlite3.connect

    def without_shared_memory(path: Path, **options: Any) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?vfs=unix-dotfile", uri=True, **options)

    monkeypatch.setattr("bot.store.drivers.sqlite.database.sqlite3.connect", without_shared_memory)
    with pytest.raises(DatabaseUnusable, match="a write-ahead log cannot be used there"):
        await SqliteDatabase.open(tmp_path / "games.sqlite3")


async def test_what_is_damaged_is_listed_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert await check(path) == ()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE games SET preset = 'nobody plays this'")
        connection.commit()
    before = path.read_bytes()
    assert await check(path) == ("game k3f9a is damaged: its table cannot be read (ValueError)",)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_not_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary,\n" * 1000)
    with pytest.raises(DatabaseUnusable):
        await check(path)
    with pytest.raises(DatabaseUnusable):
        await check(Path(shutil.copy(path, tmp_path / "other")).with_name("none"))
