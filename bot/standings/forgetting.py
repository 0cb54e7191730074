"""Forgets people to the end: in small steps, between which others play, until the files hold no trace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from bot.model.errors import StoreUnavailable
from bot.standings.protocol import PeopleData

_ATTEMPTS = 20
"""Attempts to scrub the files, until no reader holds them."""
_BETWEEN = 0.25
"""Seconds between two attempts."""


async def forget_to_the_end(people: PeopleData, changed: Callable[[str], None]) -> None:
    """Do what is left to do for everybody who is being forgotten; `changed` hears of each game.

    Raises `StoreUnavailable`; then the rest is done the next time.
    """
    while True:
        began = time.monotonic()
        games = await people.forget_more()
        if games is None:
            break
        for game in games:
            changed(game)
        await asyncio.sleep(time.monotonic() - began)
    for left in reversed(range(_ATTEMPTS)):
        try:
            await people.scrub()
        except StoreUnavailable:
            if not left:
                raise
            await asyncio.sleep(_BETWEEN)
        else:
            return
