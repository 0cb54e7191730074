"""Both stores, behind one fixture."""

from collections.abc import AsyncIterator

import pytest

from bot.store import SqliteStore, Store
from tests.bot.store.memory import MemoryStore


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Store]:
    store = MemoryStore() if request.param == "memory" else await SqliteStore.open(tmp_path / "games.sqlite3")
    yield store
    await store.close()
