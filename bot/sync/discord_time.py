"""Discord's time, continued by the monotonic clock, so that jumps of the host's clock do not matter.

Discord sends its time in the `Date` header of each response, to the second, and in each interaction's id. The
first one anchors the clock. Later headers move it forward, after the monotonic clock has stood still (a
suspended host, say), once two in a row agree: a single one may be wrong. The id of a prompt interaction sets
it, forward and back. Before the first one it is the host's time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp
from discord.utils import snowflake_time

from bot.concurrency.loop_time import loop_time

_LATE = 5.0
"""Difference (s) from Discord's time that moves the anchor: headers have whole seconds."""


class DiscordTime:
    """A clock of Discord's time, in seconds since 1970."""

    def __init__(
        self,
        host: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = loop_time,
    ) -> None:
        """`host` is the clock (s since 1970) that is used before Discord has sent its time."""
        self._monotonic = monotonic
        self._anchor = host() - monotonic()
        self._is_anchored = False
        self._lead = 0.0
        """Lead (s) of the last `Date` over this clock."""
        self._last_date = ""

    def __call__(self) -> float:
        """The time (s since 1970)."""
        return self._anchor + self._monotonic()

    def utcnow(self) -> datetime:
        """The time as a datetime in UTC."""
        return datetime.fromtimestamp(self(), UTC)

    def observe_date(self, seconds: float) -> None:
        """Note the time of a response (s since 1970)."""
        before, self._lead = self._lead, seconds - self()
        if not self._is_anchored or min(before, self._lead) > _LATE:
            self._set(seconds)

    def observe_id(self, snowflake: int) -> None:
        """Note the time in an id that Discord has just created."""
        seconds = snowflake_time(snowflake).timestamp()
        if not self._is_anchored or abs(seconds - self()) > _LATE:
            self._set(seconds)

    def _set(self, seconds: float) -> None:
        self._anchor = seconds - self._monotonic()
        self._is_anchored, self._lead = True, 0.0

    def listen(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Note the time in each response to a traced request."""
        trace.on_request_end.append(self._answered)
        return trace

    async def _answered(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        date = request.response.headers.get("Date", "")
        if date == self._last_date:
            return  # responses of one second have the same date; parsing each took 2 % of an action's time
        self._last_date = date
        try:
            seconds = parsedate_to_datetime(date).timestamp()
        except (ValueError, OverflowError):
            return  # a proxy's response without a date
        self.observe_date(seconds)


DISCORD_TIME = DiscordTime()
"""The process's clock."""
