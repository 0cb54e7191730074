"""Updates the standings' projection in the background: at a start, and after each game with a result.

Its delay does no harm: no game needs the standings, and their readers update the projection first. At a start
it also finishes a deletion that the former process left unfinished, and recomputes all figures if their
version has changed.
"""

from __future__ import annotations

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.table_record import Status, TableRecord
from bot.standings.forgetting import forget_to_the_end
from bot.standings.projection import Projection
from bot.standings.protocol import PeopleData
from bot.tables.sessions import Sessions

_KEY = ("standings",)
_RECOUNT = ("standings", "computed again")
_FORGET = ("forgetting",)


class StandingsFollower:
    """Keeps a projection up to date in the background."""

    def __init__(
        self, projection: Projection, people: PeopleData, sessions: Sessions, tasks: KeyedTasks
    ) -> None:
        self._projection = projection
        self._people = people
        self._sessions = sessions
        self._tasks = tasks

    def start(self) -> None:
        """Update the projection, recompute outdated figures, finish a deletion. Non-blocking."""
        self._tasks.wake(_KEY, self._projection.flush)
        self._tasks.wake(_FORGET, self._forget)
        self._tasks.wake(_RECOUNT, self._projection.recount)

    def game_ended(self, record: TableRecord) -> None:
        """Update the projection if the game has a result. Non-blocking."""
        if record.status is Status.OVER:
            self._tasks.wake(_KEY, self._projection.flush)

    async def _forget(self) -> None:
        await forget_to_the_end(self._people, self._sessions.forget)
