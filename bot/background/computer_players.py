"""The computer's seats at every table.

Each game in which a computer is to move has one background task. It keeps no state: the record says which
seats are the computer's, the log says what is due, and a move is chosen for one version of the log and
appended at that version or not at all (optimistic concurrency). So it resumes after a restart or kill, and
never moves twice. The computer chooses from its seat's view and moves through `Sessions`, as people do.
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
from bot.tables.worker import Worker
from engine import (
    BySubstitute,
    EngineError,
    Seat,
    Stage,
)
from engine.duties import has_to_move, move_of

log = logging.getLogger(__name__)

_LONGER = 1.8
"""Factor by which discarding takes longer than playing a card, as it does people."""


class Computers:
    """Plays the computer's seats."""

    def __init__(
        self, sessions: Sessions, worker: Worker, presence: Presence, tasks: KeyedTasks, *, pace: float
    ) -> None:
        """`pace`: delay (s) before a card is played. Nobody moves at a table that rests (`presence`)."""
        self._sessions = sessions
        self._worker = worker
        self._presence = presence
        self._tasks = tasks
        self._pace = pace

    def on_change(self, record: TableRecord) -> None:
        """Non-blocking: schedules the computer's move after a change of the game or the end of its rest."""
        if record.status is Status.PLAYING and record.computers:
            self._tasks.wake(_key(record.game), partial(self._play, record.game))
        else:
            self._tasks.stop(_key(record.game))

    def stop(self, game: str) -> None:
        """Stop the game's task: another process owns the table now."""
        self._tasks.stop(_key(game))

    async def _play(self, game: str) -> None:
        """Make each move that is due, once; each notifies the listeners, so the game is checked again."""
        try:
            session = await self._sessions.get_throttled(game)
            seats = self._due(session)
            if not seats:
                return
            discards = session.game.table.stage is Stage.DISCARDING
            await asyncio.sleep(self._pace * (_LONGER if discards else 1))
            for seat in seats:
                await self._move(game, seat)
        except NoTable:
            log.info("%s was called off while the computer thought", game)
        except EngineError as error:
            # The turn clock moves in its place. The error's message is not logged, as it may name a card.
            log.error("the computer cannot move at %s: %s", game, type(error).__name__)  # noqa: TRY400

    def _due(self, session: Session) -> tuple[Seat, ...]:
        """Seats in which the computer is to move; makes a view only under rules that need one."""
        if not self._is_in_play(session) or session.game.table.stage is Stage.DEALING:
            return ()  # the show is being read; `bot.background.next_deal` deals
        game, seats = session.game, sorted(session.record.computers)
        if game.rules.muggins or game.rules.heels_claimed:
            return tuple(seat for seat in seats if _has_to_move(session, seat))
        waiting_for = game.table.waiting_for
        return tuple(seat for seat in seats if seat in waiting_for)

    def _is_in_play(self, session: Session) -> bool:
        record, table = session.record, session.game.table
        is_playing = record.status is Status.PLAYING and not session.game.is_over
        return is_playing and not self._presence.rests(record) and not is_deserted(record, table.absences)

    async def _move(self, game: str, seat: Seat) -> None:
        """Choose a move in the worker thread and make it, if one is still due."""
        session = await self._sessions.get(game)
        level = session.record.occupants[seat].level
        if level is None or not self._is_in_play(session):
            return
        session = await self._sessions.to_think(game)
        version, view = session.game.version, session.game.view(seat)
        if not has_to_move(view, level):
            return
        own = await self._worker.run(move_of, view, level, session.seed_of(seat))
        is_for_a_person = session.record.occupants[seat].user is not None
        move = BySubstitute(own, level.value) if is_for_a_person else own
        await self._sessions.move_for(game, move, version=version)


def _key(game: str) -> Key:
    return ("computer", game)


def _has_to_move(session: Session, seat: Seat) -> bool:
    level = session.record.occupants[seat].level
    return level is not None and has_to_move(session.game.view(seat), level)
