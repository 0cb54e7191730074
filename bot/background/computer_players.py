"""The computer's seats at every table: whoever has the computer to wait for does not wait long.

Nothing is remembered here. Which seats are the computer's stands in the table's record, what is to be done
in the log, and a move is chosen for one version of the log and made at that version or not at all. So it goes
on after a restart or a kill, and never moves twice. It receives what its seat sees, and asks for a move as
people do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from zlib import crc32

from bot.model.errors import BotError, NoTable, StaleGame, StoreUnavailable
from bot.model.table_record import Status, TableRecord
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Thinker
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
"""How much longer than a card discarding takes, as it does people."""

_AGAIN = 2.0
"""Seconds until the computer tries again when the store would not."""


class Computers:
    """Plays the computer's seats: one task for each game that waits for one of them."""

    def __init__(
        self, sessions: Sessions, thinker: Thinker, *, pace: float, rests: Callable[[TableRecord], bool]
    ) -> None:
        """`pace` is the seconds that pass before a card is played; at a table that `rests` nobody moves."""
        self._sessions = sessions
        self._thinker = thinker
        self._pace = pace
        self._rests = rests
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game. Only queues."""
        if record.status is Status.PLAYING:
            self.go_on(record)

    def go_on(self, record: TableRecord) -> None:
        """That game is in play, perhaps again. Only queues."""
        if record.computers:
            self._wake(record.game)

    async def close(self) -> None:
        """Stop playing; the computer goes on at the next start."""
        self._is_closed = True
        tasks = tuple(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _wake(self, game: str) -> None:
        if game not in self._playing and not self._is_closed:
            self._playing[game] = asyncio.create_task(self._play(game), name=f"computer {game}")

    async def _play(self, game: str) -> None:
        """Move as long as there is something to do; nothing is awaited between seeing that and being done."""
        try:
            while True:
                try:
                    session = await self._sessions.get(game)
                    seats = self._due(session)
                    if not seats:
                        return
                    discards = session.game.table.stage is Stage.DISCARDING
                    await asyncio.sleep(self._pace * (_LONGER if discards else 1))
                    for seat in seats:
                        await self._move(game, seat)
                except (StaleGame, StoreUnavailable):
                    log.warning("the computer tries again in %.0f s at %s", _AGAIN, game)
                    await asyncio.sleep(_AGAIN)
        except NoTable:
            log.info("%s was called off while the computer thought", game)
        except (BotError, EngineError) as error:
            # The clock moves in its place, as for anybody who does not. What the error says may name a card.
            log.error("the computer cannot move at %s: %s", game, type(error).__name__)  # noqa: TRY400
        finally:
            self._playing.pop(game, None)

    def _due(self, session: Session) -> tuple[Seat, ...]:
        """The seats for which there is something to do now."""
        record, game = session.record, session.game
        if record.status is not Status.PLAYING or game.is_over or self._rests(record):
            return ()
        return tuple(seat for seat in sorted(record.computers) if has_to_move(view_of(game, seat)))

    async def _move(self, game: str, seat: Seat) -> None:
        """Choose and move, if there is still something to do."""
        session = await self._sessions.get(game)
        level = session.record.occupants[seat].level
        if level is None or seat not in self._due(session):
            return
        version, view = session.game.version, view_of(session.game, seat)
        move = await self._thinker.think(move_of, view, level, seed_of(game, seat))
        await self._sessions.move_for(game, move, version=version)


def view_of(game: Game, seat: Seat) -> PlayerView:
    """What the seat sees; it calls muggins on nothing that somebody else has taken before it."""
    view = game.view(seat)
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
