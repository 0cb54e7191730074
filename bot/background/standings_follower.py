"""Lets the standings follow the games: at the start, and whenever a game is over.

Only queues: nobody needs the standings to play, and who reads them catches up first.
"""

from __future__ import annotations

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.table_record import Status, TableRecord
from bot.standings.projection import Projection

_KEY = ("standings",)


class StandingsFollower:
    """Keeps a projection up to date in the background."""

    def __init__(self, projection: Projection, tasks: KeyedTasks) -> None:
        self._projection = projection
        self._tasks = tasks
        self._has_begun = False

    def start(self) -> None:
        """At a start: catch up, after computing everything again if the figures have another version."""
        self._tasks.wake(_KEY, self._follow)

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game; only its end, with a result, counts here."""
        if record.status is Status.OVER:
            self._tasks.wake(_KEY, self._follow)

    async def _follow(self) -> None:
        if not self._has_begun:
            await self._projection.begin()
            self._has_begun = True
        await self._projection.catch_up()
