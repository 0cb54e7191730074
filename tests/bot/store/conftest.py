"""All stores, behind one fixture."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from bot.store.postgresql import PostgresStore
from bot.store.sqlite import SqliteStore
from tests.bot.store.memory import MemoryStore


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Store]:
    store: Store
    if request.param == "memory":
        store = MemoryStore()
    elif request.param == "sqlite":
        store = await SqliteStore.open(tmp_path / "games.sqlite3")
    else:
        server = request.getfixturevalue("postgres_server")
        store = await PostgresStore.open(await server.emptied())
    yield store
    await store.close()
