"""A club with an empty book."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.standings.games import Club


@pytest.fixture(params=["sqlite"])
async def club(tmp_path) -> AsyncIterator[Club]:
    """The contract suites run on each database that implements the standings; there is one."""
    club = await Club.open(tmp_path / "games.sqlite3")
    yield club
    await club.database.close()
