"""The bot as it is, but for a database that takes half a second for each transaction while the file named by
`SLOW` exists, and for answers that are deferred after a tenth of a second."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.interactions import answering
from bot.store.drivers.sqlite import SqliteDatabase
from tests.end_to_end import patient_bot

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


def alter() -> None:
    """Let the bot of this process be slow."""
    patient_bot.alter()
    answering.PATIENCE = 0.1
    SqliteDatabase.read = SqliteDatabase.read_one = _delayed(SqliteDatabase.read)  # type: ignore[method-assign]
    SqliteDatabase.write = _delayed(SqliteDatabase.write)  # type: ignore[method-assign]
