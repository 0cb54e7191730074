"""The standings of one database: projection, queries, people's data and daily hands."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.standings.protocol import Standings
from bot.store.connection import Database
from bot.store.daily import SqlDaily
from bot.store.people import SqlPeople
from bot.store.projection import SqlProjection
from bot.store.standings_queries import SqlStandingsQueries


def standings_in(database: Database, clock: Callable[[], float] = time.time) -> Standings:
    """The standings of an open database. `clock` returns the time in seconds since 1970."""
    return Standings(
        projection=SqlProjection(database),
        queries=SqlStandingsQueries(database, clock),
        people=SqlPeople(database, clock),
        daily=SqlDaily(database),
    )
