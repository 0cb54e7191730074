"""Runs the store's SQL, which is PostgreSQL's, on an SQLite connection.

`translated` rewrites a statement once and caches the result:

- `$n` becomes a plain `?`, and the values are put in the order in which they appear, repeated where they
  appear twice. (Python 3.12 warns of `?1` with a sequence of values.)
- Casts, `COLLATE "C"` and row locks are dropped, and `LOCK TABLE` runs nothing: there is one writer, and
  SQLite compares texts byte by byte.
- `greatest` and `least` are `max` and `min`. These give NULL if any argument is NULL, unlike PostgreSQL's: no
  statement may rely on either.
- `= ANY($n)` and `!= ALL($n)` take a list, which is bound as a JSON array.
- A quoted name is put in brackets, because SQLite takes a mistyped name in double quotes for a text.

A work awaits nothing but its connection, whose methods never suspend here. So `run` drives it to its end with
one `next`, inside the connection's thread.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from bot.store.connection import Connection, Work

T = TypeVar("T")

as_text = partial(str, encoding="utf-8", errors="replace")
"""The text factory: an invalid byte makes one value unreadable, and not every row of a query."""

_STATEMENTS: Final = 2_000
"""Translated statements in the cache; some are composed, so that the number has no natural bound."""

_PIECE: Final = re.compile(
    r"""
      (?P<text>'(?:[^']|'')*')                                  # a literal: left as it is
    | (?P<drop>\ COLLATE\ "C"
        | ::(?:double\ precision|\w+)(?:\[\])?
        | \sFOR\ (?:NO\ KEY\ UPDATE|UPDATE|KEY\ SHARE|SHARE)\b)
    | =\ ANY\(\$(?P<any>\d+)(?:::\w+\[\])?\)
    | !=\ ALL\(\$(?P<none>\d+)(?:::\w+\[\])?\)
    | \b(?P<function>greatest|least)(?=\()
    | "(?P<name>\w+)"
    | \$(?P<value>\d+)
    """,
    re.VERBOSE,
)

_FUNCTIONS: Final = {"greatest": "max", "least": "min"}

_LISTED: Final = "(SELECT value FROM json_each(?))"


class Translated:
    """A statement in SQLite's SQL, and how its values are bound."""

    __slots__ = ("_in_order", "_lists", "_order", "sql")

    def __init__(self, sql: str, order: tuple[int, ...], lists: frozenset[int]) -> None:
        """`order` has the value's index of each `?`, and `lists` the indexes of values that are lists."""
        self.sql = sql
        self._order = order
        self._lists = lists
        self._in_order = not lists and order == tuple(range(len(order)))

    def bound(self, values: Sequence[Any]) -> Sequence[Any]:
        """The values, in the order of the question marks."""
        if self._in_order:
            return values
        return [
            json.dumps(list(values[each])) if each in self._lists else values[each] for each in self._order
        ]

    def each_bound(self, rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
        """`bound` for several tuples of values."""
        return rows if self._in_order else map(self.bound, rows)


@lru_cache(_STATEMENTS)
def translated(statement: str) -> Translated:
    """The statement in SQLite's SQL; empty if SQLite needs none."""
    if statement.lstrip().startswith("LOCK TABLE"):
        return Translated("", (), frozenset())
    order: list[int] = []
    lists: set[int] = set()

    def place(number: str) -> str:
        order.append(int(number) - 1)
        return "?"

    def listed(number: str) -> str:
        lists.add(int(number) - 1)
        place(number)
        return _LISTED

    def piece(found: re.Match[str]) -> str:
        match found.lastgroup, found[found.lastgroup or 0]:
            case "drop", _:
                return ""
            case "any", number:
                return f"IN {listed(number)}"
            case "none", number:
                return f"NOT IN {listed(number)}"
            case "function", function:
                return _FUNCTIONS[function]
            case "name", name:
                return f"[{name}]"
            case "value", number:
                return place(number)
            case _:
                return found[0]

    return Translated(_PIECE.sub(piece, statement), tuple(order), frozenset(lists))


class SqliteDialect:
    """See `Dialect`."""

    own_events = """
        SELECT json_group_array(json(moved)) AS moves FROM (
            SELECT json_patch(
                json_object('event', kind, 'at', strftime('%Y-%m-%dT%H:%M:%S+00:00', at, 'unixepoch')), body
            ) AS moved
            FROM events
            WHERE game = $1 AND CASE WHEN json_valid(body) THEN json_extract(body, '$.seat') END = $2
            ORDER BY version)
    """
    """SQLite makes the text without the GIL: an export may have 100,000 events."""

    def of_part(self, name: str, table: str = "result_seats") -> str:
        """See `Dialect.of_part`."""
        return f"CASE WHEN json_valid({table}.part) THEN json_extract({table}.part, '$.{name}') END"

    def some(self, table: str, key: str, condition: str, limit: int) -> str:
        """See `Dialect.some`."""
        return f"({key}) IN (SELECT {key} FROM {table} WHERE {condition} LIMIT {limit})"  # noqa: S608 -- SQL of ours

    async def note_traces(
        self, connection: Connection, *, texts: Collection[str], numbers: Collection[int]
    ) -> None:
        """See `Dialect.note_traces`. `scrubbing` searches the file for them."""
        traces = {each.encode() for each in texts} | {as_stored(each) for each in numbers}
        await connection.executemany(
            "INSERT INTO traces (trace) VALUES ($1)",
            [(each,) for each in traces if len(each) >= _TRACE_MIN],
        )


_TRACE_MIN: Final = 3
"""Minimum length (bytes) of a trace; shorter ones occur everywhere by chance."""


def as_stored(number: int) -> bytes:
    """The number as SQLite stores it in a row: big-endian, in the smallest of its sizes."""
    size = next(size for size in (1, 2, 3, 4, 6, 8) if -(1 << 8 * size - 1) <= number < 1 << 8 * size - 1)
    return number.to_bytes(size, "big", signed=True)


class SqliteConnection:
    """See `Connection`. Its methods never suspend."""

    __slots__ = ("_execute", "raw")

    dialect = SqliteDialect()

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self._execute = raw.execute

    async def execute(self, statement: str, *values: Any) -> None:
        """See `Connection.execute`."""
        if (this := translated(statement)).sql:
            self._execute(this.sql, this.bound(values))

    async def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        """See `Connection.executemany`."""
        this = translated(statement)
        self.raw.executemany(this.sql, this.each_bound(values))

    async def fetch(self, statement: str, *values: Any) -> list[Any]:
        """See `Connection.fetch`."""
        this = translated(statement)
        return self._execute(this.sql, this.bound(values)).fetchall()

    async def fetchrow(self, statement: str, *values: Any) -> Any:
        """See `Connection.fetchrow`."""
        this = translated(statement)
        # Dropping the cursor resets its statement, which also completes one with RETURNING.
        return self._execute(this.sql, this.bound(values)).fetchone()

    async def fetchval(self, statement: str, *values: Any) -> Any:
        """See `Connection.fetchval`."""
        this = translated(statement)
        row = self._execute(this.sql, this.bound(values)).fetchone()
        return None if row is None else row[0]

    async def cursor(self, statement: str, *values: Any) -> AsyncIterator[Any]:
        """See `Connection.cursor`."""
        this = translated(statement)
        for row in self._execute(this.sql, this.bound(values)):
            yield row


def run(work: Work[T], raw: sqlite3.Connection) -> T:
    """Run the work to its end on the connection, in this thread.

    Raises what the work raises, and `RuntimeError` if it awaits anything but its connection.
    """
    steps = work(SqliteConnection(raw)).__await__()
    try:
        next(steps)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("a transaction may await nothing but its connection")
