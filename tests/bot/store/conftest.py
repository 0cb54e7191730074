"""The store on both kinds of database, behind one fixture."""

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.store.opened import emptied, open_store


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test's cases the first runs in both kinds of database, the others in SQLite when time is short."""
    seen: set[str] = set()
    for item in items:
        name, _, case = item.nodeid.partition("[")
        if "test_contract.py" in name and case.startswith("postgresql-"):
            if name in seen:
                item.add_marker(pytest.mark.deep)
            seen.add(name)


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        store = await open_store(emptied(tmp_path / "games.sqlite3"))
    else:
        server = request.getfixturevalue("postgres_server")
        store = await open_store(await server.emptied())
    yield store
    await store.close()
