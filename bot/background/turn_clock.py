"""The clock of every table: reminds whoever is waited for, and at last moves for him.

A turn's time runs from the last event of the log, whose time is in the store, so it outlives the bot. Time
that ran out while the bot was down does not count: the whole time for a move is given again first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.background.autoplay import stand_in_move
from bot.delivery.announcer import Announcer
from bot.model.errors import BotError
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.tables.sessions import Sessions
from engine import EngineError, StandIn

log = logging.getLogger(__name__)

_AGAIN = 30.0
"""Seconds until the clock tries again when the store would not."""


class Clock:
    """Watches every game that is being played: one sleeping task for each."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        announcer: Announcer,
        now: Callable[[], float],
        *,
        rests: Callable[[TableRecord], bool],
    ) -> None:
        """`now` gives the seconds since 1970, as the store does; no clock runs while a table `rests`."""
        self._rests = rests
        self._store = store
        self._sessions = sessions
        self._announcer = announcer
        self._now = now
        self._turns: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Watch the games that are being played already."""
        for record in await self._store.open_tables():
            if record.status is Status.PLAYING:
                ran = self._now() - await self._store.last_moved(record.game)
                is_fair = 0 <= ran < record.agreement.time_to_move
                self._watch(record.game, ran if is_fair else 0.0)

    def heard(self, game: str) -> None:
        """Something happened in that game: whoever is to move now has his whole time."""
        self._watch(game, 0.0)

    def go_on(self, game: str) -> None:
        """That game is in play: if its clock has stopped, whoever is to move has his whole time."""
        if game not in self._turns:
            self._watch(game, 0.0)

    async def close(self) -> None:
        """Stop all clocks; they go on at the next start."""
        turns = tuple(self._turns.values())
        for turn in turns:
            turn.cancel()
        await asyncio.gather(*turns, return_exceptions=True)

    def _watch(self, game: str, ran: float) -> None:
        """Watch a turn that has run for `ran` seconds, instead of the one before it."""
        before = self._turns.pop(game, None)
        if before is not None and before is not asyncio.current_task():
            before.cancel()
        self._turns[game] = asyncio.create_task(self._turn(game, ran), name=f"clock {game}")

    async def _turn(self, game: str, ran: float) -> None:
        try:
            record = await self._sessions.record(game)
            if record.status is not Status.PLAYING:
                self._turns.pop(game, None)
                return
            reminder, time = record.agreement.time_to_reminder, record.agreement.time_to_move
            if ran < reminder:
                await asyncio.sleep(reminder - ran)
                ran = reminder
            if not self._rests(record):
                self._announcer.remind(game, due=int(self._now() + time - ran))
            await asyncio.sleep(time - ran)
            if self._rests(record):
                self._turns.pop(game, None)
                return
            await self._stand_in(game)
        except (BotError, EngineError):
            log.warning("the clock of %s goes again in %.0f s", game, _AGAIN, exc_info=True)
            await asyncio.sleep(_AGAIN)
            self._watch(game, 0.0)

    async def _stand_in(self, game: str) -> None:
        """Move for everybody who is waited for. Each move is heard, and begins a new turn.

        The computer moves by itself long before; if ever it does not, the table goes on all the same.
        """
        session = await self._sessions.get(game)
        for seat in session.game.table.waiting_for:
            await self._sessions.move_for(game, StandIn(stand_in_move(session.game.view(seat))))
