"""A pool of connections to a PostgreSQL database, and transactions that are retried.

A lost connection is retried for some tenths of a second, as is a server that restarts; then the call raises
`StoreUnavailable`. A transaction is run again from its beginning, because the server has rolled it back. If
the connection is lost in the commit itself, its outcome is unknown: each write knows its transaction id, and
asks the server for the outcome. So nothing is done twice, and nothing that was committed is reported as
failed.

PostgreSQL's texts cannot hold a NUL, which Discord does not send either but a name may have in SQLite. It is
stored as U+FFFF, which is no character, and a digit; U+FFFF itself as U+FFFF and another digit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import asyncpg

from bot.concurrency.keyed_locks import KeyedLocks
from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable, LeaseLost, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.base import BaseDatabase
from bot.store.drivers.postgresql import schema
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
"""Time limit (s) of a statement outside `read_long`; one that takes longer tells of a broken network."""

_PAUSE = 0.05
"""Delay (s) between two attempts to connect."""

_TRIES = 5
"""Attempts at a transaction that conflicts with another one."""

_TABLES_WITH_PEOPLE = (
    *("games", "seats", "posts", "votes", "choices", "words", "decks", "people", "declined", "hidden"),
    *("result_seats", "careers", "computer_records", "tallies", "ratings", "leaving"),
    *("daily_answers", "daily_here", "club_entrants"),
)
"""Tables from which rows about a person may have been deleted."""

_IN_THE_WAY = (asyncpg.UniqueViolationError, asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""Another transaction has written meanwhile what this one could not see: run again, it does."""

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server is shutting down, or starting
    asyncpg.InternalClientError,
    asyncpg.InterfaceError,  # the connection is closed
    OSError,
    TimeoutError,
)
"""The connection is gone, or none can be had; a new one may help."""

_REFUSED = (asyncpg.InsufficientResourcesError, asyncpg.LockNotAvailableError, asyncpg.PostgresSystemError)
"""The server cannot: its disk is full, or somebody holds a lock."""

_NO_ADDRESS = "this is no address of a database"


class _BehindError(Exception):
    """A queued work failed for good; it is dropped."""


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

    def fence(self, member: int | None) -> None:
        """Fence every write by the process's number: it raises `LeaseLost` once that is no member (`leases`).

        Other processes write too then, so nothing is cached.
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
            async with connected(address) as connection:
                await schema.bring_up_to_date(connection, address)
            pool = await asyncpg.create_pool(
                address.url,
                min_size=0,
                max_size=_CONNECTIONS,
                connection_class=PostgresConnection,
                init=_prepare,
                reset=_leave_as_it_is,
                command_timeout=_LONGEST,
                server_settings=_settings(patience),
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
        """See `Database.cached`. Nothing is cached while other processes write, too."""
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
                log.error("what was written behind is lost: %s", type(error.__cause__).__name__)  # noqa: TRY400 -- it may speak of cards
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

    async def scrub(self) -> None:
        """See `Database.scrub`: vacuums the tables in which people stand.

        Their bytes remain in the server's write-ahead log, and in copies, until these are overwritten;
        `docs/operating.md` tells the owner.
        """
        await self.read_long(_vacuum)
        await self.write(lambda connection: connection.execute(_SCRUBBED))

    async def _repeated(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Retry until the connection holds, or for `_patience`."""
        self.refuse_if_closed()
        until = time.monotonic() + self._patience
        tries = 1
        while True:
            try:
                with _keeping_values_back():
                    return await attempt()
            except _IN_THE_WAY as error:
                if tries == _TRIES:
                    raise StoreUnavailable(_reason(error)) from error
                tries += 1
            except _LOST as error:
                if isinstance(error, ValueError):
                    raise  # a fault in this program: asyncpg cannot send a value
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
            transaction = connection.transaction()
            await transaction.start()
            try:
                number = await self._begun(connection)
                await _run(before, connection)
                result = await work(connection)
            except BaseException:
                with suppress(*_LOST):
                    await transaction.rollback()
                raise
            try:
                await transaction.commit()
            except _LOST:
                if not await self._was_committed(number):
                    raise
        return result

    async def _begun(self, connection: Connection) -> str:
        """The number that the server has given to the transaction. Raises `LeaseLost`."""
        if self._member is None:
            number: str | None = await connection.fetchval("SELECT pg_current_xact_id()::text")
        else:  # in one statement; who strikes this process off waits until the transaction has ended
            statement = "SELECT pg_current_xact_id()::text FROM members WHERE number = $1 FOR KEY SHARE"
            number = await connection.fetchval(statement, self._member)
        if number is None:
            raise LeaseLost
        return number

    async def _was_committed(self, number: str) -> bool:
        """True if the transaction was committed in whose commit the connection was lost.

        Raises one of `_LOST` as long as nobody can tell.
        """
        until = time.monotonic() + self._patience
        while True:
            try:
                async with connected(self._address, within=self._patience) as connection:
                    status = await connection.fetchval("SELECT pg_xact_status($1::text::xid8)", number)
            except asyncpg.InvalidParameterValueError:
                return False  # the server has crashed before it wrote down that there was such a one
            except _LOST as error:
                if time.monotonic() >= until:
                    raise StoreUnavailable(f"{_reason(error)}, in the middle of a commit") from error
            else:
                if status != "in progress":
                    return bool(status == "committed")
                if time.monotonic() >= until:
                    raise StoreUnavailable("the server has not said what became of a commit")
            await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def _closed_if_cancelled(connection: Any) -> AsyncIterator[None]:
    """Let nobody have the connection of a cancelled call: its transaction may have just begun or ended."""
    try:
        yield
    except asyncio.CancelledError:
        connection.terminate()
        raise


@asynccontextmanager
async def connected(
    address: PostgresAddress, *, within: float = 10.0, longest: float | None = _LONGEST
) -> AsyncIterator[Any]:
    """A connection of its own. Raises what asyncpg raises.

    `within` is how long connecting may take, and `longest` a statement, in seconds.
    """
    try:
        connection = await asyncpg.connect(
            address.url,
            timeout=within,
            command_timeout=longest,
            server_settings=_settings(PATIENCE),
            connection_class=PostgresConnection,
        )
    except (ValueError, OverflowError) as error:  # a port that is no number, or none that there is
        raise asyncpg.ClientConfigurationError(_NO_ADDRESS) from error
    try:
        await _prepare(connection)
        yield connection
    finally:
        try:
            await connection.close(timeout=PATIENCE)
        except _LOST:
            connection.terminate()


def unusable(address: PostgresAddress, error: Exception) -> DatabaseUnusable:
    """Why the bot cannot use the database, without anything secret."""
    return DatabaseUnusable(address, _reason(error))


def _reason(error: Exception) -> str:
    """The reason in a few words; asyncpg's messages name no password, but an address might.

    What the server has to say in detail names values, which may be cards.
    """
    if isinstance(error, asyncpg.PostgresError):
        return str(error.args[0])
    if isinstance(error, OSError) and not isinstance(error, TimeoutError):
        return f"the server cannot be reached: {error.strerror or type(error).__name__}"
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    if isinstance(error, ValueError):
        return _NO_ADDRESS
    return f"the connection was lost ({type(error).__name__})"


@contextmanager
def _keeping_values_back() -> Iterator[None]:
    """Let no error name values, as the server does in detail: they may be cards, and errors are logged."""
    try:
        yield
    except asyncpg.PostgresError as error:
        error.detail = None
        raise


def _settings(patience: float) -> dict[str, str]:
    return {
        "application_name": "fifteen-two",
        "synchronous_commit": "on",
        "lock_timeout": f"{patience * 1000:.0f}ms",
        "idle_in_transaction_session_timeout": "30s",
        "jit": "off",
    }


async def _prepare(connection: Any) -> None:
    await connection.set_type_codec(
        "text", schema="pg_catalog", encoder=_encoded, decoder=_decoded, format="binary"
    )


async def _leave_as_it_is(_: Connection) -> None:
    """No transaction leaves anything at its connection that the next one would have to clear away."""


async def _run(works: list[Work[None]], connection: Connection) -> None:
    try:
        for work in works:
            await work(connection)
    except (*_LOST, *_IN_THE_WAY, *_REFUSED):
        raise
    except Exception as error:
        raise _BehindError from error


async def _nothing(_: Connection) -> None:
    """Commits only what waits."""


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
