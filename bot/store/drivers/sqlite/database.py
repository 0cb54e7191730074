"""The SQLite file: opened safely, written by one thread with group commit, and read by pools of threads.

A transaction is one function: a work runs (`dialect.run`) in its connection's thread from its first statement
to its commit, so that tasks cannot interleave inside it. The file is in WAL mode, so that readers do not wait
for the writer, with synchronous=FULL, so that a commit is on the disk, and with secure_delete, which
overwrites deleted rows, as forgotten people must not remain in the file.

The writer, the reader for play, and the readers for the standings have connections of their own, so none of
the three waits for another. A read that takes seconds, such as an export, opens one for itself.

aiosqlite provides the writer's thread and its queue. One private method of it is used, `_execute`, which runs
a function in that thread: the public methods are built on it, but none takes a function. pyproject allows
only versions that were tried.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.model.errors import DatabaseDamaged, DatabaseLost, DatabaseUnusable, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.base import BaseDatabase
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.dialect import as_text, run
from bot.store.drivers.sqlite.files import (
    OpenFiles,
    log_of,
    read_mark,
    rescue,
    set_foreign_log_aside,
    write_mark,
)
from bot.store.drivers.sqlite.gaps import Gaps
from bot.store.drivers.sqlite.privacy import make_private, warn_of_readers
from bot.store.drivers.sqlite.trouble import is_corrupt, refusal, refuse_broken_pages
from bot.store.drivers.sqlite.upgrade_copies import KEPT, copies_of, copy_before_upgrade, remove_copies

log = logging.getLogger(__name__)

T = TypeVar("T")

_Raw = Callable[[sqlite3.Connection], T]
"""A function of the driver that runs in a connection's thread."""

_SLOW_READERS = 2
"""Threads for `read_slow`."""

_LONG_READS = 2
"""Concurrent calls of `read_long`."""

_STEPS = 20_000
"""SQLite instructions (up to 1 us each) between two checks for a closed database."""

_CHECKPOINT_PATIENCE = 100
"""Time limit (ms) to wait for readers in order to truncate the write-ahead log."""

LOG_KEPT = 16 * 2**20
"""Size (bytes) to which a larger write-ahead log is cut once it is empty again."""

BETWEEN_EXPIRIES = 3600.0
"""Pause (s) between two searches for expired copies of before an upgrade."""

_WIPED = 100
"""Pages wiped per write lock."""

SCAN_LIMIT = 32 * 2**20
"""Size limit (bytes) for the integrity scan at start-up (0.1 to 0.5 s)."""

_TO_GO_BACK = (
    "a copy of before is %s, for 14 days or until somebody has their data deleted; to go back, stop the bot, "
    "put the copy in the place of %s, remove the files beside that which end in -wal and -shm, and start the "
    "bot of before"
)

_HEADER = 100
"""Size (bytes) of SQLite's file header, which has the page size and the number of pages."""

WATCHED_EVERY = 0.8
"""Longest time (s) between two looks for lost files; each write looks, and in between a thread does."""

PATIENCE = 0.8
"""Time (s) to wait for another program's lock: an answer to Discord is due within three, a stop in two."""


class SqliteDatabase(BaseDatabase):
    """See `bot.store.connection.Database`. One process writes; others may read the file meanwhile."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, worker: aiosqlite.Connection, *, behind: float
    ) -> None:
        """Takes an open connection and its thread; `open` makes both."""
        super().__init__(behind)
        self._path = path
        self._connection = connection
        self._worker = worker
        self._files = OpenFiles(path)
        self._loop = asyncio.get_running_loop()
        self._looked_at = time.monotonic()
        """Time of the last look for lost files; the writer's thread sets it, too."""
        self._watching = asyncio.create_task(self._watch())
        self._corrupt: Exception | None = None
        """The first SQLITE_CORRUPT error."""
        self._refusal: DatabaseDamaged | DatabaseUnusable | None = None
        """What a second look has found after it."""
        self._lost: Path | None = None
        """The first of the files that is lost."""
        self._rescuing: asyncio.Task[Path | None] | None = None
        self._mark: str | None = None
        """Its identity, once it was asked for: no file in its place is used while it is open."""
        self._when_unusable: Callable[[], object] = lambda: None
        self._readers = _Readers(path, 1, lambda: self.closed)
        self._slow_readers = _Readers(path, _SLOW_READERS, lambda: self.closed)
        self._long_reads = asyncio.Semaphore(_LONG_READS)
        self._gaps: Gaps | None = None
        self._wiping = asyncio.Lock()
        self._waiting: deque[_Write] = deque()
        """Writes that no transaction has taken yet."""
        self._expiring: asyncio.Task[None] | None = None
        """Removes copies of before an upgrade, if there are any."""

    @classmethod
    async def open(
        cls, path: Path, patience: float = PATIENCE, *, behind: float = 0.0, copies: bool = True
    ) -> SqliteDatabase:
        """Open the file, or create it, and migrate its schema; if `copies`, an older one is copied before.

        `patience` is the time (s) to wait for another program's lock, `behind` the time (s) for which
        `write_behind` waits for another write. Raises `DatabaseTooNew`, `DatabaseOfDevelopment`,
        `DatabaseDamaged`, `UpgradeNotCopied` and `DatabaseUnusable`; then the file is as it was.
        """
        connection = await _opened(path, patience, copies=copies)
        try:
            worker = await aiosqlite.Connection(lambda: connection, iter_chunk_size=64)
        except BaseException:  # aiosqlite closes no connection whose opening was cancelled
            connection.close()
            raise
        database = cls(path, connection, worker, behind=behind)
        if copies_of(path):
            database._expiring = asyncio.create_task(database._expire_copies())
        return database

    async def close(self) -> None:
        """See `Database.close`. It does not wait for another program's lock."""
        if not self.closed:
            self.closed = True
            self.cancel_flush()
            if self._expiring is not None:
                self._expiring.cancel()
            self._watching.cancel()
            if self._rescuing is not None:
                await asyncio.wait([self._rescuing])
            if self._waiting:
                with suppress(StoreUnavailable):  # each waiting caller gets the error itself
                    await self._write(_nothing)
            await self._readers.close()
            await self._slow_readers.close()
            await self._worker.close()
            self._files.close()
            if self._gaps is not None:
                self._gaps.close()
            if self._corrupt is not None:
                self._refusal = await asyncio.to_thread(refusal, self._path, self._corrupt)

    def when_unusable(self, call: Callable[[], object]) -> None:
        """Register a callback for the first SQLITE_CORRUPT error, and for a lost file."""
        self._when_unusable = call

    def refuse_if_unusable(self) -> None:
        """Raises `DatabaseLost` for a lost file, and once closed what a call has met.

        For a broken page that is `DatabaseDamaged`, or `DatabaseUnusable` if no damage is found any more.
        """
        if self._lost is not None:
            is_done = self._rescuing is not None and self._rescuing.done()
            rescued = self._rescuing.result() if is_done and self._rescuing is not None else None
            raise DatabaseLost(self._path, self._lost, rescued)
        if self._refusal is not None:
            raise self._refusal

    def refuse_if_closed(self) -> None:
        """Raises `StoreUnavailable` once the database is closed, or has lost a file."""
        super().refuse_if_closed()
        if self._lost is not None:
            raise StoreUnavailable(f"{self._lost} was deleted, moved or replaced")

    def _refuse_if_lost(self) -> None:
        """Raises `StoreUnavailable` for a lost file; called in the writer's thread."""
        self._looked_at = time.monotonic()
        lost = self._lost or self._files.lost()
        if lost is not None:
            self._loop.call_soon_threadsafe(self._lose, lost)
            raise StoreUnavailable(f"{lost} was deleted, moved or replaced")

    async def _watch(self) -> None:
        """Look for lost files while no write does, until one is lost."""
        while self._lost is None:
            rest = self._looked_at + WATCHED_EVERY - time.monotonic()
            if rest > 0:
                await asyncio.sleep(rest)
                continue
            self._looked_at = time.monotonic()
            lost = await asyncio.to_thread(self._files.lost)
            if lost is not None:
                self._lose(lost)

    def _lose(self, lost: Path) -> None:
        """Write a copy of what the connection still has; from now on all calls are refused."""
        if self._lost is None:
            self._lost = lost
            log.error("%s was deleted, moved or replaced while it was open: the bot stops", lost)
            self._rescuing = asyncio.create_task(self._rescue())
            self._when_unusable()

    async def _rescue(self) -> Path | None:
        saving = partial(rescue, self._connection, self._path)
        found: Path | None = await self._worker._execute(saving)  # type: ignore[no-untyped-call]  # noqa: SLF001 -- as in `_in_turn`
        return found

    async def read(self, work: Work[T]) -> T:
        """See `Database.read`."""
        return await self._reading(partial(self._readers.run, work))

    async def read_one(self, work: Work[T]) -> T:
        """See `Database.read_one`."""
        return await self.read(work)

    async def read_slow(self, work: Work[T]) -> T:
        """See `Database.read_slow`."""
        return await self._reading(partial(self._slow_readers.run, work))

    async def read_long(self, work: Work[T]) -> T:
        """See `Database.read_long`."""

        def on_its_own() -> T:
            with closing(_reader(self._path, lambda: self.closed)) as connection:
                return run(work, connection)

        async with self._long_reads:
            return await self._reading(partial(asyncio.to_thread, on_its_own))

    async def write(self, work: Work[T], *, game: str | None = None) -> T:  # noqa: ARG002 -- writes are in one order for all games
        """See `Database.write`.

        All queued writes are committed together as soon as the thread is free (group commit), because a
        commit waits for the disk, many times longer than a work takes. If one of them fails, each is retried
        alone.
        """
        self.refuse_if_closed()  # before queueing: another write would commit it
        return await self._write(partial(run, work))

    async def write_unchecked(self, work: Work[T]) -> T:
        """See `Database.write_unchecked`."""

        def unchecked(connection: sqlite3.Connection) -> T:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                return run(work, connection)
            finally:
                connection.execute("PRAGMA ignore_check_constraints = OFF")

        self.refuse_if_closed()
        return await self._write(unchecked)

    async def _write(self, work: _Raw[T]) -> T:
        write = _Write(work)
        self._waiting.append(write)
        result: T = await self._in_turn(lambda: self._committed(write))
        return result

    def write_behind(self, game: str, work: Work[None]) -> None:  # noqa: ARG002 -- as above
        """See `Database.write_behind`. The next write of any game commits it."""
        self.refuse_if_closed()
        self._waiting.append(_Write(partial(run, work), is_behind=True))
        self.flush_later()

    async def flush(self, game: str | None = None) -> None:  # noqa: ARG002 -- as above
        """See `Database.flush`."""
        if self._waiting:
            self.refuse_if_closed()
            await self._write(_nothing)

    async def exclusive(self, work: _Raw[T]) -> T:
        """Run a function outside of any transaction, such as VACUUM, on the writer's connection.

        Raises `StoreUnavailable`.
        """

        def alone() -> T:
            self._refuse_if_lost()
            return work(self._connection)

        self.refuse_if_closed()
        return await self._in_turn(alone)

    async def identity(self) -> str:
        """See `Database.identity`."""
        self.refuse_if_closed()
        if self._mark is None:
            self._mark = await asyncio.to_thread(read_mark, self._path)
        return self._mark

    async def renew_identity(self) -> str:
        """See `Database.renew_identity`."""
        self.refuse_if_closed()
        self._mark = await asyncio.to_thread(write_mark, self._path)
        return self._mark

    async def scrub(self) -> None:
        """See `Database.scrub`: wipes the gaps of page splits (`gaps`), and truncates the write-ahead log.

        Copies of before an upgrade have what was deleted, so they are removed first.

        Raises `StoreUnavailable`, too, if a reader keeps the log in use for `_CHECKPOINT_PATIENCE`.
        """
        await asyncio.to_thread(remove_copies, self._path)
        traces, last = await self.read(_traces)
        if traces:
            await self.exclusive(truncate_write_ahead_log)
            await self.wipe(traces)
            await self.write(lambda connection: connection.execute(_WIPED_THROUGH, last))
        await self.exclusive(truncate_write_ahead_log)
        await self.write(lambda connection: connection.execute(_SCRUBBED))

    async def _expire_copies(self) -> None:
        while await asyncio.to_thread(remove_copies, self._path, older_than=KEPT):  # noqa: ASYNC110 -- it is time that passes
            await asyncio.sleep(BETWEEN_EXPIRIES)

    async def wipe(self, traces: Collection[bytes]) -> None:
        """Overwrite these traces of deleted rows in unused parts of the file (`gaps`).

        Blocks other writes for some milliseconds at a time. Raises `StoreUnavailable`.
        """
        async with self._wiping:
            gaps = self._gaps = self._gaps or Gaps(self._path)
            pages = await self._reading(partial(asyncio.to_thread, gaps.search, traces))
            for first in range(0, len(pages), _WIPED):
                await self.exclusive(partial(self._wipe, gaps, pages[first : first + _WIPED]))

    def _wipe(self, gaps: Gaps, pages: list[int], connection: sqlite3.Connection) -> None:
        truncate_write_ahead_log(connection)
        with _transaction(connection, "BEGIN IMMEDIATE"):
            if log_of(self._path).stat().st_size:
                raise StoreUnavailable("another program has written meanwhile")
            gaps.wipe(pages)
        connection.execute("PRAGMA shrink_memory")  # or cached pages would overwrite the wiped ones

    def _committed(self, write: _Write) -> Any:
        """The result of a write; commits all queued writes if an earlier batch has not done so."""
        if not write.is_done:
            self._refuse_if_lost()
            batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
            self._commit(batch)
        return write.outcome()

    def _commit(self, batch: list[_Write]) -> None:
        """Commit the batch as one transaction, or, if one of its writes fails, each as its own.

        If another program holds the lock for too long, all fail together, having waited once.
        """
        parts = [batch]
        while parts:
            part = parts.pop(0)
            try:
                with _transaction(self._connection, "BEGIN IMMEDIATE"):
                    results = [write.work(self._connection) for write in part]
            except BaseException as error:  # noqa: BLE001 -- raised in the caller of the write
                if _is_busy(error):
                    part += [write for rest in parts for write in rest]
                    parts = []
                elif len(part) > 1:
                    parts = [[write] for write in part]
                    continue
                for write in part:
                    write.end(error=error)
                self._waiting.extendleft(filter(_Write.is_retried, reversed(part)))
            else:
                for write, result in zip(part, results, strict=True):
                    write.end(result)

    @contextmanager
    def _as_unavailable(self) -> Iterator[None]:
        """Raises `StoreUnavailable` for an error of SQLite or the disk, except for faults in this program."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a retry cannot mend it
        except (sqlite3.Error, OSError) as error:
            if is_corrupt(error) and self._corrupt is None:
                self._corrupt = error
                self._when_unusable()
            raise StoreUnavailable(str(error)) from error

    async def _reading(self, reading: Callable[[], Awaitable[T]]) -> T:
        self.refuse_if_closed()
        with self._as_unavailable():
            return await reading()

    async def _in_turn(self, call: Callable[[], T]) -> T:
        """Run the call in the writer's thread, in order. Raises `StoreUnavailable`."""

        def called() -> T:
            if self.closed:
                # Closing: the calls that are still queued must not each wait for another program's lock.
                self._connection.execute("PRAGMA busy_timeout = 0")
            return call()

        # A closure, because aiosqlite logs arguments at debug level, which may hold cards.
        with self._as_unavailable():
            result: T = await self._worker._execute(called)  # type: ignore[no-untyped-call]  # noqa: SLF001 -- see above
            return result


def truncate_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Write all of the log into the file, and empty it. Raises `StoreUnavailable` while it is being read."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_PATIENCE}")
    try:
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    if is_busy:
        raise StoreUnavailable("the write-ahead log is being read")


_WIPED_THROUGH = "DELETE FROM traces WHERE rowid <= $1"

_SCRUBBED = "DELETE FROM scrubbing WHERE NOT EXISTS (SELECT 1 FROM traces)"


async def _traces(connection: Connection) -> tuple[list[bytes], int]:
    """The traces to wipe, and the number up to which they can be deleted after that.

    That is 0 during the deletion of a person's data, which may leave more of the same traces.
    """
    found = await connection.fetch("SELECT rowid AS number, trace FROM traces ORDER BY rowid")
    is_leaving = await connection.fetchval("SELECT 1 FROM leaving LIMIT 1") is not None
    return [row["trace"] for row in found], found[-1]["number"] if found and not is_leaving else 0


def _nothing(_: sqlite3.Connection) -> None:
    """The work of a flush: only what is queued is committed."""


def _is_busy(error: BaseException) -> bool:
    """True if another program holds the write lock."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


class _Write:
    """A queued write, with its result or error once it was committed or rolled back."""

    __slots__ = ("_error", "_is_behind", "_result", "is_done", "work")

    def __init__(self, work: _Raw[Any], *, is_behind: bool = False) -> None:
        self.work = work
        self.is_done = False
        self._is_behind = is_behind
        self._result: Any = None
        self._error: BaseException | None = None

    def end(self, result: Any = None, *, error: BaseException | None = None) -> None:
        """Set the outcome: committed with that result, or rolled back for that error."""
        self._result, self._error, self.is_done = result, error, True

    def is_retried(self) -> bool:
        """True for a write behind that a retry may commit; logs one that is lost."""
        if not self._is_behind or isinstance(self._error, sqlite3.OperationalError | OSError):
            return self._is_behind
        log.error("what was written behind is lost: %s", type(self._error).__name__)
        return False

    def outcome(self) -> Any:
        """The result; raises the error."""
        if self._error is not None:
            raise self._error
        return self._result


class _Readers:
    """A pool of threads, each with a read-only connection."""

    def __init__(self, path: Path, threads: int, is_closed: Callable[[], bool]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="reading")
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._open = partial(_reader, path, is_closed)

    async def run(self, work: Work[T]) -> T:
        """Run a work on one snapshot, as soon as a thread is free."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    async def close(self) -> None:
        """Interrupt the reads in progress, wait for them, and close the connections."""
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
        for connection in self._opened:
            connection.close()

    def _read(self, work: Work[T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._open()
            self._opened.append(connection)
        with _transaction(connection, "BEGIN"):
            return run(work, connection)


def _reader(path: Path, is_closed: Callable[[], bool]) -> sqlite3.Connection:
    """A read-only connection, whose statement is interrupted once the database is closed."""
    where = f"{path.resolve().as_uri()}?mode=rw"  # no new file in place of a lost one
    connection = sqlite3.connect(
        where, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    connection.execute("PRAGMA query_only = ON")
    connection.set_progress_handler(is_closed, _STEPS)
    return connection


async def _opened(path: Path, patience: float, *, copies: bool = True) -> sqlite3.Connection:
    """Open the connection in a short-lived thread, so that a failure leaves no thread behind.

    If the caller is cancelled, the connection is closed as soon as it is open.
    """
    opening = asyncio.ensure_future(asyncio.to_thread(_connect, path, patience, copies=copies))
    try:
        await asyncio.wait((opening,))
    except asyncio.CancelledError:
        opening.add_done_callback(_close_unused)
        raise
    return opening.result()


def _close_unused(opening: asyncio.Future[sqlite3.Connection]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _connect(path: Path, patience: float, *, copies: bool = True) -> sqlite3.Connection:
    try:
        # One thread opens it, and another uses it, but never two at a time.
        make_private(path)
        head = _head_of(path)
        set_foreign_log_aside(path, head)
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path, head, copies=copies)
        except BaseException:
            connection.close()
            raise
    except schema.ForeignDatabaseError:
        raise DatabaseUnusable(path, "it belongs to another program") from None
    except (sqlite3.Error, OSError) as error:
        raise refusal(path, error) from error
    warn_of_readers(path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock")))
    return connection


def _scan(connection: sqlite3.Connection, path: Path, head: bytes) -> None:
    """Raises `BrokenPagesError` for a small file, and `DatabaseDamaged` for a truncated large one."""
    log_file = log_of(path)
    if path.stat().st_size > SCAN_LIMIT:
        pages, size = int.from_bytes(head[28:32], "big"), int.from_bytes(head[16:18], "big")
        is_whole = path.stat().st_size >= pages * (65_536 if size == 1 else size)
        if not is_whole and not (log_file.exists() and log_file.stat().st_size):
            raise DatabaseDamaged(path)
        return
    refuse_broken_pages(connection, "quick_check")


def _head_of(path: Path) -> bytes:
    """The file's header, read before SQLite opens the file.

    Closing the file later would release SQLite's POSIX locks, which belong to the process: then another
    program that closes the database would take itself for the last one, and delete the write-ahead log.
    """
    with path.open("rb") as file:
        return file.read(_HEADER)


def _prepare(connection: sqlite3.Connection, path: Path, head: bytes, *, copies: bool) -> None:
    schema.check(connection)
    _scan(connection, path, head)
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise DatabaseUnusable(path, "a write-ahead log cannot be used there, as on most network volumes")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_KEPT}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    found, known = schema.version(connection), schema.newest()
    is_upgrade = 0 < found < known
    if is_upgrade:
        log.info("the database %s is upgraded from schema %d to %d", path, found, known)
        if copies:
            copy = copy_before_upgrade(path, connection, found, known)
            log.info(_TO_GO_BACK, copy, path)
        else:
            log.info("no copy of it is made: to go back takes a backup of yours")
    with _transaction(connection, "BEGIN IMMEDIATE"):
        # Check again under the write lock: two bots may be starting.
        schema.check(connection)
        schema.migrate(connection)
    if is_upgrade:
        log.info("the database is of schema %d now", known)


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some failures, such as a full disk, SQLite has already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
