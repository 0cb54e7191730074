"""The errors of requests to Discord: which of them are transient, and how they are logged."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

from bot.model.errors import StoreUnavailable
from bot.sync.ban_gate import Banned

CLOSED_DMS: Final = frozenset({50007, 50278})
"""Discord's error codes for a person whose DMs are closed to the bot."""

GONE: Final = frozenset({10003})
"""Discord's error code for an unknown (deleted) channel."""

NETWORK: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Network errors in the wide sense: a refusal, a rate limit, a lost connection, a timeout."""

TROUBLE: Final = (*NETWORK, StoreUnavailable)
"""Network errors, and an unavailable store."""


def is_transient(error: Exception) -> bool:
    """True if the error is transient: a retry may succeed without a change in the server."""
    if isinstance(error, discord.HTTPException):
        return error.status == 429 or error.status >= 500
    return isinstance(error, aiohttp.ClientError | OSError | StoreUnavailable | discord.RateLimited)


def was_certainly_not_sent(error: BaseException) -> bool:
    """True if Discord has certainly not carried out the failed request."""
    if isinstance(error, discord.HTTPException):
        return error.status < 500
    return isinstance(error, discord.RateLimited | aiohttp.ClientConnectorError | Banned)


def described(error: Exception) -> str:
    """The error for the log: its class and Discord's codes, never the request's content."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} {error.code}"
    return type(error).__name__
