"""Cooldowns of expensive requests, by person."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cachetools import TTLCache

from bot.model.errors import TooSoon
from bot.sync.discord_time import DISCORD_TIME

_REMEMBERED = 100_000
"""People; the one who asked first is dropped."""


class Cooldowns:
    """Remembers who has asked lately, in this process only.

    A deletion leaves nothing of a person behind (`bot.standings.forgetting`), and a row that says when
    somebody was deleted would be such a thing: the one who asks for that must not be written down, and a
    digest of their id, out of a known range, is as good as the id. What is much work is bounded all the same:
    a restart lets each person ask once more, and few restarts come in ten minutes.
    """

    def __init__(
        self,
        seconds: float,
        *,
        timer: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = DISCORD_TIME,
    ) -> None:
        """`clock` gives the seconds since 1970, in which people are told when they may ask again."""
        self._seconds = seconds
        self._timer = timer
        self._clock = clock
        self._asked: TTLCache[int, float] = TTLCache(_REMEMBERED, seconds, timer)

    @contextmanager
    def once(self, user: int) -> Iterator[None]:
        """Around what is done for the person. Raises `TooSoon`; what fails may be asked for again at once."""
        asked = self._asked.get(user)
        if asked is not None:
            raise TooSoon(round(self._clock() + asked + self._seconds - self._timer()))
        self._asked[user] = self._timer()
        try:
            yield
        except BaseException:
            self._asked.pop(user, None)
            raise
