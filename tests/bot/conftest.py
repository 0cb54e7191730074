"""Databases with an empty book, and a clock of Discord's time that no other test has set."""

import time
from collections.abc import AsyncIterator

import pytest

from bot.sync.discord_time import DISCORD_TIME
from tests.bot.standings.games import Club
from tests.bot.store.opened import emptied


@pytest.fixture(autouse=True)
def discord_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's time is the host's: a test that heard an answer of Discord's has set it."""
    monkeypatch.setattr(DISCORD_TIME, "_anchor", time.time() - time.monotonic())
    monkeypatch.setattr(DISCORD_TIME, "_is_anchored", False)


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
