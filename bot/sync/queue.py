"""The queue of tables to sync: one background task for each changed table.

A sync draws the latest state of the log, so the queue is not stored: after a crash or an outage each table
that is behind its log is synced once. A failed sync is retried with back-off, or at once after a change.

If several processes share the shards, only its owner syncs a table. Another process that receives a press
answers it, and then sends the owner a hint with the answer's drawings. The hint waits for the answer, so that
the two processes do not edit one message at the same time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import discord

from bot.concurrency.keyed_tasks import Key, RetryLater
from bot.model.errors import BotError, DamagedGame, NoSuchGame, NotPosted
from bot.model.hints import Drawn
from bot.model.posts import Post
from bot.model.table_record import OPEN, TableRecord
from bot.sync.discord_errors import described
from bot.sync.live_message import Shown
from bot.sync.open_tables import OpenTables
from bot.sync.posts import Posts
from bot.sync.presses import Press
from bot.sync.syncer import RETRY_SOON, TableSyncer
from bot.sync.table_state import TableState
from bot.sync.table_sync import Services
from engine import EngineError, Seat

log = logging.getLogger(__name__)

_POLL = 0.02
"""Interval (s) between two checks whether a sync has ended."""

_OPENING = 1.5
"""Timeout (s) of waiting for a table's first message: less than an answer has before it is deferred."""

_SYNC = "sync"
"""First part of the keys of the tables' tasks."""


class Forwarding(Protocol):
    """Sends hints about events in this process to the processes that own the tables."""

    async def forward(self, game: str) -> None:
        """Send the owner a hint. Raises `StoreUnavailable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Numbers of tables that are, or may be, behind their logs."""

    syncing: int
    """Being synced now, or after their debounce window."""
    retried: int
    """Waiting for the retry of a failed sync."""
    deferred: int
    """Waiting for their shard to be connected again."""


class SyncQueue:
    """Schedules syncs of tables, and records the facts that their next sync needs."""

    def __init__(self, services: Services, tables: OpenTables, syncer: TableSyncer) -> None:
        self._services = services
        self._tables = tables
        self._syncer = syncer
        self._forwarding: Forwarding | None = None
        self._withheld: set[str] = set()
        """Games with a hint that waits for answers in progress."""
        self._syncing: dict[str, TableRecord] = {}
        """By game: the tables being synced."""
        self._deferred: set[str] = set()
        """Games whose sync waits for their shard's connection."""

    # Scheduling, which never blocks

    def schedule(self, game: str) -> None:
        """Schedule a sync of the table."""
        self._services.tasks.wake(_key(game), partial(self._sync, game))

    def schedule_with(self, record: TableRecord, posts: Posts) -> None:
        """Schedule a sync with the messages as a press has left them.

        They have its token, and nobody else holds those of a game that is over.
        """
        if not self._services.presence.is_elsewhere(record):
            self._tables.state(record.game).posts = posts
        self.schedule(record.game)

    def on_change(self, record: TableRecord) -> None:
        """Schedule a sync: the game has changed."""
        self.schedule(record.game)

    def open(self, game: str) -> TableState:
        """Schedule the first sync of a table that a person has just opened; its state, for `opened`."""
        state = self._tables.state(game)
        self.note_press(game)
        self.schedule(game)
        return state

    async def opened(self, record: TableRecord, state: TableState) -> None:
        """Wait until the first message of the table is posted, for a moment at most.

        Raises `NotPosted` if Discord has refused it.
        """
        until = asyncio.get_running_loop().time() + _OPENING
        while not (state.is_refused or self._services.presence.is_elsewhere(record)):
            is_posted = state.posts is not None and bool(state.posts.standing_by_key)
            if is_posted or asyncio.get_running_loop().time() >= until:
                return
            await asyncio.sleep(_POLL)
        if state.is_refused:
            raise NotPosted(record)

    def repost(self, game: str) -> None:
        """Schedule a repost of the table at the end of its channel."""
        self._tables.state(game).is_to_be_reposted = True
        self.note_press(game)
        self.schedule(game)

    def repost_hand(self, game: str, seat: Seat) -> None:
        """Schedule a repost of the player's hand at the end of their DM, where they asked for it."""
        self.note_turn(game, seat)
        self._tables.state(game).hands_to_repost.add(seat)
        self.note_press(game)
        self.schedule(game)

    def remind(self, game: str, due: int) -> None:
        """Schedule a reminder of all players in turn: at `due` (s since 1970) the clock moves."""
        self._tables.state(game).reminder_due = due
        self.schedule(game)

    def resume_deferred(self) -> None:
        """Schedule all deferred syncs: a shard has connected again."""
        games, self._deferred = self._deferred, set()
        for game in games:
            self.schedule(game)

    def go_back(self, game: str) -> None:
        """Schedule a sync that draws everything again: the game's log has gone back."""
        self._tables.state(game).has_gone_back = True
        self.schedule(game)

    def redraw(self, game: str) -> None:
        """Schedule a sync that draws everything again: what is known of the messages may be outdated."""
        self._tables.state(game).is_to_be_redrawn = True
        self.schedule(game)

    def find(self, post: Post) -> None:
        """Schedule a sync with a message that the database has lost with the moves that it shows."""
        self._tables.state(post.game).found.append(post)
        self.schedule(post.game)

    def lose(self, record: TableRecord) -> None:
        """Schedule the last edits of the messages of a table that the database has no more."""
        log.error("%s is lost with the database: its log had %d entries", record.game, record.version)
        self._tables.state(record.game).lost = record
        self.schedule(record.game)

    def forget_ended(self) -> None:
        """Forget the messages of games that ended some minutes ago."""
        self._tables.forget_ended()

    # Facts for the next sync

    def expect_unacknowledged_sends(self, games: Iterable[str]) -> None:
        """Note that sends of these games may have succeeded without being recorded, before a crash."""
        for game in games:
            self._tables.state(game).has_unacknowledged_sends = True

    def note_move(self, game: str, user: int) -> None:
        """Note that the person has just moved, and need not be called."""
        self._tables.state(game).moved_at[user] = self._services.pacing.clock()
        self.note_press(game)

    def note_press(self, game: str) -> None:
        """Note a press at the table: the circuit breaker may probe its channel."""
        if game in self._tables:
            self._services.breaker.pressed(game)

    def note_turn(self, game: str, seat: Seat) -> None:
        """Note a press of the player, which restarts the time after which they are called."""
        self._tables.state(game).turns.pressed(seat, self._services.pacing.clock())

    # Answers to presses

    @contextmanager
    def answering(self, game: str) -> Iterator[None]:
        """While an answer to a press there is made, hints to the table's owner wait."""
        self._services.answers[game] += 1
        try:
            yield
        finally:
            self._services.answers[game] -= 1
            if not self._services.answers[game]:
                del self._services.answers[game]
                state = self._tables.get(game) or TableState()
                if state.pressed or state.drawn or game in self._withheld:
                    self.schedule(game)

    def note_token(self, record: TableRecord, press: Press) -> None:
        """Note a press or a command at a table that only tokens reach; not one in another channel."""
        if record.is_anywhere and press.channel == record.channel:
            self._services.presses.note(record.channel, press)

    async def receive_press(self, game: str, press: discord.Interaction) -> None:
        """Note a press and its token. Raises `NoSuchGame`."""
        record = await self._services.sessions.record(game)
        seat = record.seat_of(press.user.id)
        self.note_press(game)
        if self._services.presence.is_elsewhere(record):
            state = self._tables.state(game)  # the owner gets a hint after the answer
            if seat is not None:
                state.pressed.add(seat)
        elif seat is not None:
            if game in self._tables:
                self.note_turn(game, seat)
            if not press.context.dm_channel:
                self._services.open_hands.note_press(game, press)

    async def note_answer(self, game: str, message: int, shown: Shown, *, is_certain: bool = True) -> None:
        """Note an answer's drawing, for the hint to the owner if that is another process.

        Its outcome is unknown unless `is_certain`.
        """
        if self._services.presence.is_elsewhere(await self._services.sessions.record(game)):
            self._tables.state(game).drawn[message] = Drawn(
                message=message,
                digest=shown.digest,
                version=shown.version,
                draft=shown.draft,
                is_certain=is_certain,
            )

    # Hand-over to other processes

    def forward_to(self, forwarding: Forwarding) -> None:
        """Send hints about other processes' tables by `forwarding`."""
        self._forwarding = forwarding

    async def drain(self, is_meant: Callable[[TableRecord], bool], within: float) -> None:
        """Drain the syncs of tables that are about to be handed over to another process.

        Syncs that do not end `within` (s) are cancelled: a request that waits for the rate limit would
        arrive after those of the next process.
        """
        until = asyncio.get_running_loop().time() + within
        while any(map(is_meant, self._syncing.values())) and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- syncs end within moments
            await asyncio.sleep(_POLL)
        for game in [game for game, record in self._syncing.items() if is_meant(record)]:
            self._services.tasks.stop(_key(game))

    async def flush(self, within: float) -> None:
        """Wait until no sync and no hint is in progress, at most `within` (s)."""
        until = asyncio.get_running_loop().time() + within
        while self.backlog.syncing and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- as above
            await asyncio.sleep(_POLL)

    def evict(self, game: str) -> None:
        """Evict a table that another process owns from now on."""
        self._deferred.discard(game)
        self._tables.drop_posts(game)
        self._evict(game)

    @property
    def backlog(self) -> Backlog:
        """The numbers of tables that are not in sync."""
        tables = sum(key[0] == _SYNC for key in self._services.tasks)
        retried = self._services.tasks.failing(_SYNC)
        return Backlog(syncing=tables - retried, retried=retried, deferred=len(self._deferred))

    # One sync

    async def _sync(self, game: str) -> None:
        """Sync the table once. Raises `RetryLater` after a transient failure."""
        try:
            record = await self._services.sessions.record(game)
            if self._services.presence.is_elsewhere(record):
                await self._forward(game)
                return
            if self._services.presence.is_offline(record):
                self._deferred.add(game)  # its shard is disconnected: no press arrives
                return
            if (
                not record.version
                and record.goes_on_in_match
                and _key(str(record.rematch_of)) in self._services.tasks
            ):
                raise RetryLater(RETRY_SOON)  # the previous game's result is posted first
            self._syncing[game] = record
            try:
                is_synced = await self._syncer.sync(record)
            finally:
                self._syncing.pop(game, None)
        except EngineError as error:
            # The error's message may name a card.
            log.error("the log of %s cannot be synced: %s", game, type(error).__name__)  # noqa: TRY400
            return
        except NoSuchGame:
            state = self._tables.pop(game)
            if state is not None and state.lost is not None and state.posts is not None:
                await self._syncer.take_leave(state.lost, state.posts)
            return
        except DamagedGame as error:
            self._services.store.quarantine(error)
            self._tables.pop(game)
            return
        except BotError as error:
            log.warning("%s is synced later: %s", game, described(error))
            raise RetryLater from None
        if not is_synced:
            raise RetryLater
        log.debug("%s is synced at version %d", game, record.version)
        if record.status not in OPEN and not self._services.tasks.is_wanted_again(_key(game)):
            self._evict(game)

    async def _forward(self, game: str) -> None:
        """Send the table's owner a hint, or withhold it while an answer is made."""
        if self._forwarding is None:
            return
        if self._services.answers[game]:
            self._withheld.add(game)
            return
        self._withheld.discard(game)
        await self._forwarding.forward(game)

    def _evict(self, game: str) -> None:
        """Evict the state of a table that needs no more syncs."""
        self._tables.pop(game)
        self._services.open_hands.forget(game)
        self._syncer.stop(game)
        self._services.breaker.forget(game)
        self._services.sessions.forget(game)


def _key(game: str) -> Key:
    return (_SYNC, game)
