"""Club events in each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.features.clubs.store import ClubStore
from bot.model.database_address import DatabaseAddress
from bot.store.opening import Opened, open_database


@pytest.fixture(params=["sqlite", "postgresql"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    """Each kind of database."""
    address: DatabaseAddress = tmp_path / "games.sqlite3"
    if request.param == "postgresql":
        address = await request.getfixturevalue("postgres_server").emptied()
    opened = await open_database(address, patience=30.0)  # all sign up together, on a busy machine too
    yield opened
    await opened.store.close()


@pytest.fixture
def clubs(opened: Opened) -> ClubStore:
    """The club events in that database."""
    return opened.part(ClubStore, "clubs")
