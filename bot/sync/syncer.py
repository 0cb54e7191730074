"""Syncs one table: debounces its message, asks the circuit breaker, and sees to what follows from a sync.

A sync renders the latest state only, so edits coalesce when a table moves faster than Discord allows. In
quick play they do so by intent: the first sync after a quiet time is made at once, and for a debounce window
after each the table's message waits, while the hands are drawn. Where one person plays the computer, what
they did waits for its reply, and both are one edit: they see their own move in their hand. A count that has
ended is drawn before the next card, whose count stands there instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from bot.concurrency.keyed_tasks import Key, KeyedTasks, RetryLater
from bot.model.errors import DamagedGame, NoTable, StaleGame
from bot.model.posts import PostKind
from bot.model.table_record import OPEN, Status, TableRecord
from bot.sync.bumping import Bumping
from bot.sync.circuit_breaker import BETWEEN_REFUSALS, CircuitBreaker, Permit
from bot.sync.open_tables import OpenTables
from bot.sync.posts import Posts
from bot.sync.snapshots import GameSnapshot, snapshot_of
from bot.sync.table_state import TableState
from bot.sync.table_sync import Circumstances, Services, TableSync
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Seat, Stage, TableView

RETRY_SOON = 0.2
"""Retry delay (s) while a sync that must come first is unfinished."""

_WITHOUT_REPLY = frozenset({Stage.DISCARDING, Stage.DEALING, Stage.OVER})
"""Stages in which the computer takes longer than for a card, or does not move."""


class TableSyncer:
    """Syncs tables, each by one task at a time."""

    def __init__(
        self,
        services: Services,
        tables: OpenTables,
        breaker: CircuitBreaker,
        *,
        sessions: Sessions,
        lobbies: Lobbies,
        presence: Presence,
        bumping: Bumping,
        tasks: KeyedTasks,
        schedule: Callable[[str], None],
        merge: float,
        reply: float,
    ) -> None:
        """`merge` is the debounce window (s) of a table's message; the computer plays a card in `reply` (s).

        `schedule` schedules a game's next sync.
        """
        self._services = services
        self._tables = tables
        self._breaker = breaker
        self._sessions = sessions
        self._lobbies = lobbies
        self._presence = presence
        self._bumping = bumping
        self._tasks = tasks
        self._schedule = schedule
        self._merge = merge
        self._merges_replies = reply < merge

    async def sync(self, record: TableRecord) -> bool:
        """Draw what is not as it should be; false when that is to be tried again.

        Raises `RetryLater`, and what reading the game raises: `BotError`, `EngineError`.
        """
        game = record.game
        posts, state = await self._tables.posts(game), self._tables.state(game)
        state.posts = posts
        is_lobby = record.status is Status.GATHERING or not record.version
        snapshot = None if is_lobby else await self._snapshot(record, posts)
        if snapshot is not None:
            await self._debounce(snapshot, posts, state)
        if self._presence.has_left(record):
            circumstances = Circumstances(may_write=False, has_left=True)
            sync = self._table_sync(record, snapshot, posts, state, circumstances)
            await sync.run()
            return not sync.outcome.may_help_to_try_again
        return await self._sync(record, snapshot, posts, state)

    def stop(self, game: str) -> None:
        """Stop waiting until somebody at that table is to be called."""
        self._tasks.stop(_ring_key(game))

    def _table_sync(
        self,
        record: TableRecord,
        snapshot: GameSnapshot | None,
        posts: Posts,
        state: TableState,
        circumstances: Circumstances,
    ) -> TableSync:
        return TableSync(
            self._services, record, snapshot, posts=posts, state=state, circumstances=circumstances
        )

    async def _sync(
        self, record: TableRecord, snapshot: GameSnapshot | None, posts: Posts, state: TableState
    ) -> bool:
        """Draw a lobby or a game; false when that is to be tried again."""
        verdict = self._may_try(record)
        repost, state.is_to_be_reposted = state.is_to_be_reposted or posts.are_resting, False
        sync: TableSync | None = None
        is_through = False
        try:
            if snapshot is not None and verdict is not Permit.SHUT:
                repost |= await self._bumping.is_to_be_bumped(snapshot, posts, state)
            circumstances = self._circumstances(snapshot, state, verdict, is_to_be_reposted=repost)
            sync = self._table_sync(record, snapshot, posts, state, circumstances)
            await self._run(sync, posts, state)
            is_through = True
        finally:
            outcome = sync.outcome if sync is not None else None
            if verdict is not Permit.SHUT:
                self._breaker.end(
                    record,
                    is_refused=outcome is not None and outcome.is_shut,
                    is_synced=is_through and outcome is not None and not outcome.failures,
                    by_itself=outcome is None or not outcome.is_closed_dm,
                )
        return await self._is_finished(sync, record, posts, state)

    async def _is_finished(
        self, sync: TableSync, record: TableRecord, posts: Posts, state: TableState
    ) -> bool:
        """Note what the sync has come to; false when it is to be tried again."""
        outcome, snapshot = sync.outcome, sync.snapshot
        if outcome.place_is_gone and record.status in OPEN:
            with suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
                await self._sessions.call_off(record.game)
            return True
        if outcome.failures or outcome.is_shut:
            state.is_to_be_reposted |= sync.is_to_be_reposted
            if outcome.may_help_to_try_again:
                return False
            if outcome.is_shut and record.status not in OPEN:
                await posts.give_up_channel(snapshot.version if snapshot is not None else 0)
            return True
        # After a pause: what cannot be drawn must not be tried without end, and never where no channel is.
        if not posts.is_up_to_date and not outcome.place_is_gone:
            return False
        posts.acknowledge_all()
        if snapshot is not None:
            await posts.told(snapshot.version)
        return True

    def _circumstances(
        self, snapshot: GameSnapshot | None, state: TableState, verdict: Permit, *, is_to_be_reposted: bool
    ) -> Circumstances:
        overdue: frozenset[Seat] = frozenset()
        if snapshot is not None:
            pacing = self._services.pacing
            state.turns.waits_for(_turns_of_people(snapshot), pacing.clock())
            overdue = state.turns.take(pacing.ring_after, pacing.clock())
        return Circumstances(
            may_write=verdict is not Permit.SHUT,
            # A picture that is refused is followed by the same as text: two refusals of one attempt.
            may_send_pictures=verdict is not Permit.PROBE,
            is_to_be_reposted=is_to_be_reposted,
            coming_down=frozenset(state.coming_down),
            overdue=overdue,
        )

    def _may_try(self, record: TableRecord) -> Permit:
        """Ask the circuit breaker about the table's channel. Raises `RetryLater` until it has decided."""
        match verdict := self._breaker.ask(record):
            case Permit.WAIT:
                raise RetryLater(RETRY_SOON)
            case Permit.LATER:
                raise RetryLater(BETWEEN_REFUSALS)
            case _:
                return verdict

    async def _run(self, sync: TableSync, posts: Posts, state: TableState) -> None:
        """Draw a lobby or a game, and see to what follows from it."""
        game, drawn_before = sync.game, _table_as_drawn(posts)
        await sync.run()
        if sync.snapshot is None:
            if sync.record.begins and posts.get(PostKind.LOBBY) is not None:
                await self._lobbies.begin_posted(game)
        elif self._ring_due_in(game) is not None and _ring_key(game) not in self._tasks:
            self._tasks.wake(_ring_key(game), partial(self._ring, game))
        if _table_as_drawn(posts) != drawn_before:
            state.merges_until = asyncio.get_running_loop().time() + self._merge

    async def _snapshot(self, record: TableRecord, posts: Posts) -> GameSnapshot:
        """The game as it stands. Raises `DamagedGame` where a message is kept of a deal to come."""
        snapshot = snapshot_of(await self._sessions.get(record.game))
        if posts.last_deal > snapshot.latest:
            people = frozenset(each.user for each in record.occupants if each.user is not None)
            raise DamagedGame(record.game, "its messages", "a later deal", guild=record.guild, people=people)
        return snapshot

    # Debounce

    async def _debounce(self, snapshot: GameSnapshot, posts: Posts, state: TableState) -> None:
        """Draw the hands alone while the table's message waits for more. Raises `RetryLater`, to go on."""
        record, now = snapshot.record, asyncio.get_running_loop().time()
        left = max(state.merges_until, self._reply_due(snapshot, state)) - now
        is_asked_for = state.is_to_be_reposted or bool(state.coming_down)
        if left <= 0 or record.status is not Status.PLAYING or is_asked_for:
            return
        if _has_ended_a_count(snapshot.table) or self._presence.has_left(record):
            return
        if posts.get(PostKind.TABLE, snapshot.latest) is None:
            return
        circumstances = Circumstances(may_write=False, is_merging=True)
        await self._table_sync(record, snapshot, posts, state, circumstances).run()
        raise RetryLater(left)

    def _reply_due(self, snapshot: GameSnapshot, state: TableState) -> float:
        """End of the wait for the computer's reply, in the loop's time (s)."""
        if not self._merges_replies or not _waits_for_a_reply(snapshot):
            state.reply_since = None
            return 0.0
        if state.reply_since is None:
            state.reply_since = asyncio.get_running_loop().time()
        return state.reply_since + self._merge

    # Calls by DM

    def _ring_due_in(self, game: str) -> float | None:
        """Delay (s) before somebody at that table is to be called."""
        state, pacing = self._tables.get(game), self._services.pacing
        return None if state is None else state.turns.due_in(pacing.ring_after, pacing.clock())

    async def _ring(self, game: str) -> None:
        """Wait until somebody is to be called, and schedule the sync that does it."""
        while (seconds := self._ring_due_in(game)) is not None:
            if not seconds:
                self._schedule(game)
                return
            await asyncio.sleep(seconds)


def _ring_key(game: str) -> Key:
    return ("ring", game)


def _table_as_drawn(posts: Posts) -> str:
    """Digest of the table's newest message, as far as is known."""
    table = posts.newest_table
    return table.drawn if table is not None else ""


def _turns_of_people(snapshot: GameSnapshot) -> dict[Seat, int]:
    """Seats whom other people wait for, with the number of their turn; the next deal comes by itself."""
    record, people = snapshot.record, snapshot.record.people
    if record.status is not Status.PLAYING or len(people) <= 1 or snapshot.table.stage is Stage.DEALING:
        return {}
    return {seat: snapshot.turn_of(seat) for seat in snapshot.table.waiting_for if seat in people}


def _waits_for_a_reply(snapshot: GameSnapshot) -> bool:
    """True if one person plays computers, and one of those plays next, as soon as it plays a card."""
    record, table = snapshot.record, snapshot.table
    if record.is_in_dm or len(record.people) != 1 or table.stage in _WITHOUT_REPLY:
        return False
    return bool(table.waiting_for) and not record.people.intersection(table.waiting_for)


def _has_ended_a_count(table: TableView) -> bool:
    """True if the last count stands on the table, with its go or 31, until the next card is played."""
    return table.stage is Stage.PLAYING and not table.series and bool(table.past_series)
