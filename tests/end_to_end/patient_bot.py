"""The bot as it is, but for its time limits: what takes longer on a busy machine is no failure."""

from __future__ import annotations

import aiohttp

import bot.client
from bot.interactions import answering
from bot.sync import live_message
from tests.patience import PATIENCE


def alter() -> None:
    """Let the bot of this process wait as long for Discord as the tests wait for the bot.

    It defers no answer either, so that what is answered does not depend on how long it takes.
    """
    bot.client._TIME_LIMIT = aiohttp.ClientTimeout(total=PATIENCE)
    live_message.TOKEN_TIMEOUT = PATIENCE
    answering._SEND_TIMEOUT = PATIENCE
    answering.PATIENCE = PATIENCE
