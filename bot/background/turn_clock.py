"""The clock of every table: reminds those who are waited for, and in the end moves for them.

A turn's time runs from the last event of the log, whose time is in the store, so it outlives the bot. Time
that ran out while the bot was down does not count: the whole time for a move is given again first. Where
several move at once, as in discarding, one who has done so gives the others no more time. Time in which
nothing could be heard from the table is given back.

No clock runs where only computers wait for one person: such a game sleeps until the person is back
(`bot.background.idle_tables` puts it away in the end). None runs while a show is read, either: the next hand
is dealt by `bot.background.next_deal`.

There is one background task for each game in play, which sleeps until there is something to do. It ends with
the game, however that ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.background.autoplay import autoplay_move
from bot.background.computer_players import seed_of
from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.delivery.announcer import Announcer
from bot.model.errors import BotError, DamagedGame, NoTable
from bot.model.table_record import Agreement, Status, TableRecord
from bot.store import Store
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import EngineError, Seat, Stage, StandIn, TableView

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class _Turn:
    """Whom a game waits for."""

    deal: int
    stage: Stage
    waiting: frozenset[Seat]
    began: float
    """In the event loop's time."""
    is_reminded: bool = False

    def goes_on(self, table: TableView) -> bool:
        """Whether only some of those who move at once have moved since, and the others are still to."""
        is_same = (self.deal, self.stage) == (table.deal_number, table.stage)
        return is_same and self.waiting > set(table.waiting_for)


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
        worker: Worker,
        now: Callable[[], float],
    ) -> None:
        """`now` gives seconds since 1970, as the store does. Where the bot is not present no clock runs."""
        self._store = store
        self._sessions = sessions
        self._announcer = announcer
        self._presence = presence
        self._tasks = tasks
        self._worker = worker
        self._now = now
        self._turns: dict[str, _Turn] = {}
        """The turn that runs in each game that has a task."""

    async def start(self) -> None:
        """Watch the games that are being played already."""
        moved = await self._store.last_moves()
        for record in await self._store.open_tables():
            if record.status is Status.PLAYING and not self._presence.is_elsewhere(record):
                now = self._now()
                self._watch(record.game, now - moved.get(record.game, now))

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game: who is to move now has the whole time, or the game has ended."""
        if record.status is Status.PLAYING:
            self._watch(record.game, 0.0)
        else:
            self._tasks.stop(_key(record.game))
            self._turns.pop(record.game, None)

    def stop(self, game: str) -> None:
        """The game is another process's to watch."""
        self._tasks.stop(_key(game))
        self._turns.pop(game, None)

    def go_on(self, game: str) -> None:
        """That game is in play: if its clock has stopped, who is to move has the whole time."""
        if _key(game) not in self._tasks:
            self._turns.pop(game, None)
            self._watch(game, 0.0)

    def give_back(self, game: str, seconds: float) -> None:
        """Nothing could be heard from that table for so many seconds, until now."""
        if (turn := self._turns.get(game)) is not None:
            turn.began = min(turn.began + seconds, asyncio.get_running_loop().time())

    def _watch(self, game: str, ran: float) -> None:
        """Watch a turn that has run for `ran` seconds, instead of the one before it."""
        self._tasks.replace(_key(game), partial(self._run, game, ran))

    async def _run(self, game: str, ran: float) -> None:
        watched = await self._watched(game, ran)
        if watched is None:
            self._turns.pop(game, None)
            return
        record, turn, time = watched
        if not turn.is_reminded:
            await _wait(turn, record.agreement.time_to_reminder)
            if not self._presence.rests(record):
                left = turn.began + time - asyncio.get_running_loop().time()
                self._announcer.remind(game, due=int(self._now() + left))
                turn.is_reminded = True
        await _wait(turn, time)
        if self._presence.rests(record):
            return
        try:
            await self._move_for_the_absent(game)
        except NoTable:
            log.info("%s was called off when its clock ran out", game)
        except DamagedGame:
            self._turns.pop(game, None)
            raise
        except (BotError, EngineError) as error:
            # Without its message, which may name a card. Nobody could move meanwhile, so all have time again.
            log.warning("the clock of %s gives the time again: %s", game, type(error).__name__)
            self._turns.pop(game, None)
            self._watch(game, 0.0)

    async def _watched(self, game: str, ran: float) -> tuple[TableRecord, _Turn, int] | None:
        """The turn that runs there, if one does, and the seconds for it.

        Without the game itself, which a clock that waits for hours would keep in memory.
        """
        session = await self._sessions.unhurried(game)
        record, table = session.record, session.game.table
        has_ended = record.status is not Status.PLAYING or session.game.is_over
        if has_ended or table.stage is Stage.DEALING or sleeps(record, table):
            return None
        time = time_for(record.agreement, table)
        return record, self._turn_of(game, table, ran if 0 <= ran < time else 0.0), time

    def _turn_of(self, game: str, table: TableView, ran: float) -> _Turn:
        """The turn that runs, which has run for `ran` seconds unless it is still the one from before."""
        before = self._turns.get(game)
        waiting = frozenset(table.waiting_for)
        if before is not None and before.goes_on(table):
            before.waiting = waiting
            return before
        began = asyncio.get_running_loop().time() - ran
        turn = _Turn(deal=table.deal_number, stage=table.stage, waiting=waiting, began=began)
        self._turns[game] = turn
        return turn

    async def _move_for_the_absent(self, game: str) -> None:
        """Move for everybody who is waited for. Each move is heard, and begins a new turn.

        The computer moves by itself long before; if ever it does not, the table goes on all the same.
        """
        session = await self._sessions.get(game)
        for seat in _moved_for(session):
            if seat not in session.game.table.waiting_for:  # after the moves before
                continue
            version, view = session.game.version, session.game.view(seat)
            move = await self._worker.run(autoplay_move, view, seed_of(game, seat))
            await self._sessions.move_for(game, StandIn(move), version=version)


def time_for(agreement: Agreement, table: TableView) -> int:
    """Seconds that those who are waited for may take: more until they have discarded for the first time."""
    has_begun = table.deal_number > 1 or table.stage not in _BEFORE_THE_FIRST_DISCARD
    return agreement.time_to_move if has_begun else agreement.time_to_first_move


_BEFORE_THE_FIRST_DISCARD = frozenset({Stage.CUTTING_FOR_DEAL, Stage.DISCARDING})


def sleeps(record: TableRecord, table: TableView) -> bool:
    """Whether only computers wait, for the one person who plays: nobody hurries them."""
    return len(record.people) <= 1 and record.people.issuperset(table.waiting_for)


def _moved_for(session: Session) -> tuple[Seat, ...]:
    """Those whose time ran out: not the one person who plays, for whom only computers wait."""
    waiting, people = session.game.table.waiting_for, session.record.people
    return waiting if len(people) > 1 else tuple(seat for seat in waiting if seat not in people)


async def _wait(turn: _Turn, seconds: float) -> None:
    """Sleep until the turn has run for so many seconds; it may be given time back meanwhile."""
    loop = asyncio.get_running_loop()
    while (left := turn.began + seconds - loop.time()) > 0:  # noqa: ASYNC110 -- it waits for a time
        await asyncio.sleep(left)


def _key(game: str) -> Key:
    return ("clock", game)
