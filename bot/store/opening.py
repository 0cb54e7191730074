"""Opens the database that DATABASE names, with its store and standings.

asyncpg is imported only for PostgreSQL.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.errors import DatabaseUnusable, LibraryLacking
from bot.standings.protocol import Standings
from bot.store.connection import Database
from bot.store.deletions import beside
from bot.store.drivers import sqlite
from bot.store.people import SqlPeople
from bot.store.projection import SqlProjection
from bot.store.standings_queries import SqlStandingsQueries
from bot.store.store import Store

if TYPE_CHECKING:
    from bot.store.drivers.postgresql import PostgresHints, PostgresLeases, PostgresOpenHands, SharedPacing


T = TypeVar("T")


class Measure(Protocol):
    """Wraps a part of the store."""

    def __call__(self, part: T, name: str, /) -> T:
        """A proxy of `part` with the same methods."""


def _unmeasured(part: T, _: str, /) -> T:
    return part


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The parts of one database that its processes share."""

    leases: PostgresLeases
    hints: PostgresHints
    hands: PostgresOpenHands
    pacing: SharedPacing


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open database. Closing its store closes all of it."""

    store: Store
    standings: Standings
    database: Database
    """The connections and transactions, for a feature's own SQL."""
    when_unusable: Callable[[Callable[[], object]], None]
    """Registers a callback for the first page that seems broken, and for a lost file."""
    refuse_if_unusable: Callable[[], None]
    """Raises, once closed, `DatabaseLost` for a lost file, and what a second look at a broken page says."""
    when_another: Callable[[Callable[[], object]], None] = lambda _: None
    """Registers a callback for another database that has come in its place, as after a failover."""
    share: Callable[[], Shared] | None = None
    """Opens the parts that processes share; `None` for a file, which has one process."""
    measured: Measure = _unmeasured
    """Wraps a part in a proxy that records its latency under a name."""

    def part(self, make: Callable[[Database], T], name: str) -> T:
        """A feature's store in this database; its latency is recorded under `name`."""
        return self.measured(make(self.database), name)


def require_existing(address: DatabaseAddress) -> None:
    """Raises `DatabaseUnusable` if the file is missing: a command with a wrong path would make one."""
    if isinstance(address, Path) and not address.exists():
        raise DatabaseUnusable(address, "there is no such file")


async def open_database(
    address: DatabaseAddress,
    clock: Callable[[], float] = time.time,
    *,
    patience: float | None = None,
    behind: float = 0.0,
    copies: bool = True,
    key: bytes = b"",
    deletions: Path | None = None,
) -> Opened:
    """Open the database, or create it, and migrate its schema.

    `clock` returns the time in seconds since 1970. `patience` is the time (s) to wait for another program's
    lock or a lost server, `behind` the time (s) before a write behind is flushed. If `copies`, a file of an
    older schema is copied first. `key` is that of `bot.store.declined`. `deletions` is the file of
    `bot.store.deletions`; by default it is beside the database, and none for PostgreSQL.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseUnusable`, `DatabaseDamaged`,
    `UpgradeNotCopied` and `LibraryLacking`.
    """
    waiting = {} if patience is None else {"patience": patience}
    if not isinstance(address, PostgresAddress):
        file = await sqlite.SqliteDatabase.open(address, **waiting, behind=behind, copies=copies)
        return _opened(
            file,
            clock,
            file.when_unusable,
            file.refuse_if_unusable,
            key=key,
            deletions=deletions or beside(address),
        )
    require_asyncpg(address)
    from bot.store.drivers import postgresql  # noqa: PLC0415 -- see above

    server = await postgresql.PostgresDatabase.open(address, **waiting, behind=behind)

    def share() -> Shared:
        return Shared(
            leases=postgresql.PostgresLeases(server),
            hints=postgresql.PostgresHints(server),
            hands=postgresql.PostgresOpenHands(server),
            pacing=postgresql.SharedPacing(server),
        )

    # The server checks its own pages.
    opened = _opened(server, clock, lambda _: None, lambda: None, share, key=key, deletions=deletions)
    return replace(opened, when_another=server.when_another)


def _opened(
    database: Database,
    clock: Callable[[], float],
    when_unusable: Callable[[Callable[[], object]], None],
    refuse_if_unusable: Callable[[], None],
    share: Callable[[], Shared] | None = None,
    *,
    key: bytes,
    deletions: Path | None,
) -> Opened:
    return Opened(
        store=Store(database, clock, key=key),
        standings=standings_in(database, clock, key=key, deletions=deletions),
        database=database,
        when_unusable=when_unusable,
        refuse_if_unusable=refuse_if_unusable,
        share=share,
    )


def standings_in(
    database: Database,
    clock: Callable[[], float] = time.time,
    *,
    key: bytes = b"",
    deletions: Path | None = None,
) -> Standings:
    """The standings of an open database. `clock`, `key` and `deletions` are those of `open_database`."""
    return Standings(
        projection=SqlProjection(database),
        queries=SqlStandingsQueries(database, clock),
        people=SqlPeople(database, clock, key=key, deletions=deletions),
    )


def only_bot_on(
    address: DatabaseAddress, patience: float | None = None, *, shared: bool = False
) -> AbstractAsyncContextManager[None]:
    """Lock the database against other bots; if `shared`, not against other processes of this bot.

    `patience` is the time (s) to wait for another one to end. Raises `DatabaseInUse`, `DatabaseUnusable` and
    `LibraryLacking`.
    """
    waiting = {} if patience is None else {"patience": patience}
    if not isinstance(address, PostgresAddress):
        return sqlite.only_bot_on(address, **waiting)
    require_asyncpg(address)
    from bot.store.drivers import postgresql  # noqa: PLC0415 -- see above

    return postgresql.only_bot_on(address, **waiting, shared=shared)


def require_asyncpg(address: PostgresAddress) -> None:
    """Raises `LibraryLacking` if asyncpg is not installed."""
    if find_spec("asyncpg") is None:
        raise LibraryLacking("asyncpg", address.variable or str(address))
