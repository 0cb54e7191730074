"""PostgreSQL's spelling of what differs, on asyncpg's connections."""

from __future__ import annotations

from collections.abc import Collection

import asyncpg

from bot.store.connection import Connection


class PostgresDialect:
    """See `Dialect`."""

    own_events = """
        SELECT coalesce(json_agg(json_strip_nulls(format('{"event": %s, "at": %s, %s', to_json(kind),
            CASE WHEN at BETWEEN 0 AND 253402300799 THEN
                to_json(to_char(to_timestamp(at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'))::text
                ELSE 'null' END,
            substr(body::text, strpos(body::text, '{') + 1))::json) ORDER BY version), '[]')::text AS moves
        FROM events WHERE game = $1 AND body ->> 'seat' = $2::bigint::text
    """

    def of_part(self, name: str, table: str = "result_seats") -> str:
        """See `Dialect.of_part`. The table has generated columns for side and score."""
        if name in {"side", "score"}:
            return f"{table}.{name}"
        return f"({table}.part #>> '{{{name.replace('.', ',')}}}')::bigint"

    def some(self, table: str, key: str, condition: str, limit: int) -> str:  # noqa: ARG002 -- rows have an address
        """See `Dialect.some`."""
        return f"ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE {condition} LIMIT {limit}))"  # noqa: S608 -- SQL of ours

    async def note_traces(
        self, connection: Connection, *, texts: Collection[str], numbers: Collection[int]
    ) -> None:
        """See `Dialect.note_traces`. Only the server writes its files: `scrub` vacuums the tables."""


class PostgresConnection(asyncpg.Connection):  # type: ignore[misc]  # untyped
    """A connection of asyncpg with the dialect."""

    __slots__ = ()

    dialect = PostgresDialect()
