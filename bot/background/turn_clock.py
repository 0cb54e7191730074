"""The clock of every table: reminds those who are waited for, and in the end moves for them.

A turn's time runs from the last event of the log, whose time is in the store, so it outlives the bot. Time
that ran out while the bot was down does not count: the whole time for a move is given again first.

There is one background task for each game in play, which sleeps until there is something to do. It ends with
the game, however that ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from bot.background.autoplay import stand_in_move
from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.delivery.announcer import Announcer
from bot.model.errors import BotError, NoTable
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import EngineError, StandIn

log = logging.getLogger(__name__)


class Clock:
    """Watches every game in play."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        announcer: Announcer,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        now: Callable[[], float],
    ) -> None:
        """`now` gives seconds since 1970, as the store does. Where the bot is not present no clock runs."""
        self._store = store
        self._sessions = sessions
        self._announcer = announcer
        self._presence = presence
        self._tasks = tasks
        self._now = now

    async def start(self) -> None:
        """Watch the games that are being played already."""
        for record in await self._store.open_tables():
            if record.status is Status.PLAYING:
                ran = self._now() - await self._store.last_moved(record.game)
                is_fair = 0 <= ran < record.agreement.time_to_move
                self._watch(record.game, ran if is_fair else 0.0)

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game: who is to move now has the whole time, or the game has ended."""
        if record.status is Status.PLAYING:
            self._watch(record.game, 0.0)
        else:
            self._tasks.stop(_key(record.game))

    def go_on(self, game: str) -> None:
        """That game is in play: if its clock has stopped, who is to move has the whole time."""
        if _key(game) not in self._tasks:
            self._watch(game, 0.0)

    def _watch(self, game: str, ran: float) -> None:
        """Watch a turn that has run for `ran` seconds, instead of the one before it."""
        self._tasks.replace(_key(game), partial(self._turn, game, ran))

    async def _turn(self, game: str, ran: float) -> None:
        record = await self._sessions.record(game)
        if record.status is not Status.PLAYING:
            return
        reminder, time = record.agreement.time_to_reminder, record.agreement.time_to_move
        if ran < reminder:
            await asyncio.sleep(reminder - ran)
            ran = reminder
        if not self._presence.has_left(record):
            self._announcer.remind(game, due=int(self._now() + time - ran))
        await asyncio.sleep(time - ran)
        if self._presence.has_left(record):
            return
        try:
            await self._stand_in(game)
        except NoTable:
            log.info("%s was called off when its clock ran out", game)
        except (BotError, EngineError) as error:
            # Without its message, which may name a card. Nobody could move meanwhile, so all have time again.
            log.warning("the clock of %s gives the time again: %s", game, type(error).__name__)
            self._watch(game, 0.0)

    async def _stand_in(self, game: str) -> None:
        """Move for everybody who is waited for. Each move is heard, and begins a new turn.

        The computer moves by itself long before; if ever it does not, the table goes on all the same.
        """
        session = await self._sessions.get(game)
        for seat in session.game.table.waiting_for:
            if seat in session.game.table.waiting_for:  # still, after the moves before
                await self._sessions.move_for(game, StandIn(stand_in_move(session.game.view(seat))))


def _key(game: str) -> Key:
    return ("clock", game)
