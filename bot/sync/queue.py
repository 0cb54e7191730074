"""The queue of tables to sync: one background task for each table with news.

What a sync draws follows from the log alone: after a crash or an outage the rest is synced once, in order,
and nothing else remembers anything. An unfinished sync is retried with back-off, and at once when there is
news.

Where several processes share the shards, a table is synced by its owner alone. A press that another process
receives is answered there; then it sends the owner a hint, with what the answer has drawn. While an answer is
being made the owner is told nothing, so that the two do not draw on one message at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import discord

from bot.concurrency.keyed_tasks import Key, KeyedTasks, RetryLater
from bot.model.errors import BotError, DamagedGame, NoSuchGame
from bot.model.hints import Drawn
from bot.model.table_record import OPEN, TableRecord
from bot.store import Store
from bot.sync.circuit_breaker import CircuitBreaker
from bot.sync.discord_errors import described
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import Shown
from bot.sync.open_tables import OpenTables
from bot.sync.syncer import RETRY_SOON, TableSyncer
from bot.sync.table_state import Pacing, TableState
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import EngineError, Seat

log = logging.getLogger(__name__)

_POLL = 0.02
"""Interval (s) between two checks whether a sync has ended."""

_SYNC = "sync"
"""First part of the keys of the tables' tasks."""


class Forwarding(Protocol):
    """Tells the process that owns a table what happened there in this one."""

    async def forward(self, game: str) -> None:
        """Send the owner a hint. Raises `StoreUnavailable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Numbers of tables that show less than their logs have, or may do so."""

    syncing: int
    """Being synced now, or after their debounce window."""
    retried: int
    """Waiting for the retry of a failed sync."""
    deferred: int
    """Waiting for their shard to be connected again."""


class SyncQueue:
    """Schedules syncs of tables, and notes what their next sync needs to know."""

    def __init__(
        self,
        tables: OpenTables,
        syncer: TableSyncer,
        *,
        hands: EphemeralHands,
        breaker: CircuitBreaker,
        sessions: Sessions,
        presence: Presence,
        store: Store,
        tasks: KeyedTasks,
        pacing: Pacing,
        answers: Answers,
    ) -> None:
        """Where the bot has left a server only hands are drawn, and nothing while a shard is disconnected."""
        self._tables = tables
        self._syncer = syncer
        self._hands = hands
        self._breaker = breaker
        self._sessions = sessions
        self._presence = presence
        self._store = store
        self._tasks = tasks
        self._pacing = pacing
        self._answers = answers
        self._forwarding: Forwarding | None = None
        self._withheld: set[str] = set()
        """Games whose owner gets a hint as soon as the answers there are made."""
        self._syncing: dict[str, TableRecord] = {}
        """By game: the tables that are just being synced."""
        self._deferred: set[str] = set()
        """Games that are synced as soon as their shard is connected."""

    # Scheduling; nothing here blocks

    def schedule(self, game: str) -> None:
        """Schedule a sync of that table: there is news."""
        self._tasks.wake(_key(game), partial(self._sync, game))

    def on_change(self, record: TableRecord) -> None:
        """Schedule a sync: the game has changed."""
        self.schedule(record.game)

    def open(self, game: str) -> None:
        """Schedule the first sync of a table that somebody has opened, and looks for."""
        self._tables.state(game)
        self.note_press(game)
        self.schedule(game)

    def repost(self, game: str) -> None:
        """Schedule the table to be posted once more, at the end of its channel."""
        self._tables.state(game).is_to_be_reposted = True
        self.note_press(game)
        self.schedule(game)

    def bring_hand_down(self, game: str, seat: Seat) -> None:
        """Schedule that player's hand to be posted once more at the end of their DM, where they asked."""
        self.note_turn(game, seat)
        self._tables.state(game).coming_down.add(seat)
        self.note_press(game)
        self.schedule(game)

    def remind(self, game: str, due: int) -> None:
        """Schedule a call to everybody who is waited for: at `due` (s since 1970) the clock moves."""
        self._tables.state(game).reminder_due = due
        self.schedule(game)

    def resume_deferred(self) -> None:
        """Schedule all deferred syncs: a shard is connected again."""
        games, self._deferred = self._deferred, set()
        for game in games:
            self.schedule(game)

    # Notes for the next sync

    def expect_unacknowledged_sends(self, games: Iterable[str]) -> None:
        """Note that sends of these games may have succeeded without being recorded, before a crash."""
        for game in games:
            self._tables.state(game).has_unacknowledged_sends = True

    def note_move(self, game: str, user: int) -> None:
        """Note that the person has just moved at that table, and need not be called."""
        self._tables.state(game).moved_at[user] = self._pacing.clock()
        self.note_press(game)

    def note_press(self, game: str) -> None:
        """Note that somebody has pressed something at that table: its channel may be tried."""
        if game in self._tables:
            self._breaker.pressed(game)

    def note_turn(self, game: str, seat: Seat) -> None:
        """Note that the player has pressed something, and is looking."""
        self._tables.state(game).turns.pressed(seat, self._pacing.clock())

    # Answers to presses

    @contextmanager
    def answering(self, game: str) -> Iterator[None]:
        """While an answer to a press there is made, another process that owns the table gets no hint."""
        self._answers[game] += 1
        try:
            yield
        finally:
            self._answers[game] -= 1
            if not self._answers[game]:
                del self._answers[game]
                state = self._tables.get(game) or TableState()
                if state.pressed or state.drawn or game in self._withheld:
                    self.schedule(game)

    async def receive_press(self, game: str, press: discord.Interaction) -> None:
        """Note that the person is looking, and that their token can be used. Raises `NoSuchGame`."""
        record = await self._sessions.record(game)
        seat = record.seat_of(press.user.id)
        self.note_press(game)
        if self._presence.is_elsewhere(record):
            state = self._tables.state(game)  # its owner hears of the press when it is answered
            if seat is not None:
                state.pressed.add(seat)
        elif seat is not None:
            if game in self._tables:
                self.note_turn(game, seat)
            if press.guild_id is not None:
                self._hands.heard(game, press)

    async def note_answer(self, game: str, message: int, shown: Shown, *, is_certain: bool = True) -> None:
        """Note what an answer has drawn on that message, or may have, for another process as the owner."""
        if self._presence.is_elsewhere(await self._sessions.record(game)):
            self._tables.state(game).drawn[message] = Drawn(
                message=message,
                digest=shown.digest,
                version=shown.version,
                draft=shown.draft,
                is_certain=is_certain,
            )

    # Hand-over to other processes

    def forward_to(self, forwarding: Forwarding) -> None:
        """Let the owners of other processes' tables know what happens here."""
        self._forwarding = forwarding

    async def drain(self, is_meant: Callable[[TableRecord], bool], within: float) -> None:
        """End the syncs of tables that are another process's in a moment.

        They have `within` (s) to end, and are then cancelled: their requests may wait for their turn, and
        would come after those of the next process.
        """
        until = asyncio.get_running_loop().time() + within
        while any(map(is_meant, self._syncing.values())) and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- syncs end within moments
            await asyncio.sleep(_POLL)
        for game in [game for game, record in self._syncing.items() if is_meant(record)]:
            self._tasks.stop(_key(game))

    async def flush(self, within: float) -> None:
        """Wait until no sync is under way, and the owners of other tables have their hints; `within` (s)."""
        until = asyncio.get_running_loop().time() + within
        while self.backlog.syncing and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- as above
            await asyncio.sleep(_POLL)

    def evict(self, game: str) -> None:
        """Drop all of a table that is another process's from now on."""
        self._deferred.discard(game)
        self._tables.evict(game)
        self._evict(game)

    @property
    def backlog(self) -> Backlog:
        """The tables that are not up to date."""
        tables = sum(key[0] == _SYNC for key in self._tasks)
        retried = self._tasks.failing(_SYNC)
        return Backlog(syncing=tables - retried, retried=retried, deferred=len(self._deferred))

    # One sync

    async def _sync(self, game: str) -> None:
        """Sync the table once. Raises `RetryLater` when something failed that may not fail the next time."""
        try:
            record = await self._sessions.record(game)
            if self._presence.is_elsewhere(record):
                await self._forward(game)
                return
            if self._presence.is_unheard(record):
                self._deferred.add(game)  # nobody there can press anything, nor Discord take much
                return
            if not record.version and record.goes_on_in_match and _key(str(record.rematch_of)) in self._tasks:
                raise RetryLater(RETRY_SOON)  # it comes below the result of the game before
            self._syncing[game] = record
            try:
                is_synced = await self._syncer.sync(record)
            finally:
                self._syncing.pop(game, None)
        except EngineError as error:
            # Without its message, which may name a card.
            log.error("the log of %s cannot be synced: %s", game, type(error).__name__)  # noqa: TRY400
            return
        except NoSuchGame:
            self._tables.pop(game)
            return
        except DamagedGame as error:
            self._store.set_aside(error)
            self._tables.pop(game)
            return
        except BotError as error:
            log.warning("%s is synced later: %s", game, described(error))
            raise RetryLater from None
        if not is_synced:
            raise RetryLater
        if record.status not in OPEN and not self._tasks.is_wanted_again(_key(game)):
            self._evict(game)

    async def _forward(self, game: str) -> None:
        """Send the table's owner a hint, unless an answer is being made."""
        if self._forwarding is None:
            return
        if self._answers[game]:
            self._withheld.add(game)
            return
        self._withheld.discard(game)
        await self._forwarding.forward(game)

    def _evict(self, game: str) -> None:
        """Drop the state of a table that needs no more syncs."""
        self._tables.pop(game)
        self._hands.forget(game)
        self._syncer.stop(game)
        self._breaker.forget(game)
        self._sessions.forget(game)


Answers = Counter[str]
"""By game: the number of presses that are being answered."""


def _key(game: str) -> Key:
    return (_SYNC, game)
