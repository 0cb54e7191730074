"""The tables to copy between databases, what a driver implements for it, and digests to compare. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

TABLES = (
    *("games", "seats", "events", "posts", "votes", "choices", "decks", "salts"),
    *("people", "declined", "hidden", "deletions", "servers", "left_servers", "commands"),
    *("finished", "projection", "results", "result_seats"),
    *("careers", "computer_records", "tallies", "rating_changes", "ratings", "wall"),
    *("leaving", "scrubbing", "daily_secret", "daily_hands", "daily_answers", "daily_here", "daily_posts"),
    *("season_posts", "season_zones", "reminders"),
    *("drills", "squares", "squares_best", "squares_shared"),
    *("clubs", "club_entrants", "club_pairings", "club_organisers", "club_years"),
)
"""The tables to copy, each after those that it references."""

ORDERED = {"games": "number", "leaving": "number"}
"""By table whose rows are copied in order: the column of the order."""

COUNTED = {"games": "number", "finished": "number", "clubs": "id"}
"""By table with a sequence: its column. The copy's sequence continues after the last number given."""

BEGIN_WITH_A_ROW = {"projection"}
"""The tables that have a row in a new database, which the copied rows replace."""

AT_ONCE = 500
"""Rows, or games with their logs, in a batch."""


class CopyRefused(Exception):
    """A database cannot be copied, or its copy differs. The message names the reason, and no value."""


Rows = Sequence[Sequence[Any]]


class Copied(Protocol):
    """A source or target of a copy, open in one transaction."""

    async def columns(self, table: str) -> tuple[str, ...]:
        """The table's columns, without generated ones, in any order."""

    def rows(self, table: str, columns: Sequence[str]) -> AsyncIterator[Rows]:
        """The table's rows, in batches."""

    async def write(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Insert rows of another database. Raises `CopyRefused` for rows that violate the schema."""

    async def count(self, table: str) -> int:
        """The table's number of rows."""

    async def last_number(self, table: str) -> int:
        """The last number that the table's sequence has given."""

    async def number_from(self, table: str, last: int) -> None:
        """Let the table's sequence continue after `last`."""

    async def logs(self, games: Sequence[str]) -> Rows:
        """Game, version, kind, codec, body and time of all events of these games, in this order."""


def unfit(table: str) -> CopyRefused:
    """The error for a table with a damaged or a missing row."""
    return CopyRefused(f"a row of {table} is damaged; `python -m bot check` on the source may say more")


def digests(rows: Iterable[Sequence[Any]]) -> dict[str, str]:
    """By game: a digest of its log, equal for equal logs in either kind of database."""
    return {game: _digest(events) for game, events in groupby(rows, itemgetter(0))}


def _digest(events: Iterable[Sequence[Any]]) -> str:
    digest = hashlib.sha256()
    for _, version, kind, codec, body, at in events:
        digest.update(f"{version} {kind} {codec} {_plain(body)} {at}\n".encode())
    return digest.hexdigest()


def _plain(body: Any) -> str:
    """Canonical JSON; the repr of a damaged value, which is no JSON."""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except (ValueError, TypeError, RecursionError):
        return repr(body)
