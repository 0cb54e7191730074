"""The standings of a database: projection, queries, people's data and daily hands, put together."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.standings.protocol import Standings
from bot.store.sqlite.daily import SqliteDaily
from bot.store.sqlite.database import Database
from bot.store.sqlite.people import SqlitePeople
from bot.store.sqlite.projection import SqliteProjection
from bot.store.sqlite.standings_queries import SqliteStandingsQueries


def standings_in(database: Database, clock: Callable[[], float] = time.time) -> Standings:
    """The standings of a database that a store has opened, and closes. `clock` is in seconds since 1970."""
    return Standings(
        projection=SqliteProjection(database),
        queries=SqliteStandingsQueries(database, clock),
        people=SqlitePeople(database, clock),
        daily=SqliteDaily(database),
    )
