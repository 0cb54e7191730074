"""The database as the store's SQL sees it: connections, transactions, and the dialect.

Every statement is written once, in PostgreSQL's SQL (`$1`, casts, row locks), inside a *work*: an `async`
function that takes a `Connection` and awaits nothing else. A driver (`bot.store.drivers`) implements
`Connection` and `Database`, and runs a work as one transaction from its first statement to its commit. It may
run a work again (a group commit that failed, a lost connection), so a work has no effects beside its SQL.

Rows are read by column name, `row["name"]`, or unpacked in the order of the columns. Booleans may arrive as
0 and 1: a work calls `bool` where the type matters.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Row(Protocol):
    """One row of a result."""

    def __getitem__(self, column: str, /) -> Any:
        """The value in the column."""

    def keys(self) -> Iterable[str]:
        """The names of the columns."""


class Dialect(Protocol):
    """The statements, and parts of statements, that differ between SQLite and PostgreSQL."""

    own_events: str
    """Selects `moves`: a seat's own events as one JSON array. $1 is the game, $2 the seat."""

    def of_part(self, name: str, table: str = "result_seats") -> str:
        """An expression: a whole number in the JSON column `part`; NULL where it is missing.

        The name may have dots, as in `figures.best.points`, for a number inside.
        """

    def some(self, table: str, key: str, condition: str, limit: int) -> str:
        """A condition that selects at most `limit` of the rows that satisfy `condition`.

        `key` is the table's primary key. PostgreSQL uses row addresses: by key it would scan the table.
        """

    async def note_traces(
        self, connection: Connection, *, texts: Collection[str], numbers: Collection[int]
    ) -> None:
        """Record values to erase from the database's files (`Database.scrub`) once they are deleted."""


class Connection(Protocol):
    """A connection inside a transaction."""

    @property
    def dialect(self) -> Dialect:
        """The spellings of this kind of database."""

    async def execute(self, statement: str, *values: object) -> object:
        """Run a statement, and discard its result."""

    async def executemany(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each of these tuples."""

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """All rows."""

    async def fetchrow(self, statement: str, *values: object) -> Any:
        """The first row, or `None`."""

    async def fetchval(self, statement: str, *values: object) -> Any:
        """The first value of the first row, or `None`."""

    def cursor(self, statement: str, *values: object) -> AsyncIterable[Any]:
        """All rows, fetched a few at a time: for results that are too large for memory."""


Work = Callable[[Connection], Awaitable[T]]
"""A transaction's function. It may run more than once, and must not keep the connection."""


class Database(Protocol):
    """An open database. All methods but `invalidate` raise `StoreUnavailable`."""

    async def read_one(self, work: Work[T]) -> T:
        """Run a work of a single statement, which needs no snapshot."""

    async def read(self, work: Work[T]) -> T:
        """Run a work of several statements on one snapshot. Play waits for it: about 1 ms."""

    async def read_slow(self, work: Work[T]) -> T:
        """Run a work as `read` does, on separate connections, so that play does not wait for it."""

    async def read_long(self, work: Work[T]) -> T:
        """Run a work that takes seconds, without a snapshot: each statement sees the latest state.

        A snapshot held for seconds would keep SQLite from truncating its write-ahead log.
        """

    async def cached(self, key: Hashable, work: Work[T]) -> T:
        """The result of a work of a single statement, cached under `key` until `invalidate`."""

    def invalidate(self, key: Hashable) -> None:
        """Drop a cached result. Call it after each write to the cached rows, committed or not."""

    async def write(self, work: Work[T], *, game: str | None = None) -> T:
        """Commit a work, or roll back and raise what it raises.

        Works queued for `game` (`write_behind`) are committed before it, in the same transaction. For a work
        about several games the caller awaits `flush` first.
        """

    async def write_unchecked(self, work: Work[T]) -> T:
        """Commit a work that may change damaged rows, which violate the schema's CHECK constraints."""

    def write_behind(self, game: str, work: Work[None]) -> None:
        """Queue a work about a game: committed with the game's next write, or after some seconds.

        It saves a commit for data that a crash may lose. A reader of that data awaits `flush` first. The work
        is retried while the database is unavailable; it must raise no errors of its own.
        """

    async def flush(self, game: str | None = None) -> None:
        """Commit the works queued for that game, or for all games. On failure they stay queued."""

    async def identity(self) -> str:
        """Tells the database from another in its place, as far as the driver can.

        It stays the same in some copies, and another one may have lost nothing. PostgreSQL: the server's
        system identifier and timeline, and the database's oid. SQLite: a random number in a file beside it.
        """

    async def renew_identity(self) -> str:
        """Change the identity if the driver chooses it, and return it: a copy has an earlier one."""

    async def scrub(self) -> None:
        """Erase deleted rows from the database's files, as far as the driver can."""

    async def close(self) -> None:
        """Finish the calls in progress, and disconnect. Closing twice does nothing."""


def person_key(user: int) -> Hashable:
    """The key of a person's settings in `Database.cached`."""
    return "person", user
