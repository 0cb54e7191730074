"""Persistence: tables, their logs and messages, people, and the standings.

`store` has what the table needs of it, and `bot.standings.protocol` says what the standings need. A feature
has its own SQL in its folder (`Opened.part`); what an export, a deletion or a move must know of its tables is
here, so that they are complete even where the feature is not offered. Every statement and every rule about
data is written once, as PostgreSQL spells it, in modules by concept (`tables`, `people`, `decks` ...) on the
connections of `connection`. `drivers` has a package for each kind of database: SQLite, one file and the
default, and PostgreSQL. `opening` chooses the driver by DATABASE.

A change of the schema is a migration in both drivers (`drivers.migrations`). Beside its concept's module,
it touches those that know every table: `people` (export, forgetting), `left_servers`, `copies` (move) and
`examination` (check). No rule of cribbage, no Discord connection.
"""

from bot.store.store import Store

__all__ = ["Store"]
