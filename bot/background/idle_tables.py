"""Closes idle tables: a lobby after an hour, a sleeping game after a day or a week without a move.

It also frees the seats that a challenge or a rematch has held for long enough.

A match whose next game nobody starts closes like a lobby, but not before two turns' time; one person's match
against computers closes like a sleeping game.

A game sleeps while only computers wait for its one person, or when all its people have left
(`bot.background.turn_clock`). In any other game the clock runs, so it never idles. One background task checks
all open tables every few minutes. It compares times from the store, so the time in which the bot was down
counts too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from bot.background.turn_clock import sleeps
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import AlreadyBegun, DamagedGame, NoTable, StaleGame
from bot.model.table_record import Pace, Status, TableRecord
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions

LOBBY_KEPT = 3_600
"""Idle time (s) after which a lobby is closed."""

GAME_KEPT = 7 * 86_400
"""Time (s) without a move after which a game that waits for its one person is called off, or a slow one."""

DESERTED_KEPT = 86_400
"""Time (s) without a move after which a live game that everybody has left is called off."""

_PAUSE = 300.0
"""Time (s) between two checks."""

_KEY = ("idle tables",)


class IdleTables:
    """Closes lobbies and calls off games that are idle for too long."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        now: Callable[[], float],
    ) -> None:
        """`now` returns Unix time (s), like the store."""
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies
        self._presence = presence
        self._tasks = tasks
        self._now = now

    def start(self) -> None:
        """Check the tables periodically; the supervisor restarts the check after a failure of the store."""
        self._tasks.repeat(_KEY, _PAUSE, self._check)

    async def _check(self) -> None:
        for record in await self._store.open_tables():
            # It has ended or begun since the query, or it is quarantined until somebody clears its channel.
            with suppress(AlreadyBegun, NoTable, StaleGame, DamagedGame):
                if await self._is_idle(record):
                    await self._sessions.call_off(record.game, status=record.status, timed_out=True)
                elif record.awaited:
                    await self._lobbies.free_held_seats(record.game)

    async def _is_idle(self, record: TableRecord) -> bool:
        """True if nobody has touched the table for its limit."""
        if self._presence.rests(record):
            return False  # `bot.background.guilds` handles tables whose server the bot has left
        is_lobby = record.status is Status.GATHERING
        rested = self._now() - await self._store.last_touched(record.game)
        if rested < (_lobby_kept(record) if is_lobby else _game_kept(record)):
            return False
        return is_lobby or sleeps(record, (await self._sessions.get(record.game)).game.table)


def _game_kept(record: TableRecord) -> int:
    """Time (s) without a move after which a sleeping game is called off."""
    is_live_with_others = len(record.people) > 1 and record.agreement.pace is Pace.LIVE
    return DESERTED_KEPT if is_live_with_others else GAME_KEPT


def _lobby_kept(record: TableRecord) -> int:
    """Idle time (s) after which the gathering table is closed."""
    if not record.goes_on_in_match:
        return LOBBY_KEPT
    is_alone = sum(each.user is not None for each in record.occupants) <= 1
    return GAME_KEPT if is_alone else max(LOBBY_KEPT, 2 * record.agreement.time_to_move)
