"""A club for every test of the standings: in SQLite, and with all tests in PostgreSQL too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.standings.games import Club
from tests.bot.store.opened import emptied


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
async def club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """In each kind of database; `ON_BOTH` and `ON_SQLITE` choose among them."""
    if request.param == "postgresql":
        address = await request.getfixturevalue("postgres_server").emptied()
    else:
        address = emptied(tmp_path / "games.sqlite3")
    club = await Club.open(address)
    yield club
    await club.close()
