"""What outlives the process, in one SQLite file: tables, their logs, their messages, and the standings.

`protocol` is what the bot asks of it, and `sqlite` the implementation; those of the standings' three
protocols are `projection`, `standings_queries` and `people`. No rule of cribbage, no Discord connection.
"""

from bot.store.protocol import RESTING, SETTLED, Store
from bot.store.sqlite import SqliteStore

__all__ = ["RESTING", "SETTLED", "SqliteStore", "Store"]
