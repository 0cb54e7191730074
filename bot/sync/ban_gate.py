"""One gate for all requests: while Discord's proxy bans the bot's address, none is sent.

Cloudflare answers every request of a banned address with a page of HTML, a 429 with `Retry-After` and without
a `Via` header, and each further request prolongs the ban. So the first such answer closes the gate for that
time. Requests that would wait for longer than a moment fail, like those of an outage: the tables are synced
once it is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import aiohttp
import discord

log = logging.getLogger(__name__)

_MOMENT: Final = 1.5
"""Longest wait (s) of a request: an interaction must be answered within three seconds."""

_UNTOLD: Final = 60.0
"""Time (s) of a ban without a readable `Retry-After`."""

_API: Final = "/api/"


class Banned(aiohttp.ClientError):
    """A request that was not sent, because the bot's address is banned for `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__("the address is banned")
        self.seconds = seconds


class BanGate:
    """Closed while the address is banned."""

    def __init__(self) -> None:
        self._opens = 0.0
        """End of the ban, in the event loop's time (s)."""

    def listen(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Guard every traced request, before the hooks that are in `trace` already."""
        trace.on_request_start.insert(0, self._pass)
        trace.on_request_end.append(self._answered)
        return trace

    @property
    def seconds(self) -> float:
        """The rest of the ban; 0 if there is none."""
        return max(0.0, self._opens - asyncio.get_running_loop().time())

    async def _pass(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Let the request pass. Raises `Banned` if that is not possible in a moment."""
        if _API not in request.url.path:
            return  # the gateway
        while seconds := self.seconds:
            if seconds > _MOMENT:
                raise Banned(seconds)
            await asyncio.sleep(seconds)

    async def _answered(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        seconds = _seconds_of_ban(request.response.status, request.response.headers)
        if seconds is None:
            return
        if not self.seconds:
            log.warning("Discord's proxy bans this address: no request is sent for %.0f s", seconds)
        self._opens = max(self._opens, asyncio.get_running_loop().time() + seconds)


def banned_for(error: BaseException) -> float | None:
    """The time (s) for which the address is banned, if that is why the request failed."""
    if isinstance(error, Banned):
        return error.seconds
    if isinstance(error, discord.HTTPException):
        return _seconds_of_ban(error.status, getattr(error.response, "headers", {"Via": ""}))
    return None


def _seconds_of_ban(status: int, headers: Mapping[str, str]) -> float | None:
    """See `banned_for`: Discord's own rate limits come with a `Via` header."""
    if status != HTTPStatus.TOO_MANY_REQUESTS or "Via" in headers:
        return None
    try:
        return max(1.0, float(headers.get("Retry-After", _UNTOLD)))
    except ValueError:
        return _UNTOLD
