"""A club in each kind of database, for every test of the standings but those of a file."""

import pytest

from tests.bot.standings.games import Club


@pytest.fixture
def club(any_club: Club) -> Club:
    return any_club
