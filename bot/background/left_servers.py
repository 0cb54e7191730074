"""Deletes a server's data ninety days after the bot was removed from it, and other places after thirty days.

The other places are those where people play without the bot (`Venue.ANYWHERE`): nothing says that they are
left, so where a game was played is deleted a month after the last one there.

`bot.background.guilds` records those servers; one that invites the bot again in time keeps everything. Games
that people have finished there stay in their statistics (`forget_left_server` of `bot.store.Store`,
`docs/privacy.md`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

KEPT = 90 * 86_400
"""Time (s) until a left server's data is deleted."""

PLACES_KEPT = 30 * 86_400
"""Time (s) after the last play in a place without the bot until it is deleted."""

_PAUSE = 900.0
"""Time (s) between two checks, and before the first."""

_BETWEEN_STEPS = 0.05
"""Pause (s) between deletions, for other writers."""

_KEY = ("left servers",)


class LeftServers:
    """Deletes the data of left servers in the background."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        now: Callable[[], float],
    ) -> None:
        """`now` returns Unix time (s), like the store."""
        self._store = store
        self._sessions = sessions
        self._presence = presence
        self._tasks = tasks
        self._now = now

    def start(self) -> None:
        """Check periodically; the supervisor restarts the check after a failure of the store."""
        self._tasks.repeat(_KEY, _PAUSE, self._check)

    async def _check(self) -> None:
        if self._presence.guilds is None or not self._presence.owns(None):
            return  # another process does it, or a shard has not listed its servers yet
        until = int(self._now()) - KEPT
        while (games := await self._store.forget_left_server(until)) is not None:
            for game in games:
                self._sessions.forget(game)
            await asyncio.sleep(_BETWEEN_STEPS)
        until = int(self._now()) - PLACES_KEPT
        while games := await self._store.forget_places(until):
            for game in games:
                self._sessions.forget(game)
            await asyncio.sleep(_BETWEEN_STEPS)
