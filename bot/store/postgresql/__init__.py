"""The store in a PostgreSQL database, by asyncpg: for an owner whose bot has outgrown a file.

A call is one transaction on a connection of the pool, with `synchronous_commit` on, and in `READ COMMITTED`.
What reads before it writes locks what it has read: a change of a game locks the game's row, a change of an
event of a club the event's row, and a step of the projection its one row. Whoever locks several games does so
in the order in which they were opened. The end of a game locks the table of finished games, so that their
order is the one in which they are committed. What two transactions write at the same moment all the same, as
two tables in one channel, a unique index refuses, and the second one is run again and finds the first.

Texts may hold a NUL here too, which PostgreSQL's cannot (`database`).
"""

from bot.store.postgresql.clubs import PostgresClubs
from bot.store.postgresql.database import Database
from bot.store.postgresql.hints import PostgresHints
from bot.store.postgresql.leases import PostgresLeases
from bot.store.postgresql.lock import only_bot_on
from bot.store.postgresql.open_hands import PostgresOpenHands
from bot.store.postgresql.pacing import SharedPacing
from bot.store.postgresql.standings import standings_in
from bot.store.postgresql.store import PostgresStore

__all__ = [
    "Database",
    "PostgresClubs",
    "PostgresHints",
    "PostgresLeases",
    "PostgresOpenHands",
    "PostgresStore",
    "SharedPacing",
    "only_bot_on",
    "standings_in",
]
