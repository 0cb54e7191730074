"""A club with an empty book."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.standings.games import Club


@pytest.fixture
async def club(tmp_path) -> AsyncIterator[Club]:
    club = await Club.open(tmp_path / "games.sqlite3")
    yield club
    await club.projection.close()
    await club.database.close()
