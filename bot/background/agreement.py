"""Keeps memory in agreement with the database, which may be exchanged for an older copy while the bot runs.

That happens in a failover to a replica that lacks the last seconds, and when a backup is restored. Every few
seconds, and at once when a connection to another database joins the pool, the versions of all open tables are
compared with those in memory. A log that is ahead (a commit whose outcome was unknown) is loaded. A log that
is behind has lost moves: what memory holds of them is dropped, and the table is drawn again and says so.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from cachetools import TLRUCache

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.concurrency.loop_time import loop_time
from bot.model.errors import DamagedGame, NoSuchGame, StoreUnavailable
from bot.model.table_record import OPEN, Status, TableRecord
from bot.store import Store
from bot.sync.queue import SyncQueue
from bot.tables.sessions import Sessions

log = logging.getLogger(__name__)

_BETWEEN = 5.0
"""Pause (s) between two comparisons."""

_KNOWN = 20_000
"""Limit of tables whose last version is remembered."""

_KEPT = 600.0
"""Time (s) for which a table is remembered after its end: a replica lacks seconds."""


_ANOTHER = "the database is another, or a copy: %d open tables are drawn again"


class Agreement:
    """Compares the open tables of this process with the database."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        queue: SyncQueue,
        tasks: KeyedTasks,
        *,
        is_elsewhere: Callable[[TableRecord], bool],
    ) -> None:
        """Tables that are `is_elsewhere` are compared by the process that owns them."""
        self._store = store
        self._sessions = sessions
        self._queue = queue
        self._tasks = tasks
        self._is_elsewhere = is_elsewhere
        self._known: TLRUCache[str, TableRecord] = TLRUCache(_KNOWN, _until, loop_time)
        """By game: its record as it was last published."""
        self._identity = ""
        self._comparing = asyncio.Lock()
        self.lost = 0
        """Number of tables that have gone back so far."""

    async def start(self) -> None:
        """Note the open tables, and begin to compare."""
        is_another = await self._store.is_another()
        self._identity = await self._store.identity()
        tables = await self._store.open_tables()
        for record in tables:
            if not self._is_elsewhere(record):
                self._known[record.game] = record
        if is_another:
            log.warning(_ANOTHER, len(tables))
        self._tasks.repeat(("agreement",), _BETWEEN, self.compare)

    def on_change(self, record: TableRecord) -> None:
        """Note a change or a load of the game: an earlier version is a loss. Goes before other listeners."""
        if self._is_elsewhere(record):
            return
        known = self._known.get(record.game)
        self._known[record.game] = record
        if known is not None and _is_behind(record, known):
            log.error(
                "%s has lost moves with the database: its log had %d entries (%s), and has %d (%s)",
                *(record.game, known.version, known.status.value, record.version, record.status.value),
            )
            self.lost += 1
            self._queue.go_back(record.game)

    async def compare(self) -> None:
        """Bring what differs into agreement, as far as the store is available."""
        async with self._comparing:
            self._known.expire()
            self._queue.forget_ended()
            before = dict(self._known)
            try:
                versions = await self._store.versions()
                await self._agree(before, versions)
                identity = await self._store.identity()
                if identity != self._identity:
                    await self._redraw()
                    self._identity = identity
            except StoreUnavailable:
                return

    async def _redraw(self) -> None:
        """Draw every open table again: the records of its messages may be older than they are."""
        tables = [each for each in await self._store.open_tables() if not self._is_elsewhere(each)]
        log.warning(_ANOTHER, len(tables))
        for record in tables:
            await self._sessions.reload(record.game)
            self._queue.redraw(record.game)

    async def _agree(self, before: Mapping[str, TableRecord], versions: Mapping[str, int]) -> None:
        """Load what differs again, and publish it if it is not as it was last published."""
        for game, known in before.items():
            if versions.get(game) == (known.version if known.status in OPEN else None):
                continue
            try:
                record = await self._sessions.reload(game)
            except StoreUnavailable:  # a write of this game has not ended yet, say
                continue
            published = self._known.get(game, known)
            if record is None:
                self._known.pop(game, None)
                await self._lose(published)
            elif (record.version, record.status) != (published.version, published.status):
                self._sessions.notify(record)

    async def _lose(self, known: TableRecord) -> None:
        """End what waits for a table that the database has no more, unless it is only damaged."""
        try:
            await self._store.table(known.game)
        except NoSuchGame:
            self.lost += 1
            self._queue.lose(known)
            self._sessions.notify(replace(known, status=Status.CANCELLED))
        except DamagedGame:
            return


def _until(_: str, record: TableRecord, now: float) -> float:
    """The time at which the table is forgotten."""
    return math.inf if record.status in OPEN else now + _KEPT


def _is_behind(record: TableRecord, known: TableRecord) -> bool:
    return record.version < known.version or (record.status in OPEN and known.status not in OPEN)
