"""Time and identity: the sandbox's clock, and the ids that carry the moment they were made.

Nothing here sleeps; deadlines in real time belong to those who keep them.
"""

import time
from datetime import UTC, datetime

EPOCH = 1_420_070_400_000
"""Discord's epoch, the first of January 2015, in milliseconds of Unix time."""


class Clock:
    """Wall-clock time that a test may push forward, to make a message an hour old."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds of Unix time, as the sandbox sees it."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once; ids and ages follow, sleeping tasks do not."""
        self._ahead += seconds


class Snowflakes:
    """Gives ids that grow, each with the moment of its making in its upper bits."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> str:
        """A new id, larger than every one before it."""
        moment = (int(self._clock.now() * 1000) - EPOCH) << 22
        self._last = max(moment, self._last + 1)
        return str(self._last)


def made_at(snowflake: str) -> float:
    """The moment an id was made, in seconds of Unix time."""
    return ((int(snowflake) >> 22) + EPOCH) / 1000


def iso(moment: float) -> str:
    """A moment as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()
