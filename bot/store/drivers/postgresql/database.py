"""A pool of connections to a PostgreSQL database, and transactions with retries.

After a lost connection, or while the server restarts, a call is retried for 0.8 s; then it raises
`StoreUnavailable`. A transaction is retried from its beginning, because the server has rolled it back. If the
connection is lost in the commit itself, the write queries the outcome by its token (`commits`). So nothing is
done twice, nothing that was committed is reported as failed, and nothing else as committed.

PostgreSQL's texts cannot hold a NUL, which Discord does not send, but which a name copied from SQLite may
have. NUL is stored as U+FFFF, a noncharacter, and "0"; U+FFFF as U+FFFF and "1".
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import asyncpg

from bot.concurrency.keyed_locks import KeyedLocks
from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.base import BaseDatabase
from bot.store.drivers.postgresql import commits, schema
from bot.store.drivers.postgresql.dialect import PostgresConnection

log = logging.getLogger(__name__)

T = TypeVar("T")


PATIENCE = 0.8
"""Time (s) to wait for a connection or a lock: an answer to Discord is due within three."""

_CONNECTIONS = 12
"""Size of the pool; `read_slow` takes at most `_SLOW_READS` of it. The lock has its own connection."""

_SLOW_READS = 3

_LONG_READS = 2
"""Concurrent calls of `read_long`, each with a connection of its own."""

_LONGEST = 10.0
"""Time limit (s) of a statement outside `read_long`; only a broken network exceeds it."""

_PAUSE = 0.05
"""Delay (s) between two attempts to connect."""

_TRIES = 5
"""Attempts at a transaction that conflicts with another one."""

_TABLES_WITH_PEOPLE = (
    *(
        "games",
        "seats",
        "posts",
        "votes",
        "choices",
        "words",
        "decks",
        "salts",
        "people",
        "declined",
        "hidden",
    ),
    *("result_seats", "careers", "computer_records", "tallies", "ratings", "leaving"),
    *("daily_answers", "daily_here", "drills", "squares", "squares_shared", "club_entrants"),
)
"""Tables from which a person's data may have been deleted."""

_CONFLICTS = (asyncpg.UniqueViolationError, asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""Conflicts with a concurrent transaction: a retry sees what that has written."""

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server is shutting down, or starting
    asyncpg.InternalClientError,
    asyncpg.InterfaceError,  # the connection is closed
    OSError,
    TimeoutError,
)
"""The connection is lost, or none can be made; retried."""

_REFUSED = (asyncpg.InsufficientResourcesError, asyncpg.LockNotAvailableError, asyncpg.PostgresSystemError)
"""The server refuses: its disk is full, or a lock is held; not retried."""

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)
"""All errors of a connection outside the pool."""

ALIVE = 5.0
"""Interval (s) of the keep-alive query in `until_lost`."""

_PATIENT = 10.0
"""Time limit (s) of connecting at the start."""

_NO_ADDRESS = "this is no address of a database"


class _BehindError(Exception):
    """A queued work raised an error of its own; it is dropped."""


_IDENTITY = """
    SELECT concat_ws('/', system_identifier, timeline_id, pg_database.oid)
    FROM pg_control_system(), pg_control_checkpoint(), pg_database WHERE datname = current_database()
"""


class PostgresDatabase(BaseDatabase):
    """See `bot.store.connection.Database`. Several processes may write at once (`fence`)."""

    def __init__(self, address: PostgresAddress, pool: Any, *, patience: float, behind: float) -> None:
        """Takes an open pool; `open` makes one."""
        super().__init__(behind)
        self._address = address
        self._pool = pool
        self._patience = patience
        self._slow_reads = asyncio.Semaphore(_SLOW_READS)
        self._long_reads = asyncio.Semaphore(_LONG_READS)
        self._locks = KeyedLocks()
        self._waiting: defaultdict[str, list[Work[None]]] = defaultdict(list)
        """By game: works queued by `write_behind`."""
        self._writing: set[str] = set()
        """Games whose queued works are being written."""
        self._member: int | None = None
        self._tokens = commits.Tokens()
        self._identity = ""

    def fence(self, member: int | None) -> None:
        """Fence writes by this process's number: they raise `LeaseLost` once it is struck off (`leases`).

        Disables the cache, since other processes write, too.
        """
        self._member = member
        self.clear_cache()

    @property
    def member(self) -> int:
        """The number of this process; 0 if it is the only one."""
        return self._member or 0

    @property
    def address(self) -> PostgresAddress:
        """The database's address."""
        return self._address

    @classmethod
    async def open(
        cls, address: PostgresAddress, patience: float = PATIENCE, *, behind: float = 0.0
    ) -> PostgresDatabase:
        """Connect, and migrate the schema.

        `patience` is the time (s) to wait for a lost connection or a lock, `behind` the time (s) for which
        `write_behind` waits for another write. Raises `DatabaseTooNew` and `DatabaseUnusable`.
        """
        try:
            async with connected(address, patience=max(patience, PATIENCE)) as connection:
                await schema.bring_up_to_date(connection, address)
                await commits.prune(connection)
            pool = await asyncpg.create_pool(
                address.url,
                min_size=0,
                max_size=_CONNECTIONS,
                connection_class=PostgresConnection,
                init=partial(_prepare, patience=patience),
                reset=_no_reset,
                command_timeout=_LONGEST,
            )
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            raise unusable(address, error) from None
        return cls(address, pool, patience=patience, behind=behind)

    async def close(self) -> None:
        """See `Database.close`."""
        if self.closed:
            return
        self.cancel_flush()
        with suppress(StoreUnavailable):
            await self.flush()
        self.closed = True
        try:
            async with asyncio.timeout(self._patience):
                await self._pool.close()
        except (TimeoutError, *_LOST):
            self._pool.terminate()

    async def read_one(self, work: Work[T]) -> T:
        """See `Database.read_one`. It needs no transaction."""
        return await self._repeated(lambda: self._read_one(work))

    async def read(self, work: Work[T]) -> T:
        """See `Database.read`."""
        return await self._repeated(lambda: self._read(work))

    async def read_slow(self, work: Work[T]) -> T:
        """See `Database.read_slow`."""
        async with self._slow_reads:
            return await self.read(work)

    async def read_long(self, work: Work[T]) -> T:
        """See `Database.read_long`."""

        async def on_its_own() -> T:
            async with connected(self._address, longest=None) as connection:
                return await work(connection)

        async with self._long_reads:
            return await self._repeated(on_its_own)

    async def cached(self, key: Hashable, work: Work[T]) -> T:
        """See `Database.cached`. A fenced database caches nothing."""
        if self._member is not None:
            return await self.read_one(work)
        return await super().cached(key, work)

    async def write(self, work: Work[T], *, game: str | None = None) -> T:
        """See `Database.write`."""
        if game is None:
            return await self._repeated(lambda: self._written(work, []))
        async with self._locks.lock(game):
            waiting = self._waiting.pop(game, [])
            self._writing.add(game)
            try:
                result = await self._repeated(lambda: self._written(work, waiting))
                waiting = []
            except _BehindError as error:
                log.error("what was written behind is lost: %s", type(error.__cause__).__name__)  # noqa: TRY400 -- the traceback may name cards
                waiting = []
                return await self._repeated(lambda: self._written(work, []))
            finally:
                self._writing.discard(game)
                if waiting:
                    self._waiting[game][:0] = waiting
                    self.flush_later()
            return result

    async def write_unchecked(self, work: Work[T]) -> T:
        """See `Database.write_unchecked`. No row can violate a constraint here."""
        return await self.write(work)

    def write_behind(self, game: str, work: Work[None]) -> None:
        """See `Database.write_behind`."""
        self.refuse_if_closed()
        self._waiting[game].append(work)
        self.flush_later()

    async def flush(self, game: str | None = None) -> None:
        """See `Database.flush`."""
        due = self._waiting.keys() | self._writing
        for each in sorted(due) if game is None else due & {game}:
            await self.write(_nothing, game=each)

    async def identity(self) -> str:
        """See `Database.identity`. What is cached belongs to the identity before."""
        found = await self.read_one(lambda connection: connection.fetchval(_IDENTITY))
        if found != self._identity:
            self._identity = found
            self.clear_cache()
        return self._identity

    async def renew_identity(self) -> str:
        """See `Database.renew_identity`: the server chooses it."""
        return await self.identity()

    async def scrub(self) -> None:
        """See `Database.scrub`: vacuums the tables with people's data.

        Deleted bytes remain in the server's write-ahead log and in backups until these are overwritten
        (`docs/operating.md`).
        """
        await self.read_long(_vacuum)
        await self.write(lambda connection: connection.execute(_SCRUBBED))

    async def _repeated(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Retry lost connections for `_patience`, and conflicts `_TRIES` times. Raises `StoreUnavailable`."""
        self.refuse_if_closed()
        until = time.monotonic() + self._patience
        tries = 1
        while True:
            try:
                with _without_values():
                    return await attempt()
            except _CONFLICTS as error:
                if tries == _TRIES:
                    raise StoreUnavailable(_reason(error)) from error
                tries += 1
            except _LOST as error:
                if isinstance(error, ValueError):
                    raise  # a bug: asyncpg cannot encode a value
                if self.closed or time.monotonic() >= until:
                    raise StoreUnavailable(_reason(error)) from error
                await asyncio.sleep(_PAUSE)
            except _REFUSED as error:
                raise StoreUnavailable(_reason(error)) from error

    async def _read_one(self, work: Work[T]) -> T:
        async with self._pool.acquire(timeout=self._patience) as connection:
            return await work(connection)

    async def _read(self, work: Work[T]) -> T:
        async with (
            self._pool.acquire(timeout=self._patience) as connection,
            _closed_if_cancelled(connection),
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            return await work(connection)

    async def _written(self, work: Work[T], before: list[Work[None]]) -> T:
        async with (
            self._pool.acquire(timeout=self._patience) as connection,
            _closed_if_cancelled(connection),
        ):
            with self._tokens.of_a_write() as token:
                transaction = connection.transaction()
                await transaction.start()
                try:
                    await commits.store(connection, token, self._member)
                    await _run(before, connection)
                    result = await work(connection)
                except BaseException:
                    with suppress(*_LOST):
                        await transaction.rollback()
                    raise
                try:
                    await transaction.commit()
                except _LOST:
                    stands = await self._was_committed(token)
                    log.info(
                        "the connection was lost in a commit, which %s", "stands" if stands else "is undone"
                    )
                    if not stands:
                        raise
        return result

    async def _was_committed(self, token: commits.Token) -> bool:
        """True if the transaction was committed, although the connection was lost in its commit.

        Raises `StoreUnavailable` if the server does not say so in time.
        """
        until = time.monotonic() + self._patience
        while True:
            try:
                async with connected(self._address, within=self._patience) as connection:
                    return await commits.was_committed(connection, token)
            except (*_LOST, *_REFUSED) as error:
                if time.monotonic() >= until:
                    raise StoreUnavailable(f"{_reason(error)}, in the middle of a commit") from error
            await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def _closed_if_cancelled(connection: Any) -> AsyncIterator[None]:
    """Close the connection of a cancelled call, whose transaction may be in any state."""
    try:
        yield
    except asyncio.CancelledError:
        connection.terminate()
        raise


@asynccontextmanager
async def connected(
    address: PostgresAddress,
    *,
    within: float = _PATIENT,
    longest: float | None = _LONGEST,
    patience: float = PATIENCE,
) -> AsyncIterator[Any]:
    """A connection outside the pool. Raises `FAILURES`.

    `within` is the time limit (s) of connecting, `longest` of a statement, and `patience` of a lock.
    """
    try:
        connection = await asyncpg.connect(
            address.url,
            timeout=within,
            command_timeout=longest,
            connection_class=PostgresConnection,
        )
    except (ValueError, OverflowError) as error:  # an invalid port
        raise asyncpg.ClientConfigurationError(_NO_ADDRESS) from error
    try:
        await _prepare(connection, patience=patience)
        yield connection
    finally:
        try:
            await connection.close(timeout=PATIENCE)
        except _LOST:
            connection.terminate()


async def until_lost(connection: Any) -> None:
    """Wait until the connection is lost. A keep-alive query detects a server that is silently gone."""
    gone = asyncio.Event()
    connection.add_termination_listener(lambda _: gone.set())
    while not gone.is_set():
        try:
            async with asyncio.timeout(ALIVE):
                await gone.wait()
        except TimeoutError:
            await connection.execute("SELECT 1")


def unusable(address: PostgresAddress, error: Exception) -> DatabaseUnusable:
    """The error for a database that cannot be used, without a secret."""
    may_pass = isinstance(error, (*_LOST, *_REFUSED)) and not isinstance(error, ValueError)
    return DatabaseUnusable(address, _reason(error), may_pass=may_pass)


def _reason(error: Exception) -> str:
    """The reason in a few words, without the password or values, which may be cards.

    asyncpg's messages have neither; the server's detail names values, and an address may have a password.
    """
    if isinstance(error, asyncpg.PostgresError):
        return str(error.args[0])
    if isinstance(error, OSError) and not isinstance(error, TimeoutError):
        return f"the server cannot be reached: {error.strerror or type(error).__name__}"
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    if isinstance(error, ValueError):
        return _NO_ADDRESS
    if isinstance(error, _NoSessionError):
        return _NO_SESSIONS
    return f"the connection was lost ({type(error).__name__})"


@contextmanager
def _without_values() -> Iterator[None]:
    """Remove the detail of server errors, which names values: they may be cards, and errors are logged."""
    try:
        yield
    except asyncpg.PostgresError as error:
        error.detail = None
        raise


async def require_sessions(address: PostgresAddress) -> None:
    """Raises `DatabaseUnusable` for a pooler that gives each transaction another connection of the server.

    Without a pooler, and by way of one in session mode, each of two connections keeps a process of the server
    to itself. In another mode two share one, or one has several in turn, however the pooler chooses them.
    """
    try:
        async with _unprepared(address) as first, _unprepared(address) as second:
            own = {await _process_of(first)}
            async with second.transaction():
                others = await second.fetchval(_PROCESS)
                own.add(await _process_of(first))
            for _ in range(2):
                own.add(await _process_of(first))
    except FAILURES as error:
        raise unusable(address, error) from None
    if len(own) > 1 or others in own:
        raise DatabaseUnusable(address, _NO_SESSIONS)


@asynccontextmanager
async def _unprepared(address: PostgresAddress) -> AsyncIterator[Any]:
    """A connection that keeps nothing on the server, as named statements. Raises `FAILURES`."""
    try:
        connection = await asyncpg.connect(address.url, timeout=_PATIENT, statement_cache_size=0)
    except (ValueError, OverflowError) as error:  # an invalid port
        raise asyncpg.ClientConfigurationError(_NO_ADDRESS) from error
    try:
        yield connection
    finally:
        connection.terminate()


async def _process_of(connection: Any) -> int:
    """The number of the server's process that serves a transaction of the connection."""
    async with connection.transaction():
        number: int = await connection.fetchval(_PROCESS)
    return number


_PROCESS = "SELECT pg_backend_pid()"

_NO_SESSIONS = (
    "a pooler gives each transaction another connection of the server, and the bot needs its own: connect to "
    "the server itself, or to a pooler in session mode"
)


class _NoSessionError(asyncpg.InterfaceError):  # type: ignore[misc]  # asyncpg is untyped
    """The settings of a connection are not in force."""


async def _prepare(connection: Any, *, patience: float) -> None:
    """Apply the settings of a session, and check them. Raises `FAILURES`.

    A pooler may refuse them as parameters of the connection, or ignore them.
    """
    settings = {
        "application_name": "fifteen-two",
        "synchronous_commit": "on",
        "lock_timeout": f"{patience * 1000:.0f}ms",
        "idle_in_transaction_session_timeout": "30s",
        "jit": "off",
    }
    applied = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in settings.items())
    asked = ", ".join(f"current_setting('{name}')" for name in settings)
    if tuple(await connection.fetchrow(f"SELECT {applied}")) != tuple(
        await connection.fetchrow(f"SELECT {asked}")
    ):
        raise _NoSessionError(_NO_SESSIONS)
    await connection.set_type_codec(
        "text", schema="pg_catalog", encoder=_encoded, decoder=_decoded, format="binary"
    )


async def _no_reset(_: Connection) -> None:
    """Skip asyncpg's reset query: no transaction leaves session state behind."""


async def _run(works: list[Work[None]], connection: Connection) -> None:
    try:
        for work in works:
            await work(connection)
    except (*_LOST, *_CONFLICTS, *_REFUSED):
        raise
    except Exception as error:
        raise _BehindError from error


async def _nothing(_: Connection) -> None:
    """The work of a flush: only what is queued is committed."""


_SCRUBBED = "DELETE FROM scrubbing WHERE NOT EXISTS (SELECT 1 FROM leaving)"


async def _vacuum(connection: Connection) -> None:
    await connection.execute(f"VACUUM {', '.join(_TABLES_WITH_PEOPLE)}")


def _encoded(text: str) -> bytes:
    if "\0" in text or "\uffff" in text:
        text = text.replace("\uffff", "\uffff1").replace("\0", "\uffff0")
    return text.encode()


def _decoded(text: bytes) -> str:
    found = text.decode()
    return found.replace("\uffff0", "\0").replace("\uffff1", "\uffff") if "\uffff" in found else found
