"""Deletes what belongs to a server ninety days after it has removed the bot.

`bot.background.guilds` notes which servers those are; one that invites the bot again keeps everything. Games
that people have finished there stay in their own statistics (`forget_left_server` of `bot.store.Store`,
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
"""Seconds after which what belongs to such a server is deleted."""

_PAUSE = 900.0
"""Seconds between two looks, and before the first."""

_BETWEEN_STEPS = 0.05
"""Seconds in which others may write."""

_KEY = ("left servers",)


class LeftServers:
    """Forgets servers in the background."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        now: Callable[[], float],
    ) -> None:
        """`now` gives the seconds since 1970, as the store does."""
        self._store = store
        self._sessions = sessions
        self._presence = presence
        self._tasks = tasks
        self._now = now

    def start(self) -> None:
        """Look from now on; after a failure of the store the supervisor starts again."""
        self._tasks.repeat(_KEY, _PAUSE, self._look)

    async def _look(self) -> None:
        if self._presence.guilds is None or not self._presence.owns(None):
            return  # another process does it, or the bot may be back in one of which its shard has not told
        until = int(self._now()) - KEPT
        while (games := await self._store.forget_left_server(until)) is not None:
            for game in games:
                self._sessions.forget(game)
            await asyncio.sleep(_BETWEEN_STEPS)
