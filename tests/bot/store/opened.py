"""Opens a store alone, for tests that need nothing else of its database, and traces its statements."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.model.database_address import DatabaseAddress
from bot.store import Store
from bot.store.connection import Connection, Work
from bot.store.drivers.postgresql import schema as postgresql_schema
from bot.store.drivers.sqlite import schema as sqlite_schema
from bot.store.drivers.sqlite.dialect import SqliteConnection
from bot.store.opening import open_database
from tests.bot.store.memory import empty
from tests.patience import PATIENCE


async def open_store(
    address: DatabaseAddress, clock: Callable[[], float] = time.time, *, patience: float = PATIENCE
) -> Store:
    """The store of that database, which is created if there is none. Raises what `open_database` raises."""
    store = (await open_database(address, clock, patience=patience)).store
    assert isinstance(store, Store)
    return store


def emptied(path: Path) -> Path:
    """The file at that path, with an empty database of the newest schema."""
    path.write_bytes(empty().serialize())
    path.chmod(0o600)
    return path


def sql(path: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement as another program would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


NEXT = sqlite_schema.newest() + 1
"""The number of the migration that `have_next` adds."""


def have_next(patch: pytest.MonkeyPatch, script: str = "CREATE TABLE more (x bigint);") -> None:
    """Give both drivers one more migration, which only tests have."""
    for schema in (sqlite_schema, postgresql_schema):
        more = {**schema.migrations(), NEXT: script}
        patch.setattr(schema, "migrations", lambda more=more: more)


def traced(into: list[str]) -> Work[None]:
    """Has the reader's connection write down the statements that it runs."""

    async def work(connection: Connection) -> None:
        assert isinstance(connection, SqliteConnection)
        connection.raw.set_trace_callback(into.append)

    return work
