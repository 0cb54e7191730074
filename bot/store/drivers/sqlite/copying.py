"""An SQLite file as the source or target of a copy (`bot.store.moving`)."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

from bot.model.errors import DatabaseUnusable
from bot.store.copies import AT_ONCE, BEGIN_WITH_A_ROW, COUNTED, CopyRefused, Rows, unfit
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.privacy import make_private
from bot.store.drivers.sqlite.trouble import refusal


class SqliteCopied:
    """See `Copied`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def columns(self, table: str) -> tuple[str, ...]:
        """See `Copied.columns`."""
        found = self._connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
        return tuple(name for _, name, *_, hidden in found if not hidden)

    async def rows(self, table: str, columns: Sequence[str]) -> AsyncIterator[Rows]:
        """See `Copied.rows`."""
        order = {"games": "ORDER BY number", "leaving": "ORDER BY rowid"}.get(table, "")
        found = self._connection.execute(f"SELECT {', '.join(columns)} FROM {table} {order}")  # noqa: S608 -- names of ours
        while some := _fetched(found, table):
            yield some

    async def write(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """See `Copied.write`."""
        places = ", ".join("?" * len(columns))
        try:
            self._connection.executemany(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})",  # noqa: S608 -- as above
                rows,
            )
        except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeEncodeError):
            raise unfit(table) from None

    async def count(self, table: str) -> int:
        """See `Copied.count`."""
        number: int = self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 -- as above
        return number

    async def last_number(self, table: str) -> int:
        """See `Copied.last_number`."""
        highest = f"SELECT coalesce(max({COUNTED[table]}), 0) FROM {table}"  # noqa: S608 -- as above
        given = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?"
        found = [
            self._connection.execute(highest).fetchone()[0],
            self._connection.execute(given, (table,)).fetchone()[0],
        ]
        return int(max(found))

    async def number_from(self, table: str, last: int) -> None:
        """See `Copied.number_from`. Games have no sequence: a new number is the highest plus one."""
        if table != "games":
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))

    async def logs(self, games: Sequence[str]) -> Rows:
        """See `Copied.logs`."""
        places = ", ".join("?" * len(games))
        statement = f"""
            SELECT game, version, kind, codec, body, at FROM events WHERE game IN ({places})
            ORDER BY game, version
        """  # noqa: S608 -- question marks alone
        return self._connection.execute(statement, games).fetchall()


def _fetched(found: sqlite3.Cursor, table: str) -> Rows:
    try:
        return found.fetchmany(AT_ONCE)
    except sqlite3.OperationalError as error:
        if "decode" in str(error):  # the message includes the value, which may be a card
            raise unfit(table) from None
        raise


@asynccontextmanager
async def copied_from(path: Path) -> AsyncIterator[SqliteCopied]:
    """Read the file in one transaction.

    Raises `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld`, `DatabaseDamaged` and
    `DatabaseUnusable`.
    """
    try:
        where = path.resolve().as_uri()  # noqa: ASYNC240 -- nothing else runs in this loop
        with closing(sqlite3.connect(f"{where}?mode=ro", uri=True, isolation_level=None)) as connection:
            schema.require_current(connection, path)
            connection.execute("BEGIN")
            yield SqliteCopied(connection)
    except schema.ForeignDatabaseError:
        raise DatabaseUnusable(path, "it belongs to another program") from None
    except sqlite3.Error as error:
        raise refusal(path, error) from error


@asynccontextmanager
async def copied_to(path: Path) -> AsyncIterator[SqliteCopied]:
    """Fill a new file, which gets its name once it is whole. Raises `CopyRefused` and `DatabaseUnusable`."""
    if path.exists():  # noqa: ASYNC240 -- as above
        raise CopyRefused("there is a file already")
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        make_private(unfinished)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")
            schema.migrate(connection)
            for table in BEGIN_WITH_A_ROW:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 -- as above
            yield SqliteCopied(connection)
            connection.execute("COMMIT")
        unfinished.rename(path)
    except (sqlite3.Error, OSError) as error:
        raise refusal(path, error) from error
    finally:
        unfinished.unlink(missing_ok=True)
