"""The simulated players of the benchmarks stop when they are cancelled."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.hall import Hall
from tests.patience import PATIENCE


async def test_a_player_stops_though_news_comes_at_the_same_moment() -> None:
    """`asyncio.wait_for` would lose the cancellation on Python 3.11, and the player would play for ever."""

    async def nothing_to_do() -> bool:
        return False

    nobody: Any = None
    table: Any = SimpleNamespace(
        players=[SimpleNamespace(act=nothing_to_do, person=SimpleNamespace(id="ada"))]
    )
    hall = Hall(nobody, nobody, Path())
    player = asyncio.create_task(hall._sit(table, 0, 0.001, Random(1)))
    await asyncio.sleep(0.05)

    hall._news_for("ada").set()
    await asyncio.sleep(0)  # what waits for the news has it, and has not told the player yet
    player.cancel()

    async with asyncio.timeout(PATIENCE):
        await asyncio.wait({player})
    assert player.cancelled()
    with pytest.raises(asyncio.CancelledError):
        await player
