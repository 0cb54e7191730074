"""Exit statuses, and the last sentence of a bot that ends for an error.

0   it was asked to end, or a successor has replaced it
1   a fault of the program, with its traceback in the log; of `check`: something is damaged
75  an outage that may pass: start it again after a pause (`EX_TEMPFAIL` of sysexits.h)
78  only a person can mend it: a setting, the token, the database (`EX_CONFIG`)
"""

from __future__ import annotations

from typing import NamedTuple

import aiohttp
import discord

from bot.model.errors import DatabaseUnusable, LeaseLost, StartUpError, StoreUnavailable

ENDED = 0
FAULT = 1
MAY_PASS = 75
TO_MEND = 78

_NO_SUCH_TOKEN = (
    "Discord does not accept DISCORD_TOKEN: copy the bot's token again from the developer portal."  # noqa: S105 -- advice
)

_REFUSED = {
    4004: (TO_MEND, _NO_SUCH_TOKEN),
    4010: (MAY_PASS, "Discord does not know this shard (close code 4010): start the bot again."),
    4011: (
        MAY_PASS,
        "Discord asks for more shards (close code 4011): start the bot again, and it will have them.",
    ),
    4012: (
        TO_MEND,
        "Discord has done with this version of its API (close code 4012): install a newer bot.",
    ),
    4013: (TO_MEND, "Discord does not know an intent of this bot (close code 4013): install a newer bot."),
    4014: (
        TO_MEND,
        "Discord does not allow this bot an intent (close code 4014): install it again, unchanged.",
    ),
}
"""Status and advice for the operator, by the gateway's close code that ends a connection for good."""

UNREACHABLE = (OSError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)
"""Errors of Discord's API, and of the network before it."""


class Ending(NamedTuple):
    """The end of a bot."""

    status: int
    sentence: str


def ending(error: Exception) -> Ending | None:
    """The end that the error brings about; `None` for a fault of the program."""
    match error:
        case LeaseLost():
            return Ending(MAY_PASS, str(error))
        case StoreUnavailable():
            return Ending(MAY_PASS, f"The database cannot be used ({error}).")
        case StartUpError():
            return Ending(MAY_PASS if error.may_pass else TO_MEND, str(error))
        case discord.LoginFailure():
            return Ending(TO_MEND, _NO_SUCH_TOKEN)
        case discord.ConnectionClosed():
            unknown = MAY_PASS, f"Discord ended the connection (close code {error.code})."
            return Ending(*_REFUSED.get(error.code, unknown))
        case _ if isinstance(error, UNREACHABLE):
            kind = type(error).__name__
            return Ending(MAY_PASS, f"Discord cannot be reached ({kind}): check the network and DISCORD_URL.")
    return None


def is_out_of_reach(error: Exception) -> bool:
    """True if Discord or the database was not reached, or did not answer."""
    match error:
        case DatabaseUnusable():
            return error.may_pass
        case StoreUnavailable():
            return not isinstance(error, LeaseLost)
        case discord.ConnectionClosed():
            return False
    return isinstance(error, UNREACHABLE)
