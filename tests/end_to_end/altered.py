"""The bot as it is, but for what a test cannot wait for: each function alters the bot of its own process."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp

import bot.client
import bot.starting
from bot.background import computer_players
from bot.interactions import answering
from bot.store.drivers.sqlite import SqliteDatabase
from bot.sync import live_message
from tests.patience import PATIENCE

_DELAY = 0.5
"""Seconds."""


def patient() -> None:
    """Let the bot wait as long for Discord as the tests wait for the bot: what takes longer on a busy machine
    is no failure.

    It defers no answer either, so that what is answered does not depend on how long it takes.
    """
    bot.client.TIME_LIMIT = aiohttp.ClientTimeout(total=PATIENCE)
    live_message.TOKEN_TIMEOUT = PATIENCE
    answering.SEND_TIMEOUT = PATIENCE
    answering.PATIENCE = PATIENCE


def impatient() -> None:
    """Let the bot wait two seconds at its start for what is out of reach, not five minutes."""
    bot.starting.PATIENCE = 2.0


def hard_to_stop() -> None:
    """Let requests outlast the patience of a test, so that only the bot's stop can end them."""
    patient()
    bot.client.TIME_LIMIT = aiohttp.ClientTimeout(total=10 * PATIENCE)


def with_a_slow_computer() -> None:
    """Let the computer take ten minutes for every move."""
    computer_players.move_of = _think_long  # type: ignore[attr-defined,assignment]


def slow() -> None:
    """Let the database take half a second for each transaction while the file named by `SLOW` exists, and let
    answers be deferred after a tenth of a second."""
    patient()
    answering.PATIENCE = 0.1
    SqliteDatabase.read = SqliteDatabase.read_one = _delayed(SqliteDatabase.read)  # type: ignore[method-assign]
    SqliteDatabase.write = _delayed(SqliteDatabase.write)  # type: ignore[method-assign]


def _think_long(*_: object) -> None:
    print("Hm.", file=sys.stderr, flush=True)
    time.sleep(600)


def _delayed(method: Callable[..., Any]) -> Callable[..., Any]:
    slowed = Path(os.environ["SLOW"])

    @functools.wraps(method)
    async def delayed(*args: Any, **options: Any) -> Any:
        if slowed.exists():  # noqa: ASYNC240 -- looked up in memory
            await asyncio.sleep(_DELAY)
        return await method(*args, **options)

    return delayed
