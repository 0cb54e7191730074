"""Numbered SQL files: how a schema came to be what it is, forward only.

Up to 30 for SQLite and 2 for PostgreSQL each kind of database numbered its own. From 31 on a number means the
same change in both. Its text stands in `bot/store/migrations` if both kinds take the same one, otherwise in
each driver's `migrations`. A migration that was released never changes.
"""

from __future__ import annotations

from importlib.resources import files


def migrations_of(driver: str) -> dict[int, str]:
    """The SQL of every migration by its number, in order; `driver` is the name of the driver's package."""
    found = {}
    for package in (driver, "bot.store"):
        folder = files(package) / "migrations"
        for each in folder.iterdir() if folder.is_dir() else ():
            if each.name.endswith(".sql"):
                found[int(each.name.partition("_")[0])] = each.read_text(encoding="utf-8")
    return dict(sorted(found.items()))
