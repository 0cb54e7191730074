"""The bot as it is, but that it does not search for the day's hand and squares.

The searches begin a minute after a start, and take a minute of the worker thread: more than all actions that
are measured beside them.
"""

from __future__ import annotations

import sys

from bot.__main__ import main
from bot.background.day_search import DaySearch


async def _start(_: DaySearch[object]) -> None:
    """Start nothing."""


if __name__ == "__main__":
    DaySearch.start = _start  # type: ignore[method-assign, assignment]
    sys.exit(main())
