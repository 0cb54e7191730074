"""Connections to a PostgreSQL database, and transactions that are repeated when a connection was lost.

A connection that is lost, and a server that starts again, are waited for as SQLite waits for a lock: for some
tenths of a second, then the call is `StoreUnavailable`. A transaction is run again from its beginning, since
the server has undone it. When the connection is lost in the commit itself, nobody has told whether it was
done: each write knows the number that the server has given to its transaction, and asks for what became of
it. So nothing is done twice, and what was done is not said to have failed.

PostgreSQL's texts cannot hold a NUL, which Discord does not send either but a name may have in SQLite. In
its place stands U+FFFF, which is no character, and a digit; U+FFFF itself is written with another digit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Protocol, TypeVar

import asyncpg
from cachetools import LRUCache

from bot.concurrency.keyed_locks import KeyedLocks
from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable, LeaseLost, StoreUnavailable
from bot.store.postgresql import schema

log = logging.getLogger(__name__)

T = TypeVar("T")


class Connection(Protocol):
    """What our SQL needs of a connection of asyncpg's; a row has its columns by name."""

    async def execute(self, statement: str, *values: object) -> str:
        """Run it, and nothing more."""

    async def executemany(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Run it once with each of these, all sent at once."""

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """All rows."""

    async def fetchrow(self, statement: str, *values: object) -> Any:
        """The first row, or nothing."""

    async def fetchval(self, statement: str, *values: object) -> Any:
        """The first value of the first row, or nothing."""


Work = Callable[[Connection], Awaitable[T]]
"""What a transaction does. It may be run more than once, and must not keep the connection."""

PATIENCE = 0.8
"""Seconds to wait for a connection, or for somebody else's lock: an answer to Discord is due within three."""

_CONNECTIONS = 12
"""At once, of which `_STUDYING` at most are for what the standings read; and one more for the lock."""

_STUDYING = 3
_ALONE = 2
"""Reads that take seconds, at once, each with a connection of its own."""

_LONGEST = 10.0
"""Seconds for a statement, but for those that may take long: then the network is broken."""

_PAUSE = 0.05
"""Seconds between two attempts to connect."""

_TRIES = 5
"""How often a transaction is run when another one was in its way."""

_REMEMBERED = 20_000
"""Results that `recall` keeps."""

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


def person_key(user: int) -> Hashable:
    """The key by which `Database.recall` keeps the settings of a person."""
    return "person", user


class _BehindError(Exception):
    """What was to be written behind cannot be written, and never will be."""


class Database:
    """A pool of connections to one database, whose schema is up to date."""

    def __init__(self, address: PostgresAddress, pool: Any, *, patience: float, behind: float) -> None:
        """A pool that is open; `open` is the way to get one."""
        self._address = address
        self._pool = pool
        self._patience = patience
        self._behind = behind
        self._closed = False
        self._studying = asyncio.Semaphore(_STUDYING)
        self._alone = asyncio.Semaphore(_ALONE)
        self._locks = KeyedLocks()
        self._waiting: defaultdict[str, list[Work[None]]] = defaultdict(list)
        """By game: what is to be written behind."""
        self._writing: set[str] = set()
        """The games of which something is being written that was to be written behind."""
        self._catching_up: asyncio.Task[None] | None = None
        self._remembered: LRUCache[Hashable, Any] = LRUCache(_REMEMBERED)
        self._outdated = 0
        """How often something was outdated: what was read before that is not remembered."""
        self._member: int | None = None

    def fence(self, member: int | None) -> None:
        """Let every write ask whether the process of that number is still a member (`leases`).

        Others write as well then, and nothing is remembered.
        """
        self._member = member
        self._remembered.clear()

    @property
    def member(self) -> int:
        """The number of this process; 0 while it is no member of several."""
        return self._member or 0

    @property
    def address(self) -> PostgresAddress:
        """Where it is."""
        return self._address

    @classmethod
    async def open(
        cls, address: PostgresAddress, patience: float = PATIENCE, *, behind: float = 0.0
    ) -> Database:
        """Connect, and bring the schema up to date.

        `patience` is how long to wait for a connection that was lost, or a lock, and `behind` how long what
        is written behind waits for another write, in seconds. Raises `DatabaseTooNew` and `DatabaseUnusable`.
        """
        try:
            async with connected(address) as connection:
                await schema.bring_up_to_date(connection, address)
            pool = await asyncpg.create_pool(
                address.url,
                min_size=0,
                max_size=_CONNECTIONS,
                init=_prepare,
                reset=_leave_as_it_is,
                command_timeout=_LONGEST,
                server_settings=_settings(patience),
            )
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            raise unusable(address, error) from None
        return cls(address, pool, patience=patience, behind=behind)

    async def close(self) -> None:
        """Finish what has been asked for, and disconnect. A second time it does nothing."""
        if self._closed:
            return
        if self._catching_up is not None:
            self._catching_up.cancel()
        with suppress(StoreUnavailable):
            await self.catch_up()
        self._closed = True
        try:
            async with asyncio.timeout(self._patience):
                await self._pool.close()
        except (TimeoutError, *_LOST):
            self._pool.terminate()

    async def ask(self, work: Work[T]) -> T:
        """Run `work`, which is one statement, and so reads one state. Raises `StoreUnavailable`."""
        return await self._repeated(lambda: self._asked(work))

    async def read(self, work: Work[T]) -> T:
        """Run `work` on one unchanging state of the database. Raises `StoreUnavailable`.

        It cannot write.
        """
        return await self._repeated(lambda: self._read(work))

    async def study(self, work: Work[T]) -> T:
        """The same for what nobody's move waits for. Raises `StoreUnavailable`."""
        async with self._studying:
            return await self.read(work)

    async def at_length(self, work: Work[T]) -> T:
        """Run `work`, which takes seconds: every statement reads what is there when it begins.

        Raises `StoreUnavailable`.
        """

        async def apart() -> T:
            async with connected(self._address, longest=None) as connection:
                return await work(connection)

        async with self._alone:
            return await self._repeated(apart)

    async def recall(self, key: Hashable, work: Work[T]) -> T:
        """What `work`, one statement, reads: from memory as long as nobody calls `outdate` with that `key`.

        Raises `StoreUnavailable`.
        """
        if self._member is not None:
            return await self.ask(work)
        if key in self._remembered and not self._closed:
            remembered: T = self._remembered[key]
            return remembered
        outdated = self._outdated
        found = await self.ask(work)
        if outdated == self._outdated:
            self._remembered[key] = found
        return found

    def outdate(self, key: Hashable) -> None:
        """What is remembered for `key` may have changed: to be called after a write, done or not."""
        self._outdated += 1
        self._remembered.pop(key, None)

    async def write(self, work: Work[T], *, game: str | None = None) -> T:
        """Run `work` as a transaction, or, if it raises anything, undo it.

        What waits to be written of that `game` is written before it, in the same transaction; what is about
        several games calls `catch_up` first. Raises `StoreUnavailable`, and what `work` raises.
        """
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
                    self._catch_up_later()
            return result

    def write_behind(self, game: str, work: Work[None]) -> None:
        """Let `work`, which is about that game, be committed with its next write, or after some seconds.

        For what may be lost with the process. What reads it calls `catch_up` first. When the database cannot
        be reached it is tried again; `work` must raise nothing by itself. Raises `StoreUnavailable` when the
        database is closed.
        """
        self._refuse_if_closed()
        self._waiting[game].append(work)
        self._catch_up_later()

    async def catch_up(self, game: str | None = None) -> None:
        """Commit what is written behind, of that game or of all. Raises `StoreUnavailable`."""
        due = self._waiting.keys() | self._writing
        for each in sorted(due) if game is None else due & {game}:
            await self.write(_nothing, game=each)

    def _catch_up_later(self) -> None:
        if self._catching_up is None and not self._closed:
            self._catching_up = asyncio.create_task(self._catch_up_late())

    async def _catch_up_late(self) -> None:
        try:
            await asyncio.sleep(self._behind)
        finally:
            self._catching_up = None
        try:
            await self.catch_up()
        except StoreUnavailable as error:
            log.info("written later: %s", error)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    async def _repeated(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Attempt it until the connection holds, or patience has an end."""
        self._refuse_if_closed()
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
                if self._closed or time.monotonic() >= until:
                    raise StoreUnavailable(_reason(error)) from error
                await asyncio.sleep(_PAUSE)
            except _REFUSED as error:
                raise StoreUnavailable(_reason(error)) from error

    async def _asked(self, work: Work[T]) -> T:
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
        """What became of a transaction with whose commit the connection was lost.

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
            address.url, timeout=within, command_timeout=longest, server_settings=_settings(PATIENCE)
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
    """What has happened, in a few words; asyncpg's messages name no password, but an address might.

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
    """Write nothing but what waits."""


def _encoded(text: str) -> bytes:
    if "\0" in text or "\uffff" in text:
        text = text.replace("\uffff", "\uffff1").replace("\0", "\uffff0")
    return text.encode()


def _decoded(text: bytes) -> str:
    found = text.decode()
    return found.replace("\uffff0", "\0").replace("\uffff1", "\uffff") if "\uffff" in found else found
