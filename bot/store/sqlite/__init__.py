"""The store in one SQLite file: nothing to install, and right for a bot of one process."""

from bot.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
