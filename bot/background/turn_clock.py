"""The turn clock of each game in play: reminds the players to move, then moves for them.

A turn's time starts with the last event of the log, whose time is stored, so it survives a restart. If the
time ran out while the bot was down, the full time starts again. Where several players move at once
(discarding), a move by one of them does not extend the time of the others. Time in which the table's shard
was disconnected is given back.

Where only the tokens of presses reach the table (`bot.sync.presses`), a person sees nothing once theirs has
expired: in live play the clock then moves half an hour after that person's last press at the earliest.

No clock runs where only computers wait for one person, or where it has moved for everybody three times in a
row: such a game sleeps until one of them returns, or `bot.background.idle_tables` ends it. None runs during
the show either: `bot.background.next_deal` deals the next hand.

Each game in play has one background task, which sleeps until its next deadline and ends with the game.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.model.errors import BotError, DamagedGame, NoTable
from bot.model.table_record import STAND_IN, Agreement, Pace, Status, TableRecord, is_deserted
from bot.store import Store
from bot.sync.parts import Sync
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import EngineError, Seat, Stage, StandIn, TableView
from engine.duties import choices_for_the_absent

log = logging.getLogger(__name__)


OUT_OF_SIGHT = 1_800.0
"""Time (s) since their last press after which a person without a living token is absent."""


@dataclass(slots=True, kw_only=True)
class _Turn:
    """The players whom a game waits for, and since when."""

    deal: int
    stage: Stage
    waiting: frozenset[Seat]
    began: float
    """Time of the event loop (s)."""
    is_reminded: bool = False

    def continues(self, table: TableView) -> bool:
        """True if the game still waits for some of the same simultaneous moves."""
        is_same = (self.deal, self.stage) == (table.deal_number, table.stage)
        return is_same and self.waiting > set(table.waiting_for)


class Clock:
    """Runs the turn clock of every game in play."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        sync: Sync,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        worker: Worker,
        now: Callable[[], float],
    ) -> None:
        """`now` returns Unix time (s), like the store. No clock runs at a table that rests (`presence`)."""
        self._store = store
        self._sessions = sessions
        self._sync = sync
        self._presence = presence
        self._tasks = tasks
        self._worker = worker
        self._now = now
        self._turns: dict[str, _Turn] = {}
        """Current turn by game; only games with a task have one."""

    async def start(self) -> None:
        """Start the clocks of the games that are already in play."""
        moved = await self._store.last_moves()
        for record in await self._store.open_tables():
            if record.status is Status.PLAYING and not self._presence.is_elsewhere(record):
                now = self._now()
                self._watch(record.game, now - moved.get(record.game, now))

    def on_change(self, record: TableRecord) -> None:
        """Restart the clock after a change of the game, with the full time; stop it if the game has ended."""
        if record.status is Status.PLAYING:
            self._watch(record.game, 0.0)
        else:
            self._tasks.stop(_key(record.game))
            self._turns.pop(record.game, None)

    def stop(self, game: str) -> None:
        """Stop the game's clock: another process owns the table now."""
        self._tasks.stop(_key(game))
        self._turns.pop(game, None)

    def go_on(self, game: str) -> None:
        """Start the clock of a game in play with the full time, if it is not running."""
        if _key(game) not in self._tasks:
            self._turns.pop(game, None)
            self._watch(game, 0.0)

    def give_back(self, game: str, seconds: float) -> None:
        """Extend the turn by the seconds in which the table's shard was disconnected."""
        if (turn := self._turns.get(game)) is not None:
            turn.began = min(turn.began + seconds, asyncio.get_running_loop().time())

    def _watch(self, game: str, ran: float) -> None:
        """Run the clock of a turn that began `ran` seconds ago; replaces the one before it."""
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
                self._sync.queue.remind(game, due=int(self._now() + left))
                turn.is_reminded = True
        await _wait(turn, time)
        while (left := self._spared(record, turn)) > 0:  # noqa: ASYNC110 -- it waits for a time
            await asyncio.sleep(left)
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
            # The error's message is not logged, as it may name a card. No player could move during the
            # failure, so the full time starts again.
            log.warning("the clock of %s gives the time again: %s", game, type(error).__name__)
            self._turns.pop(game, None)
            self._watch(game, 0.0)

    def _spared(self, record: TableRecord, turn: _Turn) -> float:
        """Time (s) for which the clock waits longer for people in turn who see nothing.

        They have no living token. That is at tables which only tokens reach, in live play. A press of before
        a restart is unknown, and counts from the beginning of the turn.
        """
        if not record.is_anywhere or record.agreement.pace is not Pace.LIVE:
            return 0.0
        users = [user for seat in turn.waiting if (user := record.occupants[seat].person) is not None]
        seen = self._sync.presses.seen(record.channel, users)
        ago = asyncio.get_running_loop().time() - turn.began if seen is None else self._now() - seen
        return OUT_OF_SIGHT - ago

    async def _watched(self, game: str, ran: float) -> tuple[TableRecord, _Turn, int] | None:
        """The current turn and its time (s); None if the game waits for nobody.

        Returns the record, not the session: a clock sleeps for hours and would keep the session in memory.
        """
        session = await self._sessions.get_throttled(game)
        record, table = session.record, session.game.table
        has_ended = record.status is not Status.PLAYING or session.game.is_over
        if has_ended or table.stage is Stage.DEALING or sleeps(record, table):
            return None
        time = time_for(record.agreement, table)
        return record, self._turn_of(game, table, ran if 0 <= ran < time else 0.0), time

    def _turn_of(self, game: str, table: TableView, ran: float) -> _Turn:
        """The current turn, continued if it still runs; a new one began `ran` seconds ago."""
        before = self._turns.get(game)
        waiting = frozenset(table.waiting_for)
        if before is not None and before.continues(table):
            before.waiting = waiting
            return before
        began = asyncio.get_running_loop().time() - ran
        turn = _Turn(deal=table.deal_number, stage=table.stage, waiting=waiting, began=began)
        self._turns[game] = turn
        return turn

    async def _move_for_the_absent(self, game: str) -> None:
        """Move for all players whose time ran out. Each move notifies the listeners, which starts a new turn.

        The computer's own seats are included: if its task fails, the clock keeps the game going.
        """
        session = await self._sessions.get(game)
        for seat in _moved_for(session):
            if seat not in session.game.table.waiting_for:  # the moves before may have settled it
                continue
            session = await self._sessions.to_think(game)
            version, view = session.game.version, session.game.view(seat)
            move, *_ = await self._worker.run(choices_for_the_absent, view, STAND_IN, session.seed_of(seat))
            await self._sessions.move_for(game, StandIn(move), version=version)


def time_for(agreement: Agreement, table: TableView) -> int:
    """Time (s) that players may take for a move; longer until they have discarded for the first time."""
    has_begun = table.deal_number > 1 or table.stage not in _BEFORE_THE_FIRST_DISCARD
    return agreement.time_to_move if has_begun else agreement.time_to_first_move


_BEFORE_THE_FIRST_DISCARD = frozenset({Stage.CUTTING_FOR_DEAL, Stage.DISCARDING})


def sleeps(record: TableRecord, table: TableView) -> bool:
    """True if nobody is hurried: only computers wait for the game's one person, or everybody has left."""
    is_alone = len(record.people) <= 1 and record.people.issuperset(table.waiting_for)
    return is_alone or is_deserted(record, table.absences)


def _moved_for(session: Session) -> tuple[Seat, ...]:
    """Seats that the clock moves for: never the one person of a game against computers."""
    waiting, people = session.game.table.waiting_for, session.record.people
    return waiting if len(people) > 1 else tuple(seat for seat in waiting if seat not in people)


async def _wait(turn: _Turn, seconds: float) -> None:
    """Sleep until the turn has run for that many seconds, including any time that it is given back."""
    loop = asyncio.get_running_loop()
    while (left := turn.began + seconds - loop.time()) > 0:  # noqa: ASYNC110 -- it waits for a time
        await asyncio.sleep(left)


def _key(game: str) -> Key:
    return ("clock", game)
