"""Retries of a start while Discord or the database is out of reach, as after a power failure."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.ending import ending, is_out_of_reach

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 300.0
"""Time (s) from the start until an unreachable service ends the bot."""

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Delay (s) between two attempts: the first, and the maximum."""


class Start:
    """One start of the bot, whose attempts share the time limit."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`clock` returns monotonic time (s)."""
        self._clock = clock
        self._sleep = sleep
        self._until = clock() + PATIENCE

    async def reach(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return the attempt's result, repeating it with growing pauses while a service is out of reach.

        Raises its last error once the time is over, and any other error at once.
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                return await attempt()
            except Exception as error:
                known = ending(error)
                left = self._until - self._clock()
                if known is None or not is_out_of_reach(error) or left <= 0:
                    raise
                pause = min(pause, left)
                log.warning("%s It is tried again in %.0f s.", known.sentence, pause)
            await self._sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
