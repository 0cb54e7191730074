"""The SQL of a club's year: the ended events of a server, and how many nights count."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence

from bot.features.clubs.event import Event
from bot.features.clubs.store import event_of
from bot.features.clubs.year import FIRST, LAST, ClubYear, start_of, year_of, year_rows
from bot.model.errors import Refused
from bot.store.connection import Connection, Database, Row

log = logging.getLogger(__name__)

_OF_THE_YEAR = """
    guild = $1 AND begun >= $2 AND begun < $3 AND phase IN ('over', 'closed')
"""

_OTHER_YEARS = """
    SELECT max(CASE WHEN begun < $2 THEN begun END) AS before,
        min(CASE WHEN begun >= $3 THEN begun END) AS after
    FROM clubs WHERE guild = $1 AND begun >= $4 AND begun < $5 AND phase IN ('over', 'closed')
"""

_BEST = "SELECT best FROM club_years WHERE guild = $1 AND year <= $2 ORDER BY year DESC LIMIT 1"


class YearStore:
    """The years of clubs. Each call is one transaction; it may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def year(self, guild: int, year: int) -> ClubYear:
        """The server's year, as its results stand now."""

        async def work(connection: Connection) -> ClubYear:
            asked = guild, start_of(year), start_of(year + 1)
            events = await _events(connection, *asked)
            chosen = await connection.fetchval(_BEST, guild, year)
            best = chosen if chosen is None or chosen > 0 else None
            hidden = {row["user"] for row in await connection.fetch('SELECT "user" FROM hidden')}
            others = await connection.fetchrow(_OTHER_YEARS, *asked, start_of(FIRST), start_of(LAST + 1))
            return ClubYear(
                year=year,
                nights=sum(any(each.outcome for each in event.pairings) for event in events),
                best=best,
                rows=year_rows(events, best, hidden),
                before=None if others["before"] is None else year_of(others["before"]),
                after=None if others["after"] is None else year_of(others["after"]),
            )

        return await self._database.read_slow(work)

    async def count_best(self, guild: int, year: int, best: int | None) -> None:
        """Let each person's `best` nights count, from that year on; all of them with `None`."""

        async def work(connection: Connection) -> None:
            await connection.execute(
                """
                INSERT INTO club_years (guild, year, best) VALUES ($1, $2, $3)
                ON CONFLICT (guild, year) DO UPDATE SET best = excluded.best
                """,
                *(guild, year, best),
            )

        await self._database.write(work)


async def _events(connection: Connection, guild: int, start: int, end: int) -> Sequence[Event]:
    """The ended events that began in that time, in order; damaged ones are left out."""
    ids = f"SELECT id FROM clubs WHERE {_OF_THE_YEAR}"  # noqa: S608 -- SQL of this module's own, as below
    asked = guild, start, end
    events = await connection.fetch(f"SELECT * FROM clubs WHERE {_OF_THE_YEAR} ORDER BY begun, id", *asked)  # noqa: S608
    entrants: defaultdict[int, list[Row]] = defaultdict(list)
    for row in await connection.fetch(
        f"SELECT * FROM club_entrants WHERE club IN ({ids}) ORDER BY club, number",  # noqa: S608
        *asked,
    ):
        entrants[row["club"]].append(row)
    pairings: defaultdict[int, list[Row]] = defaultdict(list)
    for row in await connection.fetch(
        f"SELECT * FROM club_pairings WHERE club IN ({ids}) ORDER BY club, round, place",  # noqa: S608
        *asked,
    ):
        pairings[row["club"]].append(row)
    found = []
    for row in events:
        try:
            found.append(event_of(row, entrants[row["id"]], pairings[row["id"]]))
        except Refused:
            log.warning("club event %d cannot be read, and is left out of its year", row["id"])
    return found
