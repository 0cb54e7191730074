"""The sandbox's clock, and snowflakes: ids with the time of their creation in the upper bits.

Nothing here sleeps; deadlines in real time are timers of the event loop, where they are needed.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

EPOCH = 1_420_070_400_000
"""Discord's epoch, 1 January 2015, in milliseconds of Unix time."""


class Clock:
    """Wall-clock time that a test can advance, e.g. to make a message an hour old."""

    def __init__(self, host: Callable[[], float] = time.time) -> None:
        """`host` returns Unix time (s)."""
        self._host = host
        self._ahead = 0.0
        self.listeners: list[Callable[[], None]] = []
        """Called after each `advance`."""

    def now(self) -> float:
        """The sandbox's time, in seconds of Unix time."""
        return self._host() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move the clock forward; new ids and ages of messages follow, sleeping tasks and timers do not."""
        self._ahead += seconds
        for listener in list(self.listeners):
            listener()


class Snowflakes:
    """Generates strictly increasing ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> str:
        """A new id, larger than all before it."""
        moment = (int(self._clock.now() * 1000) - EPOCH) << 22
        self._last = max(moment, self._last + 1)
        return str(self._last)

    def next_of(self, shard: int, count: int) -> str:
        """A new id for a guild of that shard, one of `count`: at most `count` milliseconds ahead."""
        moment = (int(self.next()) >> 22) + 1
        self._last = moment + (shard - moment) % count << 22
        return str(self._last)


def made_at(snowflake: str) -> float:
    """The time (Unix, s) at which an id was made."""
    return ((int(snowflake) >> 22) + EPOCH) / 1000


def iso(moment: float) -> str:
    """Unix time as an ISO 8601 string in UTC, as in Discord's payloads."""
    return datetime.fromtimestamp(moment, UTC).isoformat()
