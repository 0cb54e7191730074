"""What time it is: Discord's, carried on by the monotonic clock, so that no jump of the host's clock matters.

Discord says it in the `Date` header of each answer, to the second, and in the id of each interaction. The
first that is heard is the anchor of the process. Later ones move it forward alone, where the monotonic clock
stood still, as in a host that slept: time never goes back. Until Discord has said anything it is the host's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp
from discord.utils import snowflake_time

_LATE = 5.0
"""Seconds by which Discord's time has to be ahead to move the anchor: a header tells whole seconds."""


class DiscordTime:
    """The seconds since 1970, as Discord counts them."""

    def __init__(
        self,
        host: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`host` is believed until Discord is heard."""
        self._monotonic = monotonic
        self._anchor = host() - monotonic()
        self._is_heard = False
        self._last_said = ""

    def __call__(self) -> float:
        """The time, in seconds since 1970."""
        return self._anchor + self._monotonic()

    def utcnow(self) -> datetime:
        """The time, as a date."""
        return datetime.fromtimestamp(self(), UTC)

    def heard(self, seconds: float) -> None:
        """Discord has said that it is so many seconds since 1970, or was a moment ago."""
        if not self._is_heard or seconds > self() + _LATE:
            self._anchor = seconds - self._monotonic()
            self._is_heard = True

    def heard_id(self, snowflake: int) -> None:
        """Discord has just made that id."""
        self.heard(snowflake_time(snowflake).timestamp())

    def listen(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Hear the time in every answer to a request that is traced."""
        trace.on_request_end.append(self._answered)
        return trace

    async def _answered(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        date = request.response.headers.get("Date", "")
        if date == self._last_said:
            return  # several answers a second say the same, and to read it takes 2 % of an action's time
        self._last_said = date
        try:
            said = parsedate_to_datetime(date).timestamp()
        except (ValueError, OverflowError):
            return  # a proxy has answered that says no date
        self.heard(said)


DISCORD_TIME = DiscordTime()
"""The one of this process."""
