"""Numbered SQL files that migrate a schema, forward only.

Each driver numbers its own, up to 30 for SQLite and 2 for PostgreSQL. From 31 on a number means the same
change in both: its text is in `bot/store/migrations` if both take the same one, otherwise in each driver's
`migrations`. A migration that needs more than SQL has a step, too. A released migration never changes.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from bot.store.connection import Work

STEPS: dict[int, Work[Any]] = {}
"""By number of a migration: the work that follows its SQL, in the same transaction."""


def migrations_of(driver: str) -> dict[int, str]:
    """The SQL of every migration by its number, in order; `driver` is the name of the driver's package."""
    found = {}
    for package in (driver, "bot.store"):
        folder = files(package) / "migrations"
        for each in folder.iterdir() if folder.is_dir() else ():
            if each.name.endswith(".sql"):
                found[int(each.name.partition("_")[0])] = each.read_text(encoding="utf-8")
    return dict(sorted(found.items()))
