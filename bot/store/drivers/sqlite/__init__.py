"""The SQLite driver: one file, nothing to install, for a bot of one process."""

from bot.store.drivers.sqlite.database import SqliteDatabase
from bot.store.drivers.sqlite.lock import only_bot_on

__all__ = ["SqliteDatabase", "only_bot_on"]
