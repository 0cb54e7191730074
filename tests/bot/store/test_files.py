"""The files of a database: who may read them, which bot has them, and what is said of damaged ones."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.maintenance import back_up, check
from bot.model.errors import DatabaseDamaged, DatabaseInUse, DatabaseUnusable, StoreUnavailable
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
    database.when_damaged(lambda: ended.append("ended"))
    database.refuse_if_damaged()
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await SqlStore(database, time.time).table("k3f9a")
    with pytest.raises(DatabaseDamaged):
        database.refuse_if_damaged()
    await database.close()
    assert ended == ["ended"]


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
