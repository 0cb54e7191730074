"""Cooldowns of expensive requests, by person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cachetools import TTLCache

from bot.concurrency.loop_time import loop_time
from bot.model.errors import TooSoon
from bot.sync.discord_time import DISCORD_TIME

_REMEMBERED = 100_000
"""Limit of people in memory; the earliest request is dropped."""


class Cooldowns:
    """Times of recent requests by person, in this process's memory only.

    They are not stored: a deletion leaves no trace of a person (`bot.standings.forgetting`), and its time
    would be one. A digest of the id would not help, since ids can be enumerated. A restart lets each person
    request once more, which still bounds the load.
    """

    def __init__(
        self,
        seconds: float,
        *,
        timer: Callable[[], float] = loop_time,
        clock: Callable[[], float] = DISCORD_TIME,
    ) -> None:
        """`clock` returns seconds since 1970, for the time at which `TooSoon` allows the next request."""
        self._seconds = seconds
        self._timer = timer
        self._clock = clock
        self._asked: TTLCache[int, float] = TTLCache(_REMEMBERED, seconds, timer)

    @contextmanager
    def once(self, user: int) -> Iterator[None]:
        """Guard a request of the person. Raises `TooSoon`. A failed request starts no cooldown."""
        asked = self._asked.get(user)
        if asked is not None:
            raise TooSoon(round(self._clock() + asked + self._seconds - self._timer()))
        self._asked[user] = self._timer()
        try:
            yield
        except BaseException:
            self._asked.pop(user, None)
            raise
