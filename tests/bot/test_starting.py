"""The start waits for what is out of reach, and for nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from bot.model.errors import DatabaseDamaged, DatabaseInUse, DatabaseUnusable, LeaseLost, StoreUnavailable
from bot.starting import PATIENCE, Start

LATER = DatabaseUnusable(Path("games"), "database is locked", may_pass=True)


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def failing(times: int, error: Exception) -> Callable[[], Awaitable[int]]:
    """An attempt that fails so many times, and then returns how often it was made."""
    made = 0

    async def attempt() -> int:
        nonlocal made
        made += 1
        if made <= times:
            raise error
        return made

    return attempt


@pytest.mark.parametrize(
    "error", [LATER, StoreUnavailable("no"), OSError(), aiohttp.ServerDisconnectedError()]
)
async def test_what_is_out_of_reach_is_tried_again_with_growing_pauses(error: Exception) -> None:
    clock = Clock()
    start = Start(lambda: clock.now, clock.sleep)
    assert await start.reach(failing(7, error)) == 8
    assert clock.slept == [1, 2, 4, 8, 16, 30, 30]


async def test_after_five_minutes_in_all_it_gives_up(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    start = Start(lambda: clock.now, clock.sleep)
    await start.reach(failing(5, LATER))
    with pytest.raises(OSError, match="no route"):
        await start.reach(failing(99, OSError("no route")))
    assert sum(clock.slept) == PATIENCE == 300
    assert caplog.messages[0] == (
        "The database games cannot be used (database is locked): set DATABASE to another file. "
        "It is tried again in 1 s."
    )


@pytest.mark.parametrize(
    "error",
    [
        DatabaseDamaged(Path("games")),
        DatabaseInUse(Path("games")),
        DatabaseUnusable(Path("games"), "it belongs to another program"),
        LeaseLost(),
        KeyError("a fault"),
    ],
)
async def test_nothing_else_is_tried_again(error: Exception) -> None:
    clock = Clock()
    with pytest.raises(type(error)):
        await Start(lambda: clock.now, clock.sleep).reach(failing(1, error))
    assert clock.slept == []
