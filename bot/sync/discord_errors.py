"""Discord's error codes: what each means for a request, and what the bot does, says and logs about it.

`REFUSALS` is the one table of them; every other module asks it. `tests/room/test_refusals.py` walks it. A
transient error (a lost connection, a fault of Discord, a rate limit) says nothing about the request: it is
sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

import aiohttp
import discord

from bot.model.errors import StoreUnavailable
from bot.sync.ban_gate import Banned

log = logging.getLogger(__name__)

NETWORK: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Network errors in the wide sense: a refusal, a rate limit, a lost connection, a timeout."""

TROUBLE: Final = (*NETWORK, StoreUnavailable)
"""Network errors, and an unavailable store."""


class Request(Enum):
    """A kind of request: one code can mean different things for two of them."""

    EDIT = "the edit of a table's message"
    POST = "the post of a table's message"
    DM = "the post or edit of a message by DM"
    DM_OPENING = "the opening of a DM channel"
    THREAD = "the opening of a game's thread"
    FOLLOW_UP = "a post with the token of a press"
    ANSWER = "the answer to a press or command"
    COMMANDS = "the sending of the bot's commands"


class Does(Enum):
    """What the bot does after a refusal."""

    CALLS_OFF = "calls the table off"
    POSTS_ANEW = "posts the message anew"
    POSTS_ANEW_SELDOM = "posts the message anew, at most once a minute for a table: that decides the channel"
    OPENS_CIRCUIT = "sends nothing to the channel but probes (`circuit_breaker`)"
    WAITS_FOR_PERSON = "sends nothing to the DM until its person presses there"
    NOTES_CLOSED_DMS = "stores that the person's DMs are closed, until they ask for their hand"
    SPARES_PERSON = "sends the person nothing by DM for an hour, or until they ask for their hand"
    QUEUES = "lets all people wait for their DM in one queue (`direct_messages`)"
    OPENS_NO_DMS = "opens no DM, and tries one an hour"
    STAYS_IN_CHANNEL = "leaves the game in its channel"
    TAKES_THREAD = "takes the thread that is there"
    TAKES_NEXT_PRESS = "posts with another press's token, or at the next press"
    LEAVES_IT = "leaves the answer: it is too late"
    WAS_GIVEN = "leaves the answer: it was given"
    DRAWS_NOTHING = "draws nothing: a hand that was pressed has just moved below the table"
    RETRIES_SELDOM = "sends the commands again, with growing pauses"
    KEEPS_OLD_COMMANDS = "leaves the commands as they were until the next start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The meaning of a code."""

    does: Does
    players: str = ""
    """The words that players read because of it; empty if there are none."""
    owner: str = ""
    """The log's line, to which the codes are added; empty if there is none."""
    level: int = logging.WARNING
    """The line's level."""


ANY_403: Final = 403
"""Stands for the codes of status 403 that are not named, in place of a code."""

ANY_4XX: Final = 400
"""Stands for all other codes that are not named, if the error is not transient."""

_BEHIND: Final = "by DM: their cards are behind *My hand*"

_NOT_POSTED: Final = "Discord doesn't let me post your table"
_SHUT: Final = "a table's channel may not be written to"

_GONE = Meaning(does=Does.CALLS_OFF)
_POSTED_ANEW = Meaning(does=Does.POSTS_ANEW)
_EDIT_REFUSED = Meaning(
    does=Does.POSTS_ANEW_SELDOM, owner="a message took no edit and was posted anew, once a minute at most"
)
_NO_WRITING = Meaning(does=Does.OPENS_CIRCUIT, players=_NOT_POSTED, owner=_SHUT)
_OWN_DM_SHUT = Meaning(does=Does.WAITS_FOR_PERSON, owner=_SHUT)
_OWN_DM_CLOSED = Meaning(
    does=Does.WAITS_FOR_PERSON, players="Discord doesn't let me write to you here", owner=_SHUT
)
_DMS_CLOSED = Meaning(does=Does.NOTES_CLOSED_DMS, players=_BEHIND)
_DM_REFUSED = Meaning(
    does=Does.SPARES_PERSON, players=_BEHIND, owner="somebody gets no direct message for an hour"
)
_QUARANTINED = Meaning(
    does=Does.OPENS_NO_DMS,
    players=_BEHIND,
    owner="Discord has quarantined the bot: it can write by DM only to people to whom it has written before, "
    "and join no server. Appeal at https://discord.com/developers/applications. Until then the others find "
    "their cards behind My hand",
    level=logging.ERROR,
)
_LATE = Meaning(does=Does.LEAVES_IT, owner="an answer came too late for Discord", level=logging.INFO)
_GIVEN = Meaning(does=Does.WAS_GIVEN, owner="an answer was given already", level=logging.INFO)
_SPENT = Meaning(does=Does.TAKES_NEXT_PRESS)

REFUSALS: Final[Mapping[Request, Mapping[int, Meaning]]] = {
    Request.EDIT: {
        10003: _GONE,  # unknown channel
        10008: _POSTED_ANEW,  # unknown message
        30046: _POSTED_ANEW,  # too many edits of messages older than an hour
        50083: _POSTED_ANEW,  # archived thread, which a new message reopens
        20022: _EDIT_REFUSED,  # a published message in an announcement channel: a few edits an hour
        50001: _EDIT_REFUSED,  # missing access
        50005: _EDIT_REFUSED,  # another application's message: the token has changed
        50013: _EDIT_REFUSED,  # missing permissions
        160005: _EDIT_REFUSED,  # locked thread
        50007: _OWN_DM_SHUT,  # the person has closed their DMs: a table in one
        50278: _OWN_DM_SHUT,  # no server in common
        ANY_403: _EDIT_REFUSED,
    },
    Request.POST: {
        10003: Meaning(does=Does.CALLS_OFF, players=_NOT_POSTED),
        50001: _NO_WRITING,
        50013: _NO_WRITING,
        160005: _NO_WRITING,
        50007: _OWN_DM_CLOSED,
        50278: _OWN_DM_CLOSED,
        ANY_403: _NO_WRITING,
    },
    Request.DM: {
        10008: _POSTED_ANEW,
        30046: _POSTED_ANEW,
        50007: _DMS_CLOSED,  # or the person has blocked the bot
        50278: _DMS_CLOSED,
        20026: _QUARANTINED,
        50001: _DM_REFUSED,  # without a known reason (discord-api-docs #7666)
        ANY_4XX: _DM_REFUSED,
    },
    Request.DM_OPENING: {
        40003: Meaning(
            does=Does.QUEUES,
            players=_BEHIND,
            owner="Discord lets the bot open no more direct messages for now",
        ),
        20026: _QUARANTINED,
        50007: _DMS_CLOSED,
        50278: _DMS_CLOSED,
        ANY_4XX: _DM_REFUSED,
    },
    Request.THREAD: {
        10003: _GONE,
        160004: Meaning(does=Does.TAKES_THREAD),  # the message has one
        ANY_4XX: Meaning(
            does=Does.STAYS_IN_CHANNEL, owner="a game gets no thread of its own", level=logging.INFO
        ),
    },
    Request.FOLLOW_UP: {
        10015: _SPENT,  # unknown webhook
        10062: _SPENT,  # unknown interaction
        40094: _SPENT,  # a sixth follow-up
        50027: _SPENT,  # invalid token
    },
    Request.ANSWER: {
        10008: Meaning(does=Does.DRAWS_NOTHING),
        10062: _LATE,
        50027: _LATE,
        40060: _GIVEN,
    },
    Request.COMMANDS: {
        30034: Meaning(  # 200 commands created in a day
            does=Does.RETRIES_SELDOM, owner="Discord has not taken the bot's commands"
        ),
        ANY_4XX: Meaning(
            does=Does.KEEPS_OLD_COMMANDS,
            owner="Discord refuses the bot's new commands until the next start",
        ),
    },
}
"""By request and code: what Discord's refusal means."""


GONE: Final = frozenset(
    code for code, found in REFUSALS[Request.POST].items() if found.does is Does.CALLS_OFF
)
"""Discord's error code for an unknown (deleted) channel."""

_MISSING_PERMISSIONS: Final = 50013

NOT_FOR_A_PICTURE: Final = frozenset(
    code for request in (Request.EDIT, Request.POST, Request.DM) for code in REFUSALS[request]
) - {_MISSING_PERMISSIONS, ANY_403, ANY_4XX}
"""The codes that are about a place, a person or the bot, whatever the message holds."""


def meaning(request: Request, error: Exception) -> Meaning | None:
    """The meaning of a refusal; `None` for a transient error, and for one that the table does not have."""
    if not isinstance(error, discord.HTTPException):
        return None
    row = REFUSALS[request]
    found = row.get(error.code)
    if found is None and isinstance(error, discord.Forbidden):
        found = row.get(ANY_403)
    if found is None and not is_transient(error):
        found = row.get(ANY_4XX)
    return found


def done_after(request: Request, error: Exception) -> Does | None:
    """What the bot does after the refusal; see `meaning`."""
    found = meaning(request, error)
    return None if found is None else found.does


def tell_owner(request: Request, error: Exception) -> None:
    """Log what the owner reads about the refusal, if the table has something."""
    found = meaning(request, error)
    if found is not None and found.owner:
        log.log(found.level, "%s: %s", found.owner, described(error))


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
