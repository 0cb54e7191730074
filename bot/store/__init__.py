"""What outlives the process: tables, their logs, their messages, the standings, and club nights.

`protocol` is what the bot asks of it beside `bot.standings.protocol`, `bot.features.daily.hands` and
`bot.features.clubs.protocol`. There are two stores that fulfil these, in a package each: `sqlite`, one file
and the default, and `postgresql`, for an owner whose bot has outgrown a file.

Each has its own SQL and its own migrations, forward only. No SQL layer of ours stands between them and
their databases, as what is fast and safe differs: SQLite has one writer, which is our own thread, while
PostgreSQL has many, so that a change there locks the row of its game. What is the same in both stands here:
`records` makes records of rows, `damage` tells what cannot be read, and the contract suites of the tests run
on both. No rule of cribbage, no Discord connection.
"""

from bot.store.protocol import RESTING, SETTLED, Store

__all__ = ["RESTING", "SETTLED", "Store"]
