"""Migrations: their numbers, how they are applied, and the copy of an SQLite file of before an upgrade.

What a migration to come needs is tried with one that only these tests have (`have_next`).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.maintenance import check
from bot.model.errors import DatabaseOfDevelopment, DatabaseUnusable, UpgradeNotCopied
from bot.store.drivers.migrations import migrations_of
from bot.store.drivers.postgresql import PostgresDatabase
from bot.store.drivers.postgresql.database import connected
from bot.store.drivers.sqlite import SqliteDatabase, schema, upgrade_copies
from bot.store.drivers.sqlite import database as database_module
from bot.store.moving import move
from bot.store.opening import open_database
from tests.bot.store.opened import NEXT, have_next, open_store, sql
from tests.bot.store.tables import table
from tests.patience import PATIENCE
from tests.played_database import PlayedDatabase
from tests.postgresql import Server

SQLITE, POSTGRESQL = "bot.store.drivers.sqlite", "bot.store.drivers.postgresql"

NEWEST = schema.newest()
DAY = 86_400


def test_their_numbers_are_the_same_in_both_and_none_lacks() -> None:
    assert [*migrations_of(SQLITE)] == [*migrations_of(POSTGRESQL)] == [*range(45, NEWEST + 1)]


RELEASED = {SQLITE: (45, "10258ee27b2c2cd1"), POSTGRESQL: (45, "9efa5c9ed5f37885")}
"""The last migration that is released, and the digest of all up to it. Before 1.0 both may change."""


@pytest.mark.parametrize("driver", RELEASED)
def test_a_released_migration_never_changes(driver: str) -> None:
    last, digest = RELEASED[driver]
    texts = "".join(text for number, text in migrations_of(driver).items() if number <= last)
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("driver", RELEASED)
def test_no_number_has_two_texts(driver: str) -> None:
    assert len([*(files(driver) / "migrations").iterdir()]) == len(migrations_of(driver))


# -- how they are applied --------------------------------------------------------------------------------


async def opened_and_closed(path: Path) -> None:
    """Let the bot start on that file, and stop."""
    await (await open_store(path)).close()


async def test_only_the_migrations_that_lack_are_applied_and_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert sql(path, "PRAGMA user_version") == [(NEWEST,)]
    assert sql(path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'") == [], "no rule stands in one"
    have_next(monkeypatch, "-- a; comment\nCREATE TABLE more (x);\nINSERT INTO more VALUES (';');\n")
    store = await open_store(path)
    assert await store.table("k3f9a") == table()
    await store.close()
    assert sql(path, "SELECT x FROM more") == [(";",)]
    assert sql(path, "PRAGMA user_version") == [(NEXT,)]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    await opened_and_closed(path)
    with monkeypatch.context() as patch:
        have_next(patch, "CREATE TABLE more (x);\nINSERT INTO nowhere VALUES (1);\n")
        with pytest.raises(DatabaseUnusable, match="nowhere"):
            await open_store(path)
    await opened_and_closed(path)
    assert sql(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == [(0,)]


@pytest.mark.parametrize("is_upgrade", [False, True], ids=["made", "upgraded"])
async def test_a_bot_that_started_meanwhile_may_have_made_or_upgraded_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_upgrade: bool
) -> None:
    path, look, checks = tmp_path / "games.sqlite3", schema.check, []
    if is_upgrade:
        await opened_and_closed(path)
        have_next(monkeypatch)

    def slow_check(connection: sqlite3.Connection) -> None:
        look(connection)
        checks.append(connection)
        if len(checks) == 1:
            asyncio.run(opened_and_closed(path))

    monkeypatch.setattr(schema, "check", slow_check)
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert len(checks) == 4


async def test_a_postgresql_database_gets_the_next_migration_once(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = await postgres_server.create("older")
    await (await open_store(address)).close()
    have_next(monkeypatch, "CREATE TABLE more (x bigint); INSERT INTO more VALUES (1)")
    for _ in range(2):
        await (await open_store(address)).close()
    async with connected(address) as connection:
        assert await connection.fetchval("SELECT count(*) FROM more") == 1
        assert await connection.fetchval("SELECT migration FROM fifteen_two") == NEXT


# -- databases of development versions ------------------------------------------------------------------


_BEFORE = r"before 1\.0 \(version 44, this one reads 45 and later\), .*: set DATABASE to another one\."


async def test_a_file_of_a_development_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    sql(path, "CREATE TABLE games (id TEXT)")
    sql(path, f"PRAGMA application_id = {schema.MARK}")
    sql(path, "PRAGMA user_version = 44")
    before = path.read_bytes()
    for refused in (open_store(path), check(path), move(path, tmp_path / "copy.sqlite3")):
        with pytest.raises(DatabaseOfDevelopment, match=_BEFORE):
            await refused
    assert path.read_bytes() == before
    assert copies(path) == []


async def test_a_postgresql_database_of_a_development_version_is_left_alone(
    postgres_server: Server, tmp_path: Path
) -> None:
    address = await postgres_server.create("development")
    async with connected(address) as connection:
        await connection.execute(
            "CREATE TABLE fifteen_two (migration bigint); INSERT INTO fifteen_two VALUES (44)"
        )
    for refused in (open_store(address), check(address), move(address, tmp_path / "copy.sqlite3")):
        with pytest.raises(DatabaseOfDevelopment, match=_BEFORE):
            await refused
    async with connected(address) as connection:
        tables = "SELECT array_agg(tablename::text) FROM pg_tables WHERE schemaname = 'public'"
        assert await connection.fetchval(tables) == ["fifteen_two"]
        assert await connection.fetchval("SELECT migration FROM fifteen_two") == 44


# -- the copy of before an upgrade of an SQLite file -----------------------------------------------------


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with tables, which lacks a migration."""
    have_next(monkeypatch)
    return PlayedDatabase.read("sqlite-0045").unpacked(tmp_path / "games.sqlite3")


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


async def upgraded(path: Path, *, copies: bool = True) -> None:
    await (await SqliteDatabase.open(path, copies=copies)).close()


def contents(path: Path) -> tuple[int, list[str]]:
    """The file's schema and its statements, without the identity, which a copy has of its own."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        dump = [each for each in connection.iterdump() if not each.startswith('INSERT INTO "identity"')]
        return schema.version(connection), dump


def copies(path: Path) -> list[str]:
    return [each.name for each in upgrade_copies.copies_of(path)]


async def test_a_file_of_an_older_schema_is_copied_before_its_upgrade_and_the_way_back_is_told(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = contents(path)
    await upgraded(path)

    [copy] = upgrade_copies.copies_of(path)
    assert copy == path.with_name("games.sqlite3.schema-45")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert copy.read_bytes()[18:20] == b"\1\1", "by its header no write-ahead log belongs to it"
    assert contents(path)[0] == NEXT
    assert contents(copy) == before
    first, way_back, last = caplog.messages
    assert first == f"the database {path} is upgraded from schema 45 to {NEXT}"
    assert way_back.startswith(
        f"a copy of before is {copy}, for 14 days or until somebody has their data deleted"
    )
    assert f"put the copy in the place of {path}" in way_back
    assert last == f"the database is of schema {NEXT} now"

    copy.replace(path)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    assert contents(path) == before


async def test_a_new_or_current_file_is_not_copied(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.sqlite3"
    for _ in range(2):
        await upgraded(path)
    assert copies(path) == caplog.messages == []


@pytest.mark.deep
async def test_a_second_upgrade_from_the_same_schema_replaces_the_copy_of_the_first(path: Path) -> None:
    old = path.with_name("games.sqlite3.schema-45")
    old.write_text("an older one")
    path.with_name("games.sqlite3.schema-45.unfinished").write_text("of a bot that was killed")
    await upgraded(path)
    assert contents(old)[0] == 45
    assert copies(path) == [old.name]


def _too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))


def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(upgrade_copies, "write_copy", full)


@pytest.mark.deep
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
    assert contents(path)[0] == NEXT
    assert copies(path) == []


@pytest.mark.deep
async def test_a_copy_is_removed_after_fourteen_days(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await upgraded(path)
    [copy] = upgrade_copies.copies_of(path)
    os.utime(copy, (time.time() - 13.9 * DAY,) * 2)
    looks, look = [], upgrade_copies.remove_copies

    def noted(*args: Any, **options: Any) -> list[Path]:
        looks.append(look(*args, **options))
        return looks[-1]

    monkeypatch.setattr(database_module, "BETWEEN_EXPIRIES", 0.01)
    monkeypatch.setattr(database_module, "remove_copies", noted)
    database = await SqliteDatabase.open(path)
    try:
        async with asyncio.timeout(PATIENCE):
            while len(looks) < 2:  # noqa: ASYNC110 -- a thread tells nobody
                await asyncio.sleep(0)
            os.utime(copy, (time.time() - 14.1 * DAY,) * 2)
            while looks[-1]:  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0)
    finally:
        await database.close()
    assert looks[:2] == [[copy], [copy]]
    assert copies(path) == []


@pytest.mark.deep
async def test_a_copy_is_removed_as_soon_as_somebody_has_their_data_deleted(path: Path) -> None:
    database = await open_database(path)
    try:
        assert copies(path) == ["games.sqlite3.schema-45"]
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
    postgres_server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = await postgres_server.create("older")
    async with connected(address) as connection:
        await connection.execute(PlayedDatabase.read("postgresql-0045").content.decode())
    have_next(monkeypatch)
    await (await PostgresDatabase.open(address)).close()

    assert caplog.messages[0] == f"the database {address} is upgraded from schema 45 to {NEXT}"
    assert caplog.messages[1].startswith("no copy of it is made, as of a file: pg_dump ")
    caplog.clear()
    await (await PostgresDatabase.open(address)).close()
    assert caplog.messages == []
