"""A store on SQLite in memory, with switches that make calls fail, and outcomes of writes unknown."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from bot.model.errors import DamagedGame, OutcomeUnknown, StoreUnavailable
from bot.store import Store
from bot.store.connection import Work
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.dialect import as_text, run
from bot.store.tables import log
from engine.secret_events import LoggedEvent

T = TypeVar("T")


class MemoryDatabase:
    """See `bot.store.connection.Database`. Each call yields to other tasks once, as a real one does."""

    def __init__(self) -> None:
        self.broken = False
        """While it is true, every call is refused and changes nothing."""
        self.in_doubt: Iterator[bool | None] = iter(())
        """For each of the next writes: true if it stands and false if not, while its caller cannot know.

        `None` for a write whose outcome is known, as it is once there are no more.
        """
        self.delay = 0.0
        """Seconds that a call takes, on whose loop time may be simulated."""
        self.mark = ""
        """What stands beside the file of a database on a disk."""
        self.calls = 0
        """The number of transactions so far."""
        self.raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        empty().backup(self.raw)
        self.raw.row_factory = sqlite3.Row
        self.raw.text_factory = as_text
        self.raw.execute("PRAGMA foreign_keys = ON")

    def __del__(self) -> None:
        self.raw.close()

    async def read(self, work: Work[T]) -> T:
        await asyncio.sleep(self.delay)
        self._begin_call()
        with _as_unavailable():
            return run(work, self.raw)

    read_one = read_slow = read_long = read

    async def cached(self, key: Hashable, work: Work[T]) -> T:
        return await self.read(work)

    def invalidate(self, key: Hashable) -> None:
        """Nothing is cached."""

    async def write(self, work: Work[T], *, game: str | None = None) -> T:
        await asyncio.sleep(self.delay)
        stands = next(self.in_doubt, None)
        if stands is None:
            return self.write_now(work)
        if stands:
            self.write_now(work)
        raise OutcomeUnknown("in doubt")

    async def write_unchecked(self, work: Work[T]) -> T:
        await asyncio.sleep(0)
        self.raw.execute("PRAGMA ignore_check_constraints = ON")
        try:
            return self.write_now(work)
        finally:
            self.raw.execute("PRAGMA ignore_check_constraints = OFF")

    def write_behind(self, game: str, work: Work[None]) -> None:
        self.write_now(work)

    def write_now(self, work: Work[T]) -> T:
        """Commit a work without letting other tasks run."""
        self._begin_call()
        with _as_unavailable():
            self.raw.execute("BEGIN")
            try:
                result = run(work, self.raw)
            except BaseException:
                self.raw.execute("ROLLBACK")
                raise
            self.raw.execute("COMMIT")
            return result

    async def identity(self) -> str:
        self._begin_call()
        return self.mark

    async def renew_identity(self) -> str:
        self.mark = str(self.calls)
        return self.mark

    async def flush(self, game: str | None = None) -> None:
        """Nothing is queued."""

    async def scrub(self) -> None:
        """There are no files."""

    async def close(self) -> None:
        self.broken = True

    def _begin_call(self) -> None:
        self.calls += 1
        if self.broken:
            raise StoreUnavailable("broken")


@contextmanager
def _as_unavailable() -> Iterator[None]:
    """Damaged values are no faults of the program, as for the driver of a file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(str(error)) from error


class MemoryStore(Store):
    """The store itself, on a `MemoryDatabase`."""

    def __init__(self) -> None:
        self._memory = MemoryDatabase()
        self.now = 1_000_000
        self.aside: list[str] = []
        """Ids of the games that were quarantined."""
        super().__init__(self._memory, lambda: self.now)

    @property
    def database(self) -> MemoryDatabase:
        """The database that it is in."""
        return self._memory

    @property
    def broken(self) -> bool:
        """While it is true, every call is refused and changes nothing."""
        return self.database.broken

    @broken.setter
    def broken(self, broken: bool) -> None:
        self.database.broken = broken

    def quarantine(self, damaged: DamagedGame) -> None:
        self.aside.append(damaged.game)
        super().quarantine(damaged)

    def log_of(self, game: str) -> tuple[LoggedEvent, ...]:
        """The game's log as it is at this moment, without letting other tasks run."""
        return self.database.write_now(lambda connection: log(connection, game))

    def has(self, table: str) -> bool:
        """True if the table has any row, without letting other tasks run."""
        any_row = f"SELECT 1 FROM {table} LIMIT 1"
        return self.database.write_now(lambda connection: connection.fetchval(any_row)) is not None

    def delete(self, game: str) -> None:
        """Delete the game and all that belongs to it, without letting other tasks run."""
        for table in ("seats", "events", "posts", "votes", "choices", "salts", "decks", "finished"):
            self.change(f"DELETE FROM {table} WHERE game = $1", game)
        self.change("DELETE FROM games WHERE id = $1", game)

    def change(self, statement: str, *values: Any) -> None:
        """Change rows by a statement of a test's own, without letting other tasks run."""
        self.database.write_now(lambda connection: connection.execute(statement, *values))


@cache
def empty() -> sqlite3.Connection:
    """A migrated, empty database, to be copied: to make the tables takes longer than most tests."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    schema.migrate(connection)
    return connection
