"""Numbered SQL files that migrate a schema, forward only.

A number means the same change in both drivers; each has its own text for it, in its package's `migrations`.
The first makes all tables. Databases with lower numbers are of development versions, and are refused. A
released migration never changes.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files

from bot.model.errors import DatabaseOfDevelopment, DatabaseTooNew


def migrations_of(driver: str) -> dict[int, str]:
    """The SQL of every migration by its number, in order; `driver` is the name of the driver's package."""
    found = {
        int(each.name.partition("_")[0]): each.read_text(encoding="utf-8")
        for each in (files(driver) / "migrations").iterdir()
        if each.name.endswith(".sql")
    }
    return dict(sorted(found.items()))


def refuse_unknown(schema: int, known: Collection[int]) -> None:
    """Raises `DatabaseTooNew` and `DatabaseOfDevelopment` for a schema that no known migration leads from.

    `schema` is the number of the database's last migration; 0 is a new database.
    """
    if schema > max(known):
        raise DatabaseTooNew(schema, max(known))
    if 0 < schema < min(known):
        raise DatabaseOfDevelopment(schema, min(known))
