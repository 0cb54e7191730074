"""Databases with an empty book, and a clock of Discord's time that no other test has set."""

from collections.abc import AsyncIterator, Iterator

import pytest

from bot.sync.discord_time import DISCORD_TIME
from tests.bot.standings.games import Club
from tests.bot.store.opened import emptied


@pytest.fixture(autouse=True)
def discord_time() -> Iterator[None]:
    """Discord's time is the host's again after a test that heard an answer of Discord's."""
    before = dict(vars(DISCORD_TIME))
    yield
    vars(DISCORD_TIME).update(before)


@pytest.fixture
async def sqlite_club(tmp_path) -> AsyncIterator[Club]:
    """A club in an SQLite file, for tests of that alone."""
    club = await Club.open(emptied(tmp_path / "games.sqlite3"))
    yield club
    await club.close()


@pytest.fixture
def club(sqlite_club: Club) -> Club:
    """SQLite, unless a module overrides it."""
    return sqlite_club


@pytest.fixture(params=["sqlite", "postgresql"])
async def any_club(request: pytest.FixtureRequest, tmp_path) -> AsyncIterator[Club]:
    """A club in each kind of database: the contract suites run on both."""
    if request.param == "postgresql":
        address = await request.getfixturevalue("postgres_server").emptied()
    else:
        address = emptied(tmp_path / "games.sqlite3")
    club = await Club.open(address)
    yield club
    await club.close()
