"""The PostgreSQL driver, by asyncpg: for a bot that has outgrown a file, or runs as several processes.

A write is one transaction in `READ COMMITTED`, on a connection of the pool, with `synchronous_commit` on. A
work that reads before it writes locks what it has read: a change of a game locks the game's row, of a club
event the event's row, and of the projection its one row. A work that locks several games does so in order of
opening. The end of a game locks the table of finished games, so that their numbers are committed in order. A
unique index refuses concurrent inserts that no row lock covers, such as two tables in one channel; the second
transaction is retried, and finds the first one's row.
"""

from bot.store.drivers.postgresql.database import PostgresDatabase
from bot.store.drivers.postgresql.hints import PostgresHints
from bot.store.drivers.postgresql.leases import PostgresLeases
from bot.store.drivers.postgresql.lock import only_bot_on
from bot.store.drivers.postgresql.open_hands import PostgresOpenHands
from bot.store.drivers.postgresql.pacing import SharedPacing

__all__ = [
    "PostgresDatabase",
    "PostgresHints",
    "PostgresLeases",
    "PostgresOpenHands",
    "SharedPacing",
    "only_bot_on",
]
