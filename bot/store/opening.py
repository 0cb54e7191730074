"""Opens whichever database DATABASE names, with all that is kept in it.

asyncpg is loaded by a bot that keeps its games in PostgreSQL, and by no other: it is an extra of the package.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.features.clubs.protocol import ClubStore
from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.errors import LibraryLacking
from bot.standings.protocol import Standings
from bot.store.protocol import Store
from bot.store.sqlite import SqliteStore, lock
from bot.store.sqlite.clubs import SqliteClubs
from bot.store.sqlite.database import Database
from bot.store.sqlite.standings import standings_in

if TYPE_CHECKING:
    from bot.store.postgresql import PostgresHints, PostgresLeases, PostgresOpenHands, SharedPacing


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What several processes on one database share."""

    leases: PostgresLeases
    hints: PostgresHints
    hands: PostgresOpenHands
    pacing: SharedPacing


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A database that is open. Closing its store closes all of it."""

    store: Store
    standings: Standings
    clubs: ClubStore
    when_damaged: Callable[[Callable[[], object]], None]
    """Have something called as soon as somebody comes upon a broken page."""
    refuse_if_damaged: Callable[[], None]
    """Raises `DatabaseDamaged` if somebody has come upon a broken page."""
    share: Callable[[], Shared] | None = None
    """What other processes on this database share with this one; a file has one process."""


async def open_database(
    address: DatabaseAddress,
    clock: Callable[[], float] = time.time,
    *,
    patience: float | None = None,
    behind: float = 0.0,
) -> Opened:
    """Open it, or make a new one, and bring its schema up to date.

    `clock` gives the time in seconds since 1970. `patience` is how long to wait for another program's lock,
    or for a server that was lost, and `behind` how long what is written behind waits, in seconds. Raises
    `DatabaseTooNew`, `DatabaseUnusable`, `DatabaseDamaged` and `LibraryLacking`.
    """
    waiting = {} if patience is None else {"patience": patience}
    if not isinstance(address, PostgresAddress):
        database = await Database.open(address, **waiting, behind=behind)
        return Opened(
            store=SqliteStore(database, clock),
            standings=standings_in(database, clock),
            clubs=SqliteClubs(database),
            when_damaged=database.when_damaged,
            refuse_if_damaged=database.refuse_if_damaged,
        )
    require_asyncpg()
    from bot.store import postgresql  # noqa: PLC0415 -- see above

    server = await postgresql.Database.open(address, **waiting, behind=behind)
    return Opened(
        store=postgresql.PostgresStore(server, clock),
        standings=postgresql.standings_in(server, clock),
        clubs=postgresql.PostgresClubs(server),
        when_damaged=lambda _: None,  # the server minds its pages by itself
        refuse_if_damaged=lambda: None,
        share=lambda: Shared(
            leases=postgresql.PostgresLeases(server),
            hints=postgresql.PostgresHints(server),
            hands=postgresql.PostgresOpenHands(server),
            pacing=postgresql.SharedPacing(server),
        ),
    )


def only_bot_on(address: DatabaseAddress, *, shared: bool = False) -> AbstractAsyncContextManager[None]:
    """Be the only bot on that database, or one that is `shared` by processes of one bot.

    Raises `DatabaseInUse`, `DatabaseUnusable` and `LibraryLacking`."""
    if not isinstance(address, PostgresAddress):
        return lock.only_bot_on(address)
    require_asyncpg()
    from bot.store import postgresql  # noqa: PLC0415 -- see above

    return postgresql.only_bot_on(address, shared=shared)


def require_asyncpg() -> None:
    """Raises `LibraryLacking` where it is not installed."""
    if find_spec("asyncpg") is None:
        raise LibraryLacking("asyncpg", "postgresql")
