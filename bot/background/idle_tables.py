"""Puts tables away that nobody uses: a lobby after an hour, a game that sleeps after a week without a move.

A match whose next game nobody starts ends: like a lobby, but not sooner than two turns would take; where only
computers wait for one person, like a game that sleeps.

A game sleeps where only computers wait for one person (`bot.background.turn_clock`); games between people
have a clock, and never rest for long. One background task looks through all open tables every few minutes.
It compares times that are in the store, so the time in which the bot was down counts too: one command opens
the table again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from bot.background.turn_clock import sleeps
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import DamagedGame, NoTable, StaleGame
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

LOBBY_KEPT = 3_600
"""Seconds after which a lobby that nobody touched is closed."""

GAME_KEPT = 7 * 86_400
"""Seconds without a move after which a game is called off in which nobody but computers waits."""

_PAUSE = 300.0
"""Seconds between two looks."""

_KEY = ("idle tables",)


class IdleTables:
    """Closes lobbies and calls games off that rest for too long."""

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
        """Look through the tables from now on; after a failure of the store the supervisor starts again."""
        self._tasks.repeat(_KEY, _PAUSE, self._look)

    async def _look(self) -> None:
        for record in await self._store.open_tables():
            # It ended, or began, in the meantime; or it is set aside, until somebody clears its channel.
            with suppress(NoTable, StaleGame, DamagedGame):
                if await self._is_idle(record):
                    await self._sessions.call_off(record.game, status=record.status, timed_out=True)

    async def _is_idle(self, record: TableRecord) -> bool:
        """Whether nobody has touched the table for so long that it is put away."""
        if self._presence.rests(record):
            return False  # `bot.background.guilds` sees to those that the bot has left
        is_lobby = record.status is Status.GATHERING
        if not is_lobby and len(record.people) > 1:
            return False
        rested = self._now() - await self._store.last_touched(record.game)
        if rested < (_lobby_kept(record) if is_lobby else GAME_KEPT):
            return False
        return is_lobby or sleeps(record, (await self._sessions.get(record.game)).game.table)


def _lobby_kept(record: TableRecord) -> int:
    """Seconds after which the table is closed that gathers."""
    if not record.goes_on_in_match:
        return LOBBY_KEPT
    is_alone = sum(each.user is not None for each in record.occupants) <= 1
    return GAME_KEPT if is_alone else max(LOBBY_KEPT, 2 * record.agreement.time_to_move)
