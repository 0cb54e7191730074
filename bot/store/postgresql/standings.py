"""The standings of a database: projection, queries, people's data and daily hands, put together."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.standings.protocol import Standings
from bot.store.postgresql.daily import PostgresDaily
from bot.store.postgresql.database import Database
from bot.store.postgresql.people import PostgresPeople
from bot.store.postgresql.projection import PostgresProjection
from bot.store.postgresql.standings_queries import PostgresStandingsQueries


def standings_in(database: Database, clock: Callable[[], float] = time.time) -> Standings:
    """The standings of a database that a store has opened, and closes. `clock` is in seconds since 1970."""
    return Standings(
        projection=PostgresProjection(database),
        queries=PostgresStandingsQueries(database, clock),
        people=PostgresPeople(database, clock),
        daily=PostgresDaily(database),
    )
