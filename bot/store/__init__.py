"""What outlives the process: tables, their logs, and where their messages stand."""

from bot.store.protocol import RESTING, SETTLED, Store
from bot.store.sqlite import SqliteStore

__all__ = ["RESTING", "SETTLED", "SqliteStore", "Store"]
