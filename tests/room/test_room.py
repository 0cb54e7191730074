"""The room itself: simulated time, threads that work, and another start on the same database."""

from __future__ import annotations

import asyncio

import pytest

from tests.golden import described
from tests.room.room import Room


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    return {"pictures": True, "computer_pace": 0}


async def test_an_hour_passes_at_once_and_the_bot_is_still_there(room: Room) -> None:
    before = asyncio.get_running_loop().time()
    table = await room.table("Ada", "Ben")

    await asyncio.sleep(3600)

    assert asyncio.get_running_loop().time() - before >= 3600
    [ada] = room.people("Ada")
    assert (await ada.command(table.channel, "crib help")).is_answered


async def test_time_stands_still_while_a_computer_thinks_and_a_picture_is_drawn(room: Room) -> None:
    table = await room.alone("Ada", computer="steady", length=61)
    before = asyncio.get_running_loop().time()

    await table.play()

    assert asyncio.get_running_loop().time() - before < 60
    assert "(picture" in described(table.results[-1].components)


async def test_a_bot_that_starts_again_plays_the_game_on(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await table.play(until=lambda: len(table.deals) > 1)

    await room.restart()
    await table.play()

    assert len(table.results) == 1
