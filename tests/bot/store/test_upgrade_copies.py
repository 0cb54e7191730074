"""The copy of before an upgrade: when it is made, what it holds, how it serves, and when it goes."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import asyncpg
import pytest

from bot.model.errors import UpgradeNotCopied
from bot.store.drivers.postgresql import PostgresDatabase
from bot.store.drivers.postgresql import schema as postgresql_schema
from bot.store.drivers.sqlite import SqliteDatabase, schema, upgrade_copies
from bot.store.opening import open_database
from tests.played_database import PlayedDatabase
from tests.postgresql import Server

NEWEST = len(schema.migrations())
DAY = 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A played database of an older schema."""
    path = tmp_path / "games.sqlite3"
    PlayedDatabase.read("sqlite-0029").unpacked(path)
    return path


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


async def upgraded(path: Path, *, copies: bool = True) -> None:
    await (await SqliteDatabase.open(path, copies=copies)).close()


def contents(path: Path) -> tuple[int, list[str]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return schema.version(connection), list(connection.iterdump())


def copies(path: Path) -> list[str]:
    return [each.name for each in upgrade_copies.copies_of(path)]


async def test_a_file_of_an_older_schema_is_copied_before_its_upgrade_and_the_way_back_is_told(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = contents(path)
    await upgraded(path)

    [copy] = upgrade_copies.copies_of(path)
    assert copy == path.with_name("games.sqlite3.schema-29")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert copy.read_bytes()[18:20] == b"\1\1", "by its header no write-ahead log belongs to it"
    assert contents(path)[0] == NEWEST
    assert contents(copy) == before
    first, way_back, last = caplog.messages
    assert first == f"the database {path} is upgraded from schema 29 to {NEWEST}"
    assert way_back.startswith(
        f"a copy of before is {copy}, for 14 days or until somebody has their data deleted"
    )
    assert f"put the copy in the place of {path}" in way_back
    assert last == f"the database is of schema {NEWEST} now"

    copy.replace(path)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    assert contents(path) == before


async def test_a_new_or_current_file_is_not_copied(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.sqlite3"
    for _ in range(2):
        await upgraded(path)
    assert copies(path) == caplog.messages == []


async def test_a_second_upgrade_from_the_same_schema_replaces_the_copy_of_the_first(path: Path) -> None:
    old = path.with_name("games.sqlite3.schema-29")
    old.write_text("an older one")
    path.with_name("games.sqlite3.schema-29.unfinished").write_text("of a bot that was killed")
    await upgraded(path)
    assert contents(old)[0] == 29
    assert copies(path) == [old.name]


def _too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))


def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(upgrade_copies, "write_copy", full)


@pytest.mark.parametrize(
    ("prepare", "why"), [(_too_small, "0.0 MB are free"), (_full, "No space left on device")]
)
async def test_where_there_is_no_room_nothing_is_upgraded_unless_no_copy_is_wanted(
    path: Path, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[pytest.MonkeyPatch], None], why: str
) -> None:
    before = contents(path)
    prepare(monkeypatch)
    with pytest.raises(UpgradeNotCopied) as refused:
        await upgraded(path)
    assert why in str(refused.value)
    assert str(refused.value).endswith("make room beside it, or start it once with --no-copy.")
    assert not refused.value.may_pass
    assert contents(path) == before
    assert copies(path) == []
    await upgraded(path, copies=False)
    assert contents(path)[0] == NEWEST
    assert copies(path) == []


async def test_a_copy_is_removed_after_fourteen_days(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await upgraded(path)
    [copy] = upgrade_copies.copies_of(path)
    os.utime(copy, (time.time() - 13.9 * DAY,) * 2)
    monkeypatch.setattr("bot.store.drivers.sqlite.database._BETWEEN_EXPIRIES", 0.01)
    database = await SqliteDatabase.open(path)
    try:
        await asyncio.sleep(0.1)
        assert copies(path) == [copy.name]
        os.utime(copy, (time.time() - 14.1 * DAY,) * 2)
        async with asyncio.timeout(60):
            while copies(path):  # noqa: ASYNC110 -- a file tells nobody
                await asyncio.sleep(0.01)
    finally:
        await database.close()


async def test_a_copy_is_removed_as_soon_as_somebody_has_their_data_deleted(path: Path) -> None:
    database = await open_database(path)
    try:
        assert copies(path) == ["games.sqlite3.schema-29"]
        [person, *_] = (await database.store.open_tables())[0].people
        people = database.standings.people
        await people.scrub()
        assert copies(path) != [], "nobody has asked yet"
        await people.forget(person)
        while await people.forget_more() is not None:
            pass
        await people.scrub()
        assert copies(path) == []
    finally:
        await database.store.close()


async def test_of_a_postgresql_database_no_copy_is_made_and_the_command_that_makes_one_is_told(
    postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    address = await postgres_server.create("older")
    connection = await asyncpg.connect(address.url)
    await connection.execute(PlayedDatabase.read("postgresql-0001").content.decode())
    await connection.close()
    await (await PostgresDatabase.open(address)).close()

    newest = postgresql_schema.newest()
    assert caplog.messages[0] == f"the database {address} is upgraded from schema 1 to {newest}"
    assert caplog.messages[1].startswith("no copy of it is made, as of a file: pg_dump ")
    caplog.clear()
    await (await PostgresDatabase.open(address)).close()
    assert caplog.messages == []
