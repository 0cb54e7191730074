"""Syncs one table: debounces its message, asks the circuit breaker, and handles the outcome.

Each sync renders the latest state; edits of the table's message are debounced: the first change is synced
immediately, and after each edit the message waits for a debounce window, while hands are edited without
delay. In a game of one person against computers, the person's move also waits for the computer's reply, so
that both are one edit. A count that has ended is drawn at once, since the next card starts a new one.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from bot.concurrency.keyed_tasks import Key, RetryLater
from bot.model.errors import NoTable, StaleGame
from bot.model.posts import PostKind
from bot.model.table_record import OPEN, Status, TableRecord
from bot.render.messages.moved import lost_drawing
from bot.sync.circuit_breaker import REFILL, Permit
from bot.sync.open_tables import OpenTables
from bot.sync.plan import Known, newest_table
from bot.sync.posts import Posts
from bot.sync.snapshots import GameSnapshot, snapshot_of
from bot.sync.table_state import TableState
from bot.sync.table_sync import Outcome, Services, TableSync
from engine import Seat, Stage, TableView

RETRY_SOON = 0.2
"""Retry delay (s) while a sync that must come first is unfinished."""

_WITHOUT_REPLY = frozenset({Stage.DISCARDING, Stage.DEALING, Stage.OVER})
"""Stages in which the computer takes longer than for a card, or does not move."""


class TableSyncer:
    """Syncs tables; for each table one call at a time."""

    def __init__(self, services: Services, tables: OpenTables, *, merge: float, reply: float) -> None:
        """`merge` is the debounce window (s) of a table's message, `reply` the computer's delay (s)."""
        self._services = services
        self._tables = tables
        self._merge = merge
        self._merges_replies = reply < merge

    async def sync(self, record: TableRecord) -> bool:
        """Sync the table's messages; false if that needs a retry with back-off.

        Raises `RetryLater` with another delay, and the errors of reading the game: `BotError`, `EngineError`.
        """
        game = record.game
        posts, state = await self._tables.posts(game), self._tables.state(game)
        state.posts = posts
        is_lobby = record.status is Status.GATHERING or not record.version
        snapshot = None if is_lobby else snapshot_of(await self._services.sessions.get(game))
        await self._go_back(snapshot, posts, state)
        if snapshot is not None:
            await self._debounce(snapshot, posts, state)
        if self._services.presence.has_left(record):
            fixed = Known(may_write=False, has_left=True)
            sync = TableSync(self._services, record, snapshot, posts=posts, state=state, fixed=fixed)
            await sync.run()
            return not sync.outcome.is_retriable
        return await self._sync(record, snapshot, posts, state)

    async def take_leave(self, record: TableRecord, posts: Posts) -> None:
        """Say on each message of a table that the database has it no more."""
        self._services.open_hands.forget(record.game)
        await posts.take_leave(lost_drawing(self._services.voices.of(record.language)))

    def stop(self, game: str) -> None:
        """Cancel the task that waits until a player at the table is overdue."""
        self._services.tasks.stop(_ring_key(game))

    async def _sync(
        self, record: TableRecord, snapshot: GameSnapshot | None, posts: Posts, state: TableState
    ) -> bool:
        """Sync a lobby or a game; false if that needs a retry."""
        permit = self._permit(record)
        repost, state.is_to_be_reposted = state.is_to_be_reposted or posts.are_resting, False
        sync: TableSync | None = None
        is_through = False
        try:
            if snapshot is not None and permit is not Permit.SHUT and not record.is_anywhere:
                repost |= await self._services.bumping.is_to_be_bumped(snapshot, posts, state)
            fixed = self._facts(snapshot, state, permit, is_to_be_reposted=repost)
            sync = TableSync(self._services, record, snapshot, posts=posts, state=state, fixed=fixed)
            await self._run(sync, posts, state)
            is_through = True
        finally:
            outcome = sync.outcome if sync is not None else None
            if permit is not Permit.SHUT and not record.is_anywhere:
                self._services.breaker.end(
                    record,
                    is_refused=outcome is not None and outcome.is_shut,
                    is_synced=is_through and outcome is not None and outcome.is_through,
                    is_probed=outcome is None or not outcome.is_closed_dm,
                )
        return await self._is_finished(sync, record, posts, state)

    async def _is_finished(
        self, sync: TableSync, record: TableRecord, posts: Posts, state: TableState
    ) -> bool:
        """Handle the outcome of the sync; false if it needs a retry."""
        outcome, snapshot = sync.outcome, sync.snapshot
        is_refused = self._is_refused(outcome, record, posts)
        if (outcome.place_is_gone or is_refused) and record.status in OPEN:
            await self._call_off(record, posts, state)
            return True
        if outcome.waits_for_press:
            state.is_to_be_reposted |= sync.is_to_be_reposted
            is_unseen = record.status is Status.GATHERING and not posts.standing_by_key
            if outcome.came_back_private and is_unseen:
                await self._call_off(record, posts, state)
            return True
        if outcome.is_shut or not outcome.is_through:
            state.is_to_be_reposted |= sync.is_to_be_reposted
            if (seconds := outcome.retried_after) is not None:
                raise RetryLater(seconds)
            if outcome.is_retriable:
                return False
            if outcome.is_shut and record.status not in OPEN:
                await posts.give_up_channel(snapshot.version if snapshot is not None else 0)
                self._services.breaker.missed(record)
            return True
        # Retry with back-off, so that a failing edit is not sent in a loop; never in a deleted channel.
        if not posts.is_up_to_date and not outcome.place_is_gone:
            return False
        posts.acknowledge_all()
        state.is_loss_told = True
        if snapshot is not None:
            await posts.note_synced(snapshot.version)
        return True

    async def _call_off(self, record: TableRecord, posts: Posts, state: TableState) -> None:
        with suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
            await self._services.sessions.call_off(record.game)
        state.is_refused = not posts.standing_by_key

    def _is_refused(self, outcome: Outcome, record: TableRecord, posts: Posts) -> bool:
        """True if Discord has refused the first message of a table, which nobody can see.

        It is a lobby, or the table of a game that begins at once. A match's next game waits for its channel:
        its result offers it.
        """
        is_new = record.status is Status.GATHERING or not record.synced
        if record.goes_on_in_match or not is_new or posts.standing_by_key or outcome.is_retriable:
            return False
        return bool(outcome.failures) or (outcome.is_shut and self._services.breaker.has_refused(record))

    def _facts(
        self, snapshot: GameSnapshot | None, state: TableState, permit: Permit, *, is_to_be_reposted: bool
    ) -> Known:
        overdue: frozenset[Seat] = frozenset()
        if snapshot is not None:
            pacing = self._services.pacing
            state.turns.waits_for(_turns_of_people(snapshot), pacing.clock())
            overdue = state.turns.take(pacing.ring_after, pacing.clock())
        return Known(
            may_write=permit is not Permit.SHUT,
            # A refused picture is sent again as text: that would be two refusals in one probe.
            has_pictures=permit is not Permit.PROBE,
            is_to_be_reposted=is_to_be_reposted,
            hands_to_repost=frozenset(state.hands_to_repost),
            overdue=overdue,
        )

    def _permit(self, record: TableRecord) -> Permit:
        """The circuit breaker's permit for the table's channel. Raises `RetryLater` until it decides.

        A table that only tokens reach needs none: nothing is sent there unasked.
        """
        permit = Permit.GO if record.is_anywhere else self._services.breaker.ask(record)
        if permit is Permit.LATER:
            raise RetryLater(REFILL)
        return permit

    async def _run(self, sync: TableSync, posts: Posts, state: TableState) -> None:
        """Run the sync, then start the task that rings overdue players."""
        game, drawn_before = sync.game, _table_as_drawn(posts)
        await sync.run()
        is_rung = sync.snapshot is not None and self._ring_due_in(game) is not None
        if is_rung and _ring_key(game) not in self._services.tasks:
            self._services.tasks.wake(_ring_key(game), partial(self._ring, game))
        if _table_as_drawn(posts) != drawn_before:
            state.merges_until = asyncio.get_running_loop().time() + self._merge

    async def _go_back(self, snapshot: GameSnapshot | None, posts: Posts, state: TableState) -> None:
        """If the log has gone back, forget what was drawn of later moves, and let the table say so."""
        latest = 0 if snapshot is None else snapshot.latest
        for post in state.found:
            state.has_gone_back |= await posts.adopt(post, latest)
        state.found.clear()
        is_ahead = posts.last_deal > latest and state.lost_in is None
        if state.lost_in is not None and not state.is_loss_told:
            state.lost_in = latest  # the deal may have gone on while nothing could be written
        has_lost = state.has_gone_back or is_ahead
        if not (has_lost or state.is_to_be_redrawn):
            return
        await posts.distrust_all(latest, has_lost=has_lost)
        if snapshot is not None:
            self._services.open_hands.distrust(snapshot.record.game)
        state.has_gone_back = state.is_to_be_redrawn = False
        if has_lost:
            state.lost_in, state.is_loss_told = latest, False
        state.merges_until, state.reply_since, state.watched = 0.0, None, None

    # Debounce

    async def _debounce(self, snapshot: GameSnapshot, posts: Posts, state: TableState) -> None:
        """In the debounce window, sync the hands alone and raise `RetryLater` for the rest of the window."""
        record, now = snapshot.record, asyncio.get_running_loop().time()
        left = max(state.merges_until, self._reply_due(snapshot, state)) - now
        is_asked_for = state.is_to_be_reposted or bool(state.hands_to_repost)
        if left <= 0 or record.status is not Status.PLAYING or is_asked_for:
            return
        if _has_ended_a_count(snapshot.table) or self._services.presence.has_left(record):
            return
        if posts.get(PostKind.TABLE, snapshot.latest) is None:
            return
        fixed = Known(may_write=False, is_merging=True)
        await TableSync(self._services, record, snapshot, posts=posts, state=state, fixed=fixed).run()
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
        """Delay (s) before a player at the table is overdue; `None` if nobody is in turn."""
        state, pacing = self._tables.get(game), self._services.pacing
        return None if state is None else state.turns.due_in(pacing.ring_after, pacing.clock())

    async def _ring(self, game: str) -> None:
        """Wait until a player is overdue, and schedule the sync that calls them."""
        while (seconds := self._ring_due_in(game)) is not None:
            if not seconds:
                self._services.schedule(game)
                return
            await asyncio.sleep(seconds)


def _ring_key(game: str) -> Key:
    return ("ring", game)


def _table_as_drawn(posts: Posts) -> str:
    """Digest of the table's newest message; empty if it is unknown."""
    table = newest_table(posts.standing_by_key)
    return table.drawn if table is not None else ""


def _turns_of_people(snapshot: GameSnapshot) -> dict[Seat, int]:
    """By seat of a person in turn: the number of their turn. Empty if no other person waits for them."""
    record, people = snapshot.record, snapshot.record.people
    if record.status is not Status.PLAYING or len(people) <= 1 or snapshot.table.stage is Stage.DEALING:
        return {}
    return {seat: snapshot.turn_of(seat) for seat in snapshot.table.waiting_for if seat in people}


def _waits_for_a_reply(snapshot: GameSnapshot) -> bool:
    """True if one person plays computers, and a computer plays the next card."""
    record, table = snapshot.record, snapshot.table
    if record.is_in_dm or len(record.people) != 1 or table.stage in _WITHOUT_REPLY:
        return False
    return bool(table.waiting_for) and not record.people.intersection(table.waiting_for)


def _has_ended_a_count(table: TableView) -> bool:
    """True if the table shows a count that has ended in a go or 31, before the next card is played."""
    return table.stage is Stage.PLAYING and not table.series and bool(table.past_series)
