"""The contents of a copy of a database into another kind, and the check that it is whole. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

TABLES = (
    *("games", "seats", "events", "posts", "votes", "choices", "decks", "words"),
    *("people", "declined", "hidden", "servers", "left_servers", "commands"),
    *("finished", "projection", "results", "result_seats"),
    *("careers", "computer_records", "tallies", "rating_changes", "ratings", "wall"),
    *("leaving", "scrubbing", "daily_secret", "daily_hands", "daily_answers", "daily_here", "daily_posts"),
    *("clubs", "club_entrants", "club_pairings", "club_organisers"),
)
"""The tables that are copied; a row comes after those that it references."""

ORDERED = {"games": "number", "leaving": "number"}
"""The tables of which the order of rows means something, and the column that has it, if one has."""

COUNTED = {"games": "number", "finished": "number", "clubs": "id"}
"""The tables whose rows are numbered by the database, and where the number stands: none is given twice."""

BEGIN_WITH_A_ROW = {"projection", "scrubbing"}
"""The tables that a new database may have a row in: it gives way to those that are copied."""

AT_ONCE = 500
"""Rows, or games with their logs, that are read at once."""


class CopyRefused(Exception):
    """It cannot be copied, or the copy is not what it was copied from. Its message says why, and no value."""


Rows = Sequence[Sequence[Any]]


class Copied(Protocol):
    """A database of either kind that is open to be copied, in one transaction."""

    async def columns(self, table: str) -> tuple[str, ...]:
        """The columns that are written, in any order."""

    def rows(self, table: str, columns: Sequence[str]) -> AsyncIterator[Rows]:
        """All rows of it, some at once."""

    async def write(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Write rows as they came out of another database. Raises `CopyRefused` for those that do not fit."""

    async def count(self, table: str) -> int:
        """The number of its rows."""

    async def last_number(self, table: str) -> int:
        """The last number that was given to a row of it."""

    async def number_from(self, table: str, last: int) -> None:
        """Give higher numbers than that from now on."""

    async def logs(self, games: Sequence[str]) -> Rows:
        """Game, version, kind, codec, body and time of all events of these games, in this order."""


def unfit(table: str) -> CopyRefused:
    """For a table with a value, or without a row, that only damage can have brought about."""
    return CopyRefused(f"a row of {table} is damaged; `python -m bot check` on the source may say more")


def digests(rows: Iterable[Sequence[Any]]) -> dict[str, str]:
    """By game: a digest of its log, the same in every kind of database."""
    return {game: _digest(events) for game, events in groupby(rows, itemgetter(0))}


def _digest(events: Iterable[Sequence[Any]]) -> str:
    digest = hashlib.sha256()
    for _, version, kind, codec, body, at in events:
        digest.update(f"{version} {kind} {codec} {_plain(body)} {at}\n".encode())
    return digest.hexdigest()


def _plain(body: Any) -> str:
    """The same text for the same value; a damaged one, which is no JSON, as it stands."""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except (ValueError, TypeError, RecursionError):
        return repr(body)
