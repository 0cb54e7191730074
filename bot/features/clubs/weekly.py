"""Opens the next event of each weekly one when its time has come, in the same channel and on the same terms.

Opening is one transaction, which also moves the time on, so that each event opens once, wherever the bot
crashes and however many processes run. Its message follows by itself (`bot.features.clubs.nights`). After an
outage at most one event opens: that of the present week, if it is not late by more than a day. A sign-up that
nobody has started by then is over, and its message says so. Weeks in which an event is under way in the
channel, or another sign-up has stood there for less than a week, are left out; an older one is over, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.clubs.event import Phase
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import is_too_late
from bot.tables.presence import Presence as Shards

_PAUSE: Final = 20.0
"""Interval (s) between two checks for due events."""


class WeeklyEvents:
    """The weekly events of the servers that this process owns."""

    def __init__(
        self,
        clubs: ClubStore,
        nights: ClubNights,
        *,
        shards: Shards,
        tasks: KeyedTasks,
        now: Callable[[], float],
    ) -> None:
        """`now` returns seconds since 1970."""
        self._clubs = clubs
        self._nights = nights
        self._shards = shards
        self._tasks = tasks
        self._now = now

    async def start(self) -> None:
        """Start polling; the supervisor restarts it after a failure of the store."""
        self._tasks.repeat(("weekly clubs",), _PAUSE, self.open_due)

    async def open_due(self) -> None:
        """Open all events that are due, and wake those whose message is not posted."""
        now = int(self._now())
        for event in await self._clubs.weekly(now):
            if event.again is None or not self._shards.owns(event.guild):
                continue
            if event.again <= now:
                if not is_too_late(event.again, now) and not self._shards.is_in(event.guild):
                    continue  # an outage of the server; it opens afterwards
                opened = await self._clubs.open_next(event.id, event.again, now)
                if opened is not None:
                    self._nights.changed(opened.id)
                if opened is not None and event.phase is Phase.GATHERING:
                    continue  # it is redrawn before the message of the next one is posted
            self._nights.changed(event.id)  # its message says when the next one opens
