"""What outlives the process: tables, their logs, their messages, the standings, and club nights.

`protocol` is what the bot asks of it beside `bot.standings.protocol`, `bot.features.daily.hands` and
`bot.features.clubs.protocol`. The SQL is written once, against `connection`, and runs on two drivers
(`drivers`): SQLite, one file and the default, and PostgreSQL, for an owner whose bot has outgrown a file.
`records` makes records of rows, `damage` tells what cannot be read, and the contract suites of the tests run
on both drivers. No rule of cribbage, no Discord connection.
"""

from bot.store.protocol import RESTING, SETTLED, Store

__all__ = ["RESTING", "SETTLED", "Store"]
