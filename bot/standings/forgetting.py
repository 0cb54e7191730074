"""Completes the deletion of people's data, in small steps, until the database's files have no trace of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.concurrency.loop_time import loop_time
from bot.model.errors import StoreUnavailable
from bot.standings.protocol import PeopleData

_ATTEMPTS = 20
"""Attempts to scrub the files, which a reader may block."""
_PAUSE = 0.25
"""Delay (s) between two attempts."""


async def forget_to_the_end(
    people: PeopleData,
    changed: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Complete all pending deletions; calls `changed` with the id of each changed game.

    Pauses after each step for as long as it took, since others play. Raises `StoreUnavailable`; the next call
    does the rest.
    """
    while True:
        began = loop_time()
        games = await people.forget_more()
        if games is None:
            break
        for game in games:
            changed(game)
        await sleep(loop_time() - began)
    for left in reversed(range(_ATTEMPTS)):
        try:
            await people.scrub()
        except StoreUnavailable:
            if not left:
                raise
            await sleep(_PAUSE)
        else:
            return
