"""The computer's seats at every table: nobody waits for the computer for long.

There is one background task for each game in which a computer has something to do. Nothing is remembered
here: which seats are the computer's stands in the table's record, what is to be done in the log, and a move
is chosen for one version of the log and made at that version or not at all (optimistic concurrency). So it
goes on after a restart or a kill, and never moves twice. The computer receives what its seat sees, and asks
for a move as people do.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from zlib import crc32

from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.model.errors import NoTable
from bot.model.table_record import Status, TableRecord
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import (
    CallMuggins,
    CardPlayed,
    ClaimHeels,
    EngineError,
    Game,
    HandCounted,
    LegalMoves,
    LetStand,
    MugginsCalled,
    OwnMove,
    PlayerView,
    Seat,
    Stage,
)
from engine.computer import Level, choose

log = logging.getLogger(__name__)

_LONGER = 1.8
"""How many times longer than playing a card discarding takes, as it does people."""


class Computers:
    """Plays the computer's seats."""

    def __init__(
        self, sessions: Sessions, worker: Worker, presence: Presence, tasks: KeyedTasks, *, pace: float
    ) -> None:
        """`pace` is the seconds before a card is played; where the bot is not present nobody moves."""
        self._sessions = sessions
        self._worker = worker
        self._presence = presence
        self._tasks = tasks
        self._pace = pace

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game, or it is in play again. Only queues."""
        if record.status is Status.PLAYING and record.computers:
            self._tasks.wake(_key(record.game), partial(self._play, record.game))
        else:
            self._tasks.stop(_key(record.game))

    def stop(self, game: str) -> None:
        """The game is another process's to play."""
        self._tasks.stop(_key(game))

    async def _play(self, game: str) -> None:
        """Move once wherever there is something to do. That is heard, and so all is looked at again."""
        try:
            session = await self._sessions.unhurried(game)
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
            # The clock moves in its place, as for anybody who does not. What the error says may name a card.
            log.error("the computer cannot move at %s: %s", game, type(error).__name__)  # noqa: TRY400

    def _due(self, session: Session) -> tuple[Seat, ...]:
        """The seats for which there is something to do now. No view is made that the rules do not need."""
        if not self._is_in_play(session) or session.game.table.stage is Stage.DEALING:
            return ()  # the show is being read, and `bot.background.next_deal` deals
        game, seats = session.game, sorted(session.record.computers)
        if game.rules.muggins or game.rules.heels_claimed:
            return tuple(seat for seat in seats if has_to_move(view_of(game, seat)))
        waiting_for = game.table.waiting_for
        return tuple(seat for seat in seats if seat in waiting_for)

    def _is_in_play(self, session: Session) -> bool:
        is_playing = session.record.status is Status.PLAYING and not session.game.is_over
        return is_playing and not self._presence.rests(session.record)

    async def _move(self, game: str, seat: Seat) -> None:
        """Choose and move, if there is still something to do."""
        session = await self._sessions.get(game)
        level = session.record.occupants[seat].level
        if level is None or not self._is_in_play(session):
            return
        version, view = session.game.version, view_of(session.game, seat)
        if not has_to_move(view):
            return
        move = await self._worker.run(move_of, view, level, seed_of(game, seat))
        await self._sessions.move_for(game, move, version=version)


def _key(game: str) -> Key:
    return ("computer", game)


def view_of(game: Game, seat: Seat) -> PlayerView:
    """What the seat sees; it calls muggins on nothing that somebody else has taken before it."""
    view = game.view(seat)
    if CallMuggins not in view.legal_moves.kinds:
        return view
    last = (
        event for event in reversed(game.log) if isinstance(event, MugginsCalled | CardPlayed | HandCounted)
    )
    match next(last, None):
        case MugginsCalled(taken=taken) if taken:
            moves = tuple(move for move in view.legal_moves if not isinstance(move, CallMuggins))
            return replace(view, legal_moves=LegalMoves(moves))
        case _:
            return view


def has_to_move(view: PlayerView) -> bool:
    """Whether the computer has something to do or to say in this seat: it claims games from nobody."""
    kinds = view.legal_moves.kinds
    if view.seat in view.table.waiting_for or ClaimHeels in kinds:
        return True
    return CallMuggins in kinds and isinstance(_word_on_the_last_card(view), CallMuggins)


def move_of(view: PlayerView, level: Level, seed: int) -> OwnMove:
    """What the computer does in a seat in which it has something to do."""
    if view.seat in view.table.waiting_for or ClaimHeels in view.legal_moves.kinds:
        return choose(view, level, seed=seed)
    return _word_on_the_last_card(view)


def seed_of(game: str, seat: Seat) -> int:
    """Where the computer's chances come from in this seat: the same ones after a restart."""
    return crc32(f"{game}:{seat}".encode())


def _word_on_the_last_card(view: PlayerView) -> OwnMove:
    """Muggins for what somebody missed in the play, or, as nobody waits for an answer there, nothing."""
    calls = (move for move in view.legal_moves if isinstance(move, CallMuggins))
    moves = LegalMoves((*calls, LetStand(view.seat)))
    return choose(replace(view, legal_moves=moves), Level.BEGINNER, seed=0)
