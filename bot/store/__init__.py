"""What outlives the process: tables, their logs, and where their messages stand."""

from bot.store.protocol import SETTLED, Store
from bot.store.sqlite import SqliteStore

__all__ = ["SETTLED", "SqliteStore", "Store"]
