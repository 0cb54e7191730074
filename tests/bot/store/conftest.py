"""All stores, behind one fixture."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.store.memory import MemoryStore
from tests.bot.store.opened import open_store


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Store]:
    store: Store
    if request.param == "memory":
        store = MemoryStore()
    elif request.param == "sqlite":
        store = await open_store(tmp_path / "games.sqlite3")
    else:
        server = request.getfixturevalue("postgres_server")
        store = await open_store(await server.emptied())
    yield store
    await store.close()
