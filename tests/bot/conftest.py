"""Databases with an empty book."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.standings.games import Club


@pytest.fixture
async def sqlite_club(tmp_path) -> AsyncIterator[Club]:
    """A club in an SQLite file, for tests of that alone."""
    club = await Club.open(tmp_path / "games.sqlite3")
    yield club
    await club.close()


@pytest.fixture
def club(sqlite_club: Club) -> Club:
    """SQLite, unless a module overrides it."""
    return sqlite_club


@pytest.fixture(params=["sqlite", "postgresql"])
async def any_club(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Club]:
    """A club in each kind of database: the contract suites run on both."""
    address = tmp_path / "games.sqlite3"
    if request.param == "postgresql":
        address = await request.getfixturevalue("postgres_server").emptied()
    club = await Club.open(address)
    yield club
    await club.close()
