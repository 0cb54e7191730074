"""The store on both kinds of database, behind one fixture."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.store.opened import emptied, open_store


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        store = await open_store(emptied(tmp_path / "games.sqlite3"))
    else:
        server = request.getfixturevalue("postgres_server")
        store = await open_store(await server.emptied())
    yield store
    await store.close()
