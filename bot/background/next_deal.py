"""Deals the next hand by itself, after a pause in which the players read the show.

*Deal* on the show ends the pause at once, as `bot.interactions` lets everybody at the table do. There is one
background task for each game whose show stands, and it ends with the deal, or with the game. Nothing is
remembered here: after a restart, or a time in which the bot was not in the server, the whole pause is given
again, and a hand that somebody else has dealt meanwhile is not dealt twice.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.model.errors import NoTable
from bot.model.table_record import Status, TableRecord
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import EngineError, Stage

log = logging.getLogger(__name__)


class NextDeal:
    """Deals in every game in play, when its show has stood for long enough."""

    def __init__(self, sessions: Sessions, presence: Presence, tasks: KeyedTasks, *, pause: float) -> None:
        """`pause` is in seconds, for two people; nobody deals where the bot is not present."""
        self._sessions = sessions
        self._presence = presence
        self._tasks = tasks
        self._pause = pause

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game, or it is in play again. Only queues."""
        key, session = _key(record.game), self._sessions.peek(record.game)
        if record.status is not Status.PLAYING or (session is not None and not _is_to_be_dealt(session)):
            self._tasks.stop(key)
        elif key not in self._tasks:
            self._tasks.wake(key, partial(self._deal, record.game))

    def stop(self, game: str) -> None:
        """The game is another process's to deal."""
        self._tasks.stop(_key(game))

    async def _deal(self, game: str) -> None:
        """Let the players read, and deal."""
        try:
            session = await self._sessions.unhurried(game)
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
    """Seconds for which a show stands: `pause` for two people, a third more for each further hand.

    Who plays alone, against computers, has half of it: nobody else is kept from reading.
    """
    longer = pause * (1 + (record.agreement.players - 2) / 3)
    return longer / 2 if len(record.people) <= 1 else longer


def _is_to_be_dealt(session: Session) -> bool:
    is_in_play = session.record.status is Status.PLAYING
    return is_in_play and session.game.table.stage is Stage.DEALING


def _key(game: str) -> Key:
    return ("deal", game)
