"""Migrations: their numbers, how they are applied, and the copy of an SQLite file of before an upgrade.

Each kind of database has migrations of its own up to 30, and both the same after that.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.errors import DatabaseUnusable, UpgradeNotCopied
from bot.model.table_record import Agreement
from bot.standings.projection import Projection
from bot.store.drivers import migrations
from bot.store.drivers.migrations import migrations_of
from bot.store.drivers.postgresql import PostgresDatabase
from bot.store.drivers.postgresql import schema as postgresql_schema
from bot.store.drivers.postgresql.database import connected
from bot.store.drivers.sqlite import SqliteDatabase, schema, upgrade_copies
from bot.store.drivers.sqlite import database as database_module
from bot.store.opening import open_database
from engine import decode_rules
from tests.bot.store.opened import open_store, sql
from tests.bot.store.tables import table
from tests.patience import PATIENCE
from tests.played_database import PlayedDatabase
from tests.postgresql import Server

SQLITE, POSTGRESQL = "bot.store.drivers.sqlite", "bot.store.drivers.postgresql"
LAST_OF_ITS_OWN = {SQLITE: 30, POSTGRESQL: 2}

NEWEST = len(schema.migrations())
DAY = 86_400


@pytest.mark.parametrize("driver", [SQLITE, POSTGRESQL])
def test_the_old_ones_are_numbered_from_one_without_gaps(driver: str) -> None:
    own = [number for number in migrations_of(driver) if number <= 30]
    assert own == list(range(1, LAST_OF_ITS_OWN[driver] + 1))


def test_the_new_ones_are_the_same_in_both() -> None:
    new = {driver: [each for each in migrations_of(driver) if each > 30] for driver in LAST_OF_ITS_OWN}
    assert new[SQLITE] == new[POSTGRESQL] == list(range(31, 31 + len(new[SQLITE])))


RELEASED = {SQLITE: (30, "18dcefaa6b1be85c"), POSTGRESQL: (2, "12ec15b5a60a8455")}
"""The last migration that is released, and the digest of all up to it."""


@pytest.mark.parametrize("driver", RELEASED)
def test_a_released_migration_never_changes(driver: str) -> None:
    last, digest = RELEASED[driver]
    texts = "".join(text for number, text in migrations_of(driver).items() if number <= last)
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == digest


def test_no_number_has_two_texts_in_one_kind_of_database() -> None:
    for driver in LAST_OF_ITS_OWN:
        there = [files(each) / "migrations" for each in (driver, "bot.store")]
        names = [each.name for folder in there if folder.is_dir() for each in folder.iterdir()]
        assert len(names) == len(migrations_of(driver))


def test_a_text_that_both_take_stands_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = {name: tmp_path / name for name in ("bot.store", "one", "other")}
    for folder in folders.values():
        (folder / "migrations").mkdir(parents=True)
    (folders["bot.store"] / "migrations/0031_both.sql").write_text("both")
    (folders["one"] / "migrations/0032_differs.sql").write_text("one's")
    (folders["other"] / "migrations/0032_differs.sql").write_text("other's")
    (folders["one"] / "migrations/0002_old.sql").write_text("old")
    monkeypatch.setattr(migrations, "files", folders.get)

    assert migrations_of("one") == {2: "old", 31: "both", 32: "one's"}
    assert list(migrations_of("one")) == [2, 31, 32]
    assert migrations_of("other") == {31: "both", 32: "other's"}


def test_every_choice_of_old_becomes_the_rules_that_it_was() -> None:
    """`Agreement.of` gives the same rules for everything that the columns of the first schemas could hold."""
    agreed = schema.FUNCTIONS["rules_agreed"][1]
    presets = ("standard", "short", "lurch", "piecepack", "parlour", "family")
    every = product(presets, (2, 3, 4), (None, 61), (0, 1), (0, 1))
    for preset, players, target, aloud, muggins in every:
        for partners in (None, 0, 1) if players == 4 else (None, 0):
            body = json.loads(agreed(players, preset, target, partners, aloud, muggins))
            same = Agreement.of(
                players=players,
                preset=preset,
                target=target,
                partners=None if partners is None else bool(partners),
                aloud=bool(aloud),
                muggins=bool(muggins),
            )
            assert decode_rules(body) == same.rules


async def test_what_an_older_bot_has_counted_stays_and_what_it_deleted_goes(tmp_path: Path) -> None:
    """Migration 17: the sums are readable before all is counted again, and unused pages are empty."""
    played = PlayedDatabase.read("sqlite-0016")
    path = played.unpacked(tmp_path / "games.sqlite3")
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA secure_delete = OFF")
        old.execute("CREATE TABLE secrets AS SELECT 'Lord Byron' AS name")
        old.execute("DROP TABLE secrets")
    assert path.read_bytes().count(b"Lord Byron") > 0

    opened = await open_database(path)
    try:
        assert path.read_bytes().count(b"Lord Byron") == 0
        assert await opened.standings.projection.is_outdated()
        people, queries = played.people.values(), opened.standings.queries
        careers = [await queries.career(int(each), None) for each in people]
        assert [(each.games, each.wins) for each in careers] == [(1, 0), (1, 1), (1, 1), (1, 0)]
        await Projection(opened.standings.projection).recount(in_haste=True)
        again = [await queries.career(int(each), None) for each in people]
        assert [each.best for each in again] == [each.best for each in careers]
    finally:
        await opened.store.close()


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
    script = "-- a; comment\nCREATE TABLE more (x);\nINSERT INTO more VALUES (';');\n"
    scripts = (*schema.migrations(), script)
    monkeypatch.setattr(schema, "migrations", lambda: scripts)
    store = await open_store(path)
    assert await store.table("k3f9a") == table()
    await store.close()
    assert sql(path, "SELECT x FROM more") == [(";",)]
    assert sql(path, "PRAGMA user_version") == [(NEWEST + 1,)]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    await opened_and_closed(path)
    scripts = (*schema.migrations(), "CREATE TABLE more (x);\nINSERT INTO nowhere VALUES (1);\n")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "migrations", lambda: scripts)
        with pytest.raises(DatabaseUnusable, match="nowhere"):
            await open_store(path)
    await opened_and_closed(path)
    assert sql(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == [(0,)]


async def test_a_bot_that_started_meanwhile_may_have_made_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, check, checks = tmp_path / "games.sqlite3", schema.check, []

    def slow_check(connection: sqlite3.Connection) -> None:
        check(connection)
        checks.append(connection)
        if len(checks) == 1:
            asyncio.run(opened_and_closed(path))

    monkeypatch.setattr(schema, "check", slow_check)
    store = await open_store(path)
    await store.open_table(table())
    await store.close()
    assert len(checks) == 4


async def test_the_next_migration_is_applied_once_though_numbers_between_lack(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 2 comes 31, the next number in both kinds of database."""
    address = await postgres_server.create("older")
    await (await open_store(address)).close()
    number = postgresql_schema.newest() + 2
    migrations = {
        **postgresql_schema.migrations(),
        number: "CREATE TABLE more (x bigint); INSERT INTO more VALUES (1)",
    }
    monkeypatch.setattr(postgresql_schema, "migrations", lambda: migrations)
    for _ in range(2):
        await (await open_store(address)).close()
    async with connected(address) as connection:
        assert await connection.fetchval("SELECT count(*) FROM more") == 1
        assert await connection.fetchval("SELECT migration FROM fifteen_two") == number


# -- the copy of before an upgrade of an SQLite file -----------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of an older schema, with tables."""
    return PlayedDatabase.read("sqlite-0029").unpacked(tmp_path / "games.sqlite3")


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


@pytest.mark.deep
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
    assert contents(path)[0] == NEWEST
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
    async with connected(address) as connection:
        await connection.execute(PlayedDatabase.read("postgresql-0001").content.decode())
    await (await PostgresDatabase.open(address)).close()

    newest = postgresql_schema.newest()
    assert caplog.messages[0] == f"the database {address} is upgraded from schema 1 to {newest}"
    assert caplog.messages[1].startswith("no copy of it is made, as of a file: pg_dump ")
    caplog.clear()
    await (await PostgresDatabase.open(address)).close()
    assert caplog.messages == []
