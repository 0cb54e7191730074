"""The PostgreSQL driver, by asyncpg: for a bot that has outgrown a file, or runs as several processes.

A call is one transaction on a connection of the pool, with `synchronous_commit` on, in `READ COMMITTED`. A
work that reads before it writes locks what it has read: a change of a game locks the game's row, of a club
the club's row, and of the projection its one row. A work that locks several games does so in the order in
which they were opened. The end of a game locks the table of finished games, so that their numbers are
committed in order. What two transactions insert at the same moment in spite of that, such as two tables in
one channel, a unique index refuses; the second transaction is run again, and finds the first.
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
