"""The SQLite file: opening it safely, and transactions that nothing can come between.

A connection lives in a thread of its own. A transaction is one plain function that runs there from its first
statement to its commit, so tasks cannot interleave inside it. The file is in WAL mode, so that a reader waits
for no writer, and synchronous=FULL, so that what was committed is on the disk. What is deleted is overwritten
(secure_delete), since it may be about somebody who wishes to be forgotten.

There are connections for writing, for what play reads, and for what the standings read, which takes longer:
none of these three waits for another. What takes seconds, as an export does, gets one for itself.

aiosqlite gives the thread and the queue before it. One of its parts that are not public is used, `_execute`,
which runs a function in the thread: all its public calls are made of it, and none of them takes a function.
The project file allows only versions that were tried; `tests/bot/store/test_database.py` holds both.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from cachetools import LRUCache

from bot.model.errors import DatabaseDamaged, DatabaseUnusable, StoreUnavailable
from bot.store.sqlite import schema
from bot.store.sqlite.damage import as_text
from bot.store.sqlite.gaps import Gaps
from bot.store.sqlite.privacy import make_private, warn_of_readers

log = logging.getLogger(__name__)

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]
"""What a transaction does. It may be run in any thread and must not keep the connection."""

_REMEMBERED = 20_000
"""Results that `recall` keeps."""

_STUDYING = 2
"""Threads for what the standings read."""

_ALONE = 2
"""Reads that take seconds, at once."""

_STEPS = 20_000
"""Instructions of SQLite's between two looks at whether the database was closed; some take a microsecond."""

_SCRUBBING = 100
"""Milliseconds for which the writer waits for those who read, while the write-ahead log is emptied."""

_WIPED = 100
"""Pages that are wiped under one write lock."""

_LOOKED_THROUGH = 32 * 2**20
"""Bytes of a file that is looked through at each start, in some tenths of a second."""

_HEADER = 100
"""Bytes of SQLite's header, in which the size of a page and their number stand."""

PATIENCE = 0.8
"""Seconds to wait for another program's lock: an answer to Discord is due within three, and a stop in two."""


def person_key(user: int) -> Hashable:
    """The key by which `Database.recall` keeps the settings of a person."""
    return "person", user


class Database:
    """A connection whose transactions are whole functions."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, worker: aiosqlite.Connection, *, behind: float
    ) -> None:
        """A connection that is open, and the thread that has it; `open` is the way to get both."""
        self._path = path
        self._connection = connection
        self._worker = worker
        self._closed = False
        self._is_damaged = False
        self._when_damaged: Callable[[], object] = lambda: None
        self._readers = _Readers(path, 1, lambda: self._closed)
        self._students = _Readers(path, _STUDYING, lambda: self._closed)
        self._alone = asyncio.Semaphore(_ALONE)
        self._gaps: Gaps | None = None
        self._wiping = asyncio.Lock()
        self._behind = behind
        self._catching_up: asyncio.Task[None] | None = None
        self._remembered: LRUCache[Hashable, Any] = LRUCache(_REMEMBERED)
        self._waiting: deque[_Write] = deque()
        """Writes that the thread has not come to."""
        self._outdated = 0
        """How often something was outdated: what was read before that is not remembered."""

    @classmethod
    async def open(cls, path: Path, patience: float = PATIENCE, *, behind: float = 0.0) -> Database:
        """Open the file, or make a new one, and bring its schema up to date.

        `patience` is how long to wait for another program's lock, and `behind` how long what is written
        behind waits for another write, in seconds. Raises `DatabaseTooNew` and `DatabaseUnusable`, and then
        the file is as it was.
        """
        connection = await _opened(path, patience)
        worker = await aiosqlite.Connection(lambda: connection, iter_chunk_size=64)
        return cls(path, connection, worker, behind=behind)

    async def close(self) -> None:
        """Finish what has been asked for, but wait for no other program's lock, and let the file go.

        A second time it does nothing.
        """
        if not self._closed:
            self._closed = True
            if self._catching_up is not None:
                self._catching_up.cancel()
            if self._waiting:
                with suppress(StoreUnavailable):  # those who wait for a write are told by themselves
                    await self._write(_nothing)
            await self._readers.close()
            await self._students.close()
            await self._worker.close()
            if self._gaps is not None:
                self._gaps.close()

    def when_damaged(self, call: Callable[[], object]) -> None:
        """Call that as soon as somebody comes upon a broken page."""
        self._when_damaged = call

    def refuse_if_damaged(self) -> None:
        """Raises `DatabaseDamaged` if somebody has come upon a broken page."""
        if self._is_damaged:
            raise DatabaseDamaged(self._path)

    async def read(self, work: Work[T]) -> T:
        """Run `work` on one unchanging state of the database. Raises `StoreUnavailable`.

        It may not write, and play waits for it: it is to take a millisecond or so.
        """
        return await self._reading(partial(self._readers.run, work))

    async def study(self, work: Work[T]) -> T:
        """The same for what nobody's move waits for. Raises `StoreUnavailable`."""
        return await self._reading(partial(self._students.run, work))

    async def at_length(self, work: Work[T]) -> T:
        """The same for what takes seconds: every statement reads what is there when it begins.

        A state that stayed unchanged for so long would keep the write-ahead log from being emptied. Raises
        `StoreUnavailable`.
        """

        def apart() -> T:
            with closing(_reader(self._path, lambda: self._closed)) as connection:
                return work(connection)

        async with self._alone:
            return await self._reading(partial(asyncio.to_thread, apart))

    async def recall(self, key: Hashable, work: Work[T]) -> T:
        """What `work` reads, from memory as long as nobody calls `outdate` with that `key`.

        Raises `StoreUnavailable`.
        """
        if key in self._remembered and not self._closed:
            remembered: T = self._remembered[key]
            return remembered
        outdated = self._outdated
        found = await self.read(work)
        if outdated == self._outdated:
            self._remembered[key] = found
        return found

    def outdate(self, key: Hashable) -> None:
        """What is remembered for `key` may have changed: to be called after a write, done or not."""
        self._outdated += 1
        self._remembered.pop(key, None)

    async def write(self, work: Work[T]) -> T:
        """Run `work` as the only writer and commit it, or, if it raises anything, undo it.

        All writes that wait when the thread is free are committed together (group commit), since a commit
        waits for the disk, many times longer than `work` takes. Where one of them fails each is run by
        itself, so `work` may be run twice. Raises `StoreUnavailable`, and what `work` raises.
        """
        self._refuse_if_closed()  # before it waits: another write would commit it, and its caller not know
        return await self._write(work)

    async def _write(self, work: Work[T]) -> T:
        write = _Write(work)
        self._waiting.append(write)
        result: T = await self._asked(lambda: self._committed(write))
        return result

    def write_behind(self, work: Work[None]) -> None:
        """Let `work` be committed with the next write, or after some seconds by itself.

        For what may be lost with the process: it saves a transaction of its own, and a wait for the disk.
        All that is written later comes after it. What reads it calls `catch_up` first. When it fails because
        the file cannot be written it is tried again; `work` must raise nothing by itself. Raises
        `StoreUnavailable` when the database is closed.
        """
        self._refuse_if_closed()
        self._waiting.append(_Write(work, is_behind=True))
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up_late())

    async def catch_up(self) -> None:
        """Commit what is written behind. Raises `StoreUnavailable`, and then it still waits."""
        if self._waiting:
            await self.write(_nothing)

    async def _catch_up_late(self) -> None:
        try:
            await asyncio.sleep(self._behind)
        finally:
            self._catching_up = None
        try:
            await self.catch_up()
        except StoreUnavailable as error:
            log.info("written later: %s", error)

    async def apart(self, work: Work[T]) -> T:
        """Run `work`, which no transaction may surround, such as rewriting the file, while all others wait.

        Raises `StoreUnavailable`.
        """
        return await self._in_thread(lambda: work(self._connection))

    async def empty_write_ahead_log(self) -> None:
        """Copy all that was committed into the file itself, and cut the write-ahead log down to nothing.

        Raises `StoreUnavailable` too if somebody reads it for longer than others should wait to write.
        """
        await self.apart(_empty_write_ahead_log)

    async def wipe(self, traces: Collection[bytes]) -> None:
        """Take these traces of what was deleted out of the unused parts of the file (`sqlite.gaps`).

        Others read and write meanwhile, but for some milliseconds. Raises `StoreUnavailable`.
        """
        async with self._wiping:
            gaps = self._gaps = self._gaps or Gaps(self._path)
            pages = await self._reading(partial(asyncio.to_thread, gaps.search, traces))
            for first in range(0, len(pages), _WIPED):
                await self.apart(partial(self._wipe, gaps, pages[first : first + _WIPED]))

    def _wipe(self, gaps: Gaps, pages: list[int], connection: sqlite3.Connection) -> None:
        _empty_write_ahead_log(connection)
        with _transaction(connection, "BEGIN IMMEDIATE"):
            if self._path.with_name(f"{self._path.name}-wal").stat().st_size:
                raise StoreUnavailable("another program has written meanwhile")
            gaps.wipe(pages)
        connection.execute("PRAGMA shrink_memory")  # or the pages would be written as they are remembered

    def _committed(self, write: _Write) -> Any:
        """The result of a write, which is committed with all that wait if that was not done before."""
        if not write.is_done:
            batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
            self._commit(batch)
        return write.outcome()

    def _commit(self, batch: list[_Write]) -> None:
        """Commit the batch as one transaction, or, where one of its writes failed, each as its own.

        All of them have waited for another program's lock at once: where it was not let go, all fail.
        """
        parts = [batch]
        while parts:
            part = parts.pop(0)
            try:
                with _transaction(self._connection, "BEGIN IMMEDIATE"):
                    results = [write.work(self._connection) for write in part]
            except BaseException as error:  # noqa: BLE001 -- raised where the write was asked for
                if _is_busy(error):
                    part += [write for rest in parts for write in rest]
                    parts = []
                elif len(part) > 1:
                    parts = [[write] for write in part]
                    continue
                for write in part:
                    write.end(error=error)
                self._waiting.extendleft(filter(_Write.is_to_be_repeated, reversed(part)))
            else:
                for write, result in zip(part, results, strict=True):
                    write.end(result)

    def _unavailable(self, error: Exception) -> StoreUnavailable:
        if _is_corrupt(error) and not self._is_damaged:
            self._is_damaged = True
            self._when_damaged()
        return StoreUnavailable(str(error))

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    async def _reading(self, reading: Callable[[], Awaitable[T]]) -> T:
        try:
            self._refuse_if_closed()
            return await reading()
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a fault in this program, which no second try can mend
        except (sqlite3.Error, OSError) as error:
            raise self._unavailable(error) from error

    async def _in_thread(self, call: Callable[[], T]) -> T:
        self._refuse_if_closed()
        return await self._asked(call)

    async def _asked(self, call: Callable[[], T]) -> T:
        def in_turn() -> T:
            if self._closed:
                # Closed meanwhile: each of those that still wait for their turn would wait for the lock.
                self._connection.execute("PRAGMA busy_timeout = 0")
            return call()

        # A closure, because the debug log of aiosqlite prints arguments, and ours may hold cards.
        try:
            result: T = await self._worker._execute(in_turn)  # type: ignore[no-untyped-call]  # noqa: SLF001 -- see above
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a fault in this program, which no second try can mend
        except (sqlite3.Error, OSError) as error:
            raise self._unavailable(error) from error
        return result


def _empty_write_ahead_log(connection: sqlite3.Connection) -> None:
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_SCRUBBING}")
    try:
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    if is_busy:
        raise StoreUnavailable("the write-ahead log is being read")


def _nothing(_: sqlite3.Connection) -> None:
    """Write nothing but what waits."""


def _is_busy(error: BaseException) -> bool:
    """Whether another program holds the database."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


class _Write:
    """A write that waits for its commit, and what became of it."""

    __slots__ = ("_error", "_is_behind", "_result", "is_done", "work")

    def __init__(self, work: Work[Any], *, is_behind: bool = False) -> None:
        self.work = work
        self.is_done = False
        self._is_behind = is_behind
        self._result: Any = None
        self._error: BaseException | None = None

    def end(self, result: Any = None, *, error: BaseException | None = None) -> None:
        """It was committed with that result, or undone for that error."""
        self._result, self._error, self.is_done = result, error, True

    def is_to_be_repeated(self) -> bool:
        """Whether nobody waits for it, and another try may help."""
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
    """Threads with a connection each, which cannot write."""

    def __init__(self, path: Path, threads: int, is_closed: Callable[[], bool]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="reading")
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._open = partial(_reader, path, is_closed)

    async def run(self, work: Work[T]) -> T:
        """Run `work` on one unchanging state of the database, as soon as a thread is free."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    async def close(self) -> None:
        """Wait for what is under way, which is broken off, and let the file go."""
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
        for connection in self._opened:
            connection.close()

    def _read(self, work: Work[T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._open()
            self._opened.append(connection)
        with _transaction(connection, "BEGIN"):
            return work(connection)


def _reader(path: Path, is_closed: Callable[[], bool]) -> sqlite3.Connection:
    """A connection that reads, and breaks off what it is doing once the database is closed."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    connection.execute("PRAGMA query_only = ON")
    connection.set_progress_handler(is_closed, _STEPS)
    return connection


async def _opened(path: Path, patience: float) -> sqlite3.Connection:
    """The connection, opened in a thread that ends with it: a failure leaves no other thread behind.

    A caller that is cancelled meanwhile leaves the connection to be closed.
    """
    opening = asyncio.ensure_future(asyncio.to_thread(_connect, path, patience))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_unused)
        raise


def _close_unused(opening: asyncio.Future[sqlite3.Connection]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    try:
        # It is opened in one thread and used in another, but never in two at once.
        make_private(path)
        head = _head_of(path)
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path, head)
        except BaseException:
            connection.close()
            raise
    except schema.ForeignDatabaseError:
        raise DatabaseUnusable(path, "it belongs to another program") from None
    except (sqlite3.Error, OSError) as error:
        if _is_corrupt(error):
            raise DatabaseDamaged(path) from error
        raise DatabaseUnusable(path, str(error)) from error
    warn_of_readers(path)
    return connection


def _look_through(connection: sqlite3.Connection, path: Path, head: bytes) -> None:
    """Raises `DatabaseDamaged` for broken pages: all are looked at if they are few, else what they are."""
    log_file = path.with_name(f"{path.name}-wal")
    if path.stat().st_size > _LOOKED_THROUGH:
        pages, size = int.from_bytes(head[28:32], "big"), int.from_bytes(head[16:18], "big")
        is_whole = path.stat().st_size >= pages * (65_536 if size == 1 else size)
        if not is_whole and not (log_file.exists() and log_file.stat().st_size):
            raise DatabaseDamaged(path)
        return
    connection.execute("PRAGMA ignore_check_constraints = ON")  # what rows say is looked at elsewhere
    found = [row[0] for row in connection.execute("PRAGMA quick_check")]
    connection.execute("PRAGMA ignore_check_constraints = OFF")
    # Of single rows it says which values are of another type than their column; those are read as they are.
    if any(" value in " not in line and line != "ok" for line in found):
        raise DatabaseDamaged(path)


def _head_of(path: Path) -> bytes:
    """The file's header, read before SQLite opens it.

    Closing it later would let go of SQLite's locks, which on POSIX belong to the process: then another
    program that reads and closes the file takes itself for the last one, and deletes the write-ahead log.
    """
    with path.open("rb") as file:
        return file.read(_HEADER)


def _is_corrupt(error: BaseException) -> bool:
    """Whether pages of the file are broken, or it is none of SQLite's any more."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def _prepare(connection: sqlite3.Connection, path: Path, head: bytes) -> None:
    schema.check(connection)
    _look_through(connection, path, head)
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    schema.rewrite(connection)
    with _transaction(connection, "BEGIN IMMEDIATE"):
        # Looked at again now that nobody else can write: two bots may be starting at once.
        schema.check(connection)
        schema.migrate(connection)


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some failures, such as a full disk.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
