"""Databases of the first releases, made by their migrations, with rows as they wrote them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.model.table_record import Occupant
from bot.store.drivers.sqlite import schema
from engine import encode, kind_of
from engine.secret_events import LoggedEvent, PackPutDown

RELEASED = range(1, 6)
"""The schemas with a column per choice of a table, and other names for discarding."""


@dataclass(frozen=True)
class OldTable:
    """A table for such a schema."""

    game: str
    people: Sequence[Occupant]
    status: str = "gathering"
    log: Sequence[LoggedEvent] = ()
    at: int = 1_000
    choices: dict[str, Any] = field(default_factory=dict)
    """The columns of its agreement where they are not as the release filled them."""


def make(path: Path, number: int, *tables: OldTable) -> None:
    """A database of that schema with those tables in it, each in a channel of its own."""
    bring_to(path, number)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("BEGIN")
        for channel, each in enumerate(tables, 20):
            _insert(old, number, channel, each)
        old.execute("COMMIT")


def bring_to(path: Path, number: int) -> None:
    """Apply the migrations up to that number to a database of an earlier schema."""
    scripts = schema.migrations()[:number]
    with pytest.MonkeyPatch.context() as patch, closing(sqlite3.connect(path, isolation_level=None)) as old:
        patch.setattr(schema, "migrations", lambda: scripts)
        old.execute("BEGIN")
        schema.migrate(old)
        old.execute("COMMIT")


def _insert(old: sqlite3.Connection, number: int, channel: int, table: OldTable) -> None:
    facts: dict[str, Any] = {
        "id": table.game,
        "guild": 10,
        "channel": channel,
        "place": "Snug",
        "host": table.people[0].user,
        "status": "playing" if table.status == "over" else table.status,
        "players": len(table.people),
        "preset": "standard",
        "target": None,
        "partners": None,
        "aloud": 0,
        "muggins": 0,
        "won_before": "[]",
        "version": sum(not isinstance(event, PackPutDown) for event in table.log),
        "created_at": table.at,
        "updated_at": table.at,
        **({"pace": "live", "seconds": None} if number >= 2 else {}),
        **({"hints": 1} if number >= 5 else {}),
        **table.choices,
    }
    _insert_row(old, "games", facts)
    for seat, each in enumerate(table.people):
        _insert_row(old, "seats", {"game": table.game, "seat": seat, "user": each.user, "name": each.name})
    log = [event for event in table.log if not isinstance(event, PackPutDown)]
    for version, event in enumerate(log):
        kind, body = _of_version_1(event)
        facts = {"kind": kind, "codec": 1, "body": json.dumps(body), "at": table.at}
        _insert_row(old, "events", {"game": table.game, "version": version, **facts})
    if table.status == "over":
        old.execute("UPDATE games SET status = 'over' WHERE id = ?", (table.game,))


def _insert_row(old: sqlite3.Connection, name: str, facts: dict[str, Any]) -> None:
    places = ", ".join("?" * len(facts))
    old.execute(f"INSERT INTO {name} ({', '.join(facts)}) VALUES ({places})", tuple(facts.values()))


def _of_version_1(event: LoggedEvent) -> tuple[str, dict[str, Any]]:
    """The event in the first codec."""
    kind, body = kind_of(event), encode(event)
    if kind == "GameBegan":
        rules = body["rules"]
        assert isinstance(rules, dict)
        body = {"rules": {"laid_away" if key == "discarded" else key: value for key, value in rules.items()}}
    if kind in {"CutForDeal", "StarterCut"}:
        body = {"seat": body["seat"], "card": body["card"]}
    return "LaidAway" if kind == "Discarded" else kind, body
