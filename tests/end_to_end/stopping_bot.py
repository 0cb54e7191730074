"""The bot with requests that outlast the patience of a test, so that only its stop can end them."""

from __future__ import annotations

import aiohttp

import bot.client
from tests.end_to_end import patient_bot
from tests.patience import PATIENCE


def alter() -> None:
    """Let the bot of this process wait for Discord ten times as long as the tests wait for the bot."""
    patient_bot.alter()
    bot.client._TIME_LIMIT = aiohttp.ClientTimeout(total=10 * PATIENCE)
