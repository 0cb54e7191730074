"""The bot as it is, but for a store that takes half a second for each call while the file named by `SLOW`
exists, and for answers that are deferred after a tenth of a second."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.interactions import answering
from bot.standings.protocol import Standings
from bot.store import SqliteStore, Store
from bot.store.standings import SqliteStandings

_DELAY = 0.5
"""Seconds."""


def _delayed(method: Callable[..., Any]) -> Callable[..., Any]:
    slowed = Path(os.environ["SLOW"])

    @functools.wraps(method)
    async def slow(*args: Any, **options: Any) -> Any:
        if slowed.exists():  # noqa: ASYNC240 -- looked up in memory
            await asyncio.sleep(_DELAY)
        return await method(*args, **options)

    return slow


def _delay(kind: type, protocol: type) -> None:
    for name in vars(protocol):
        method = getattr(kind, name, None)
        if name != "close" and not name.startswith("_") and inspect.iscoroutinefunction(method):
            setattr(kind, name, _delayed(method))


if __name__ == "__main__":
    answering.PATIENCE = 0.1
    _delay(SqliteStore, Store)
    _delay(SqliteStandings, Standings)
    runpy.run_module("bot", run_name="__main__")
