"""Which errors come of asking Discord, which of them are transient, and how one is logged."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

from bot.model.errors import StoreUnavailable

CLOSED_DMS: Final = frozenset({50007, 50278})
"""Discord's codes for a person who cannot be written to."""

GONE: Final = frozenset({10003})
"""Discord's code for a channel that is not there any more."""

NETWORK: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Network errors, in the wide sense: a refusal, a rate limit, a lost connection, a timeout."""

TROUBLE: Final = (*NETWORK, StoreUnavailable)
"""The same, and a store that is unavailable."""


def passes_by_itself(error: Exception) -> bool:
    """Whether trying again may help without anybody changing anything in the server."""
    if isinstance(error, discord.HTTPException):
        return error.status == 429 or error.status >= 500
    return isinstance(error, aiohttp.ClientError | OSError | StoreUnavailable | discord.RateLimited)


def described(error: Exception) -> str:
    """The error for the log: its kind and Discord's codes, never what was being sent."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} {error.code}"
    return type(error).__name__
