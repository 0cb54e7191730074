"""Deals the next hand after a pause for reading the show.

*Deal* on the show ends the pause early; everybody at the table may press it (`bot.interactions`). Each game
in its show has one background task, which ends with the deal or the game. It keeps no state: the full pause
starts again after a restart or a rest, and `Sessions.deal` ignores a hand that is dealt already.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.model.errors import NoTable
from bot.model.table_record import Status, TableRecord, is_deserted
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import EngineError, Stage

log = logging.getLogger(__name__)


class NextDeal:
    """Deals in each game in play once its show has been up for the pause."""

    def __init__(self, sessions: Sessions, presence: Presence, tasks: KeyedTasks, *, pause: float) -> None:
        """`pause` (s) is for two people; nobody deals at a table that rests (`presence`)."""
        self._sessions = sessions
        self._presence = presence
        self._tasks = tasks
        self._pause = pause

    def on_change(self, record: TableRecord) -> None:
        """Non-blocking: schedules the next deal after a change of the game or the end of its rest."""
        key, session = _key(record.game), self._sessions.peek(record.game)
        if record.status is not Status.PLAYING or (session is not None and not _is_to_be_dealt(session)):
            self._tasks.stop(key)
        elif key not in self._tasks:
            self._tasks.wake(key, partial(self._deal, record.game))

    def stop(self, game: str) -> None:
        """Stop the game's task: another process owns the table now."""
        self._tasks.stop(_key(game))

    async def _deal(self, game: str) -> None:
        """Wait for the pause, then deal."""
        try:
            session = await self._sessions.get_throttled(game)
            if not _is_to_be_dealt(session):
                return
            await asyncio.sleep(pause_for(session.record, self._pause))
            if not self._presence.rests(session.record):
                await self._sessions.deal(game, after=session.game.table.deal_number)
        except NoTable:
            log.info("%s was called off before its next deal", game)
        except EngineError as error:
            log.error("the next hand of %s cannot be dealt: %s", game, type(error).__name__)  # noqa: TRY400 -- may name cards


def pause_for(record: TableRecord, pause: float) -> float:
    """Time (s) for reading a show: `pause` for two people, a third more for each further player.

    Half of it for one person against computers, as no other reader needs the rest.
    """
    longer = pause * (1 + (record.agreement.players - 2) / 3)
    return longer / 2 if len(record.people) <= 1 else longer


def _is_to_be_dealt(session: Session) -> bool:
    record, table = session.record, session.game.table
    is_due = record.status is Status.PLAYING and table.stage is Stage.DEALING
    return is_due and not is_deserted(record, table.absences)


def _key(game: str) -> Key:
    return ("deal", game)
