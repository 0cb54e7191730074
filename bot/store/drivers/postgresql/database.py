"""A pool of connections to a PostgreSQL database, and transactions with retries.

After a lost connection, or while the server restarts, a call is retried for 0.8 s; then it raises
`StoreUnavailable`. A transaction is retried from its beginning, because the server has rolled it back. If the
connection is lost in the commit itself, the write queries the outcome by its token (`commits`). So nothing is
done twice, nothing that was committed is reported as failed, and nothing else as committed. If the server
does not tell the outcome in time, the write raises `OutcomeUnknown`. `failures` says what each error means.

PostgreSQL's texts cannot hold a NUL, which Discord does not send, but which a name copied from SQLite may
have. NUL is stored as U+FFFF, a noncharacter, and "0"; U+FFFF as U+FFFF and "1".
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg

from bot.concurrency.keyed_locks import KeyedLocks
from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable, OutcomeUnknown, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.base import BaseDatabase
from bot.store.drivers.postgresql import commits, schema
from bot.store.drivers.postgresql.dialect import PostgresConnection
from bot.store.drivers.postgresql.failures import (
    FAILURES,
    NO_ADDRESS,
    NO_SESSIONS,
    Kind,
    NoSessionError,
    kind_of,
    reason,
    unusable,
    without_values,
)

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

LONGEST_IN_PLAY = 3.0
"""Time limit (s) of a transaction that play waits for, and of its commit: a lost server is silent."""

_PAUSE = 0.05
"""Delay (s) between two attempts to connect."""

_TRIES = 5
"""Attempts at a transaction that conflicts with another one."""

_TABLES_WITH_PEOPLE = (
    *("games", "seats", "posts", "votes", "choices", "decks", "salts", "people", "declined", "hidden"),
    *("result_seats", "careers", "computer_records", "tallies", "ratings", "leaving"),
    *("daily_answers", "daily_here", "drills", "squares", "squares_shared", "club_entrants"),
)
"""Tables from which a person's data may have been deleted."""

ALIVE = 5.0
"""Interval (s) of the keep-alive query in `until_lost`."""

_PATIENT = 10.0
"""Time limit (s) of connecting at the start."""


class _BehindError(Exception):
    """A queued work raised an error of its own; it is dropped."""


_IDENTITY = """
    SELECT concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_database.oid)
    FROM pg_control_system(), pg_database WHERE datname = current_database()
"""
"""The name of a file of the log begins with the timeline. `pg_control_checkpoint` has the one before until a
standby that was promoted has made its first checkpoint, which may take minutes.
"""

_HIDES_IDENTITY = (
    asyncpg.FeatureNotSupportedError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.UndefinedFunctionError,
)
"""Errors of a server that has no such functions, or forbids them: its identity is unknown."""


class PostgresDatabase(BaseDatabase):
    """See `bot.store.connection.Database`. Several processes may write at once (`fence`)."""

    def __init__(self, address: PostgresAddress, *, patience: float, behind: float) -> None:
        """`open` makes one with an open pool."""
        super().__init__(behind)
        self._address = address
        self._patience = patience
        self._pool: Any = asyncpg.create_pool(
            address.url,
            min_size=0,
            max_size=_CONNECTIONS,
            connection_class=PostgresConnection,
            init=self._join,
            reset=_no_reset,
            command_timeout=_LONGEST,
        )
        self._is_denied = False
        """True once the log says that the server does not let the bot in, until it does."""
        self._slow_reads = asyncio.Semaphore(_SLOW_READS)
        self._long_reads = asyncio.Semaphore(_LONG_READS)
        self._locks = KeyedLocks()
        self._waiting: defaultdict[str, list[Work[None]]] = defaultdict(list)
        """By game: works queued by `write_behind`."""
        self._writing: set[str] = set()
        """Games whose queued works are being written."""
        self._member: int | None = None
        self._tokens = commits.Tokens()
        self._identity: str | None = None
        """Identity of the connection that has joined the pool last, once one has."""
        self._when_another: Callable[[], object] = lambda: None

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
        `write_behind` waits for another write. Raises `DatabaseTooNew`, `DatabaseOfDevelopment`
        and `DatabaseUnusable`.
        """
        try:
            async with connected(address, patience=max(patience, PATIENCE)) as connection:
                await schema.bring_up_to_date(connection, address)
                await commits.prune(connection)
            database = cls(address, patience=patience, behind=behind)
            await database._pool
        except FAILURES as error:
            raise unusable(address, error) from None
        return database

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
        except FAILURES:
            self._pool.terminate()

    async def read_one(self, work: Work[T]) -> T:
        """See `Database.read_one`. It needs no transaction."""
        return await self._repeated(lambda: self._read_one(work))

    async def read(self, work: Work[T]) -> T:
        """See `Database.read`."""
        return await self._repeated(lambda: self._read(work, LONGEST_IN_PLAY))

    async def read_slow(self, work: Work[T]) -> T:
        """See `Database.read_slow`."""
        async with self._slow_reads:
            return await self._repeated(lambda: self._read(work, None))

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
        """See `Database.identity`. Each connection is asked as it joins the pool."""
        self.refuse_if_closed()
        if self._identity is None:
            await self.read_one(_nothing)
        return self._identity or ""

    def when_another(self, call: Callable[[], object]) -> None:
        """Register a callback for a connection whose identity is another than that of the last one."""
        self._when_another = call

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

    async def _join(self, connection: Any) -> None:
        """Prepare a connection that joins the pool. Raises `FAILURES`."""
        await _prepare(connection, patience=self._patience)
        self._is_denied = False
        before, self._identity = self._identity, await _identity_of(connection)
        if before not in {None, self._identity}:
            self.clear_cache()
            self._when_another()

    async def _repeated(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Retry lost connections for `_patience`, and conflicts `_TRIES` times. Raises `StoreUnavailable`."""
        self.refuse_if_closed()
        until = time.monotonic() + self._patience
        tries = 1
        while True:
            try:
                with without_values():
                    return await attempt()
            except Exception as error:
                match kind_of(error):
                    case Kind.FAULT:
                        raise
                    case Kind.CONFLICT if tries < _TRIES:
                        tries += 1
                    case Kind.LOST if not self.closed and time.monotonic() < until:
                        await asyncio.sleep(_PAUSE)
                    case kind:
                        if kind is Kind.DENIED:
                            self._tell_denied(error)
                        raise StoreUnavailable(reason(error)) from error

    def _tell_denied(self, error: Exception) -> None:
        if not self._is_denied:
            self._is_denied = True
            log.error("the database does not let the bot in any more: %s", reason(error))

    @asynccontextmanager
    async def _acquired(self) -> AsyncIterator[Any]:
        """A connection of the pool, closed after an error that leaves its transaction in any state.

        Once the caller is done with it, nothing that fails with it matters to them.
        """
        connection = await self._pool.acquire(timeout=self._patience)
        try:
            yield connection
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError | OutcomeUnknown) or kind_of(error) is Kind.LOST:
                _terminate(connection)
            raise
        finally:
            with suppress(*FAILURES):
                await self._pool.release(connection)

    async def _read_one(self, work: Work[T]) -> T:
        async with self._acquired() as connection, asyncio.timeout(LONGEST_IN_PLAY):
            return await work(connection)

    async def _read(self, work: Work[T], longest: float | None) -> T:
        async with (
            self._acquired() as connection,
            asyncio.timeout(longest),
            _begun(connection.transaction(isolation="repeatable_read", readonly=True)) as transaction,
        ):
            result = await work(connection)
            await transaction.commit()
        return result

    async def _written(self, work: Work[T], before: list[Work[None]]) -> T:
        async with self._acquired() as connection:
            token, transaction = self._tokens.take(), connection.transaction()
            try:
                async with asyncio.timeout(LONGEST_IN_PLAY), _begun(transaction):
                    await commits.store(connection, token, self._member)
                    await _run(before, connection)
                    result = await work(connection)
            except Exception as error:
                if kind_of(error) is not Kind.LOST:
                    self._tokens.give_back(token)  # it is rolled back
                raise
            try:
                async with asyncio.timeout(LONGEST_IN_PLAY):
                    await transaction.commit()
            except Exception as error:
                if kind_of(error) is not Kind.LOST:
                    raise
                stands = await self._was_committed(token)
                log.info("the connection was lost in a commit, which %s", "stands" if stands else "is undone")
                if not stands:
                    raise
                _terminate(connection)  # its release would wait for the answer
            self._tokens.give_back(token)
        return result

    async def _was_committed(self, token: commits.Token) -> bool:
        """True if the transaction was committed, although the connection was lost in its commit.

        Raises `OutcomeUnknown` if the server does not say so in time.
        """
        patience = max(self._patience, PATIENCE)
        try:
            async with asyncio.timeout(2 * patience):
                while True:
                    try:
                        async with connected(self._address, within=patience) as connection:
                            return await commits.was_committed(connection, token)
                    except Exception as error:
                        if kind_of(error) is Kind.FAULT:
                            log.exception("the outcome of a commit cannot be asked")
                            break
                    await asyncio.sleep(_PAUSE)
        except TimeoutError:
            pass
        raise OutcomeUnknown("the server does not tell whether a commit stands")


def _terminate(connection: Any) -> None:
    """Close a connection of the pool at once, unless it is closed."""
    with suppress(asyncpg.InterfaceError):
        connection.terminate()


@asynccontextmanager
async def _begun(transaction: Any) -> AsyncIterator[Any]:
    """Begin the transaction, and roll it back after an error, unless that has ended its connection."""
    await transaction.start()
    try:
        yield transaction
    except Exception as error:
        if kind_of(error) is not Kind.LOST:
            await transaction.rollback()
        raise


@asynccontextmanager
async def connected(
    address: PostgresAddress,
    *,
    within: float = _PATIENT,
    longest: float | None = _LONGEST,
    patience: float = PATIENCE,
    writes: bool = True,
) -> AsyncIterator[Any]:
    """A connection outside the pool. Raises `FAILURES`.

    `within` is the time limit (s) of connecting, `longest` of a statement, and `patience` of a lock. Unless
    it `writes`, the server may be a standby.
    """
    try:
        connection = await asyncpg.connect(
            address.url,
            timeout=within,
            command_timeout=longest,
            connection_class=PostgresConnection,
        )
    except (ValueError, OverflowError) as error:  # an invalid port
        raise asyncpg.ClientConfigurationError(NO_ADDRESS) from error
    try:
        await _prepare(connection, patience=patience, writes=writes)
        yield connection
    finally:
        try:
            await connection.close(timeout=PATIENCE)
        except FAILURES:
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
        raise DatabaseUnusable(address, NO_SESSIONS)


@asynccontextmanager
async def _unprepared(address: PostgresAddress) -> AsyncIterator[Any]:
    """A connection that keeps nothing on the server, as named statements. Raises `FAILURES`."""
    try:
        connection = await asyncpg.connect(address.url, timeout=_PATIENT, statement_cache_size=0)
    except (ValueError, OverflowError) as error:  # an invalid port
        raise asyncpg.ClientConfigurationError(NO_ADDRESS) from error
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


async def _prepare(connection: Any, *, patience: float, writes: bool = True) -> None:
    """Apply the settings of a session, and check them, and that the server `writes`. Raises `FAILURES`.

    A pooler may refuse the settings as parameters of the connection, or ignore them.
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
        raise NoSessionError(NO_SESSIONS)
    if writes and await connection.fetchval("SHOW transaction_read_only") != "off":
        raise asyncpg.ReadOnlySQLTransactionError("the server takes no writes")
    await connection.set_type_codec(
        "text", schema="pg_catalog", encoder=_encoded, decoder=_decoded, format="binary"
    )


async def _identity_of(connection: Any) -> str:
    """See `Database.identity`; empty if the server does not tell. Raises `FAILURES`."""
    try:
        found: str = await connection.fetchval(_IDENTITY)
    except _HIDES_IDENTITY:
        return ""
    return found


async def _no_reset(_: Connection) -> None:
    """Skip asyncpg's reset query: no transaction leaves session state behind."""


async def _run(works: list[Work[None]], connection: Connection) -> None:
    try:
        for work in works:
            await work(connection)
    except Exception as error:
        if kind_of(error) is Kind.FAULT:
            raise _BehindError from error
        raise


async def _nothing(_: Connection) -> None:
    """The work of a flush, for what is queued alone, and of a read that only wants a connection."""


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
