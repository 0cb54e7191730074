"""The milestones of a finished game (`bot.standings.milestones`), from the results. Inside a transaction."""

from __future__ import annotations

from bot.model.great_moments import LONG_WAY
from bot.standings.milestones import GAMES, HANDS, TWENTY, Milestone, Played, reached
from bot.store.connection import Connection, Row
from bot.store.finished_games import is_usual
from engine.computer import Level

_SEATS = f"""
    SELECT own.number, own.seat, own."user", own.won, with_computer,
        coalesce({{own_side}}, 0) AS side, coalesce({{own_best}}, 0) AS best,
        coalesce({{own_comeback}}, 0) AS comeback, coalesce({{own_aloud}}, 0) AS aloud
    FROM results JOIN result_seats AS own USING (number)
    WHERE game = $1 AND {is_usual()} ORDER BY own.seat
"""  # noqa: S608 -- SQL of this module's own

_COMPUTERS = """
    SELECT computer, coalesce({side}, 0) AS side FROM result_seats WHERE number = $1 AND computer IS NOT NULL
"""

_BEFORE = f"""
    FROM result_seats AS past JOIN results AS earlier USING (number)
    WHERE past."user" = $1 AND past.number < $2 AND {is_usual("earlier")}
"""

_GAMES = f"SELECT count(*) FROM (SELECT 1 {_BEFORE} LIMIT {max(GAMES.values())}) AS counted"  # noqa: S608 -- as above
_HAD = f"SELECT 1 {_BEFORE} AND {{what}} ORDER BY past.number DESC LIMIT 1"
"""True for somebody who did `what` before, the newest game first."""

_BEATEN = """
    won AND EXISTS (
        SELECT 1 FROM result_seats AS other
        WHERE other.number = past.number AND other.computer = $3 AND {other_side} != {past_side})
"""


async def milestones(connection: Connection, game: str) -> tuple[tuple[Milestone, ...], ...]:
    """See `StandingsQueries.milestones`. What a game cannot have reached is not read."""
    of_part = connection.dialect.of_part
    own = {
        "own_side": of_part("side", "own"),
        "own_best": of_part("figures.best.points", "own"),
        "own_comeback": of_part("comeback", "own"),
        "own_aloud": of_part("figures.aloud", "own"),
    }
    rows = await connection.fetch(_SEATS.format(**own), game)
    return tuple([await _reached(connection, row) for row in rows])


async def _reached(connection: Connection, row: Row) -> tuple[Milestone, ...]:
    if row["user"] is None or row["user"] < 0:
        return ()
    of_part = connection.dialect.of_part

    async def had(what: str, *values: object) -> bool:
        statement = _HAD.format(what=what)
        return await connection.fetchval(statement, row["user"], row["number"], *values) is not None

    beaten = await _beaten(connection, row) if row["won"] and row["with_computer"] else frozenset()
    had_beaten = _BEATEN.format(other_side=of_part("side", "other"), past_side=of_part("side", "past"))
    comeback, best = of_part("comeback", "past"), of_part("figures.best.points", "past")
    # A game whose figures are still to be computed again may have been one: nothing is told twice.
    aloud = f"coalesce({of_part('figures.aloud', 'past')}, {TWENTY})"
    return reached(
        Played(
            won=bool(row["won"]),
            beaten=beaten,
            comeback=row["comeback"],
            best=row["best"],
            aloud=row["aloud"],
            had_counted=row["aloud"] >= TWENTY and await had(f"{aloud} >= {TWENTY}"),
            games=1 + await connection.fetchval(_GAMES, row["user"], row["number"]),
            had_won=bool(row["won"]) and await had("won AND NOT with_computer"),
            had_beaten=frozenset([level for level in beaten if await had(had_beaten, level.value)]),
            had_come_back=row["comeback"] >= LONG_WAY and await had(f"{comeback} >= {LONG_WAY}"),
            best_before=max(
                [
                    points
                    for points in HANDS.values()
                    if points <= row["best"] and await had(f"{best} >= {points}")
                ],
                default=0,
            ),
        ),
        among_people=not row["with_computer"],
    )


async def _beaten(connection: Connection, row: Row) -> frozenset[Level]:
    """The levels of the computers on the other sides."""
    others = await connection.fetch(_COMPUTERS.format(side=connection.dialect.of_part("side")), row["number"])
    known = {level.value: level for level in Level}
    return frozenset(
        known[each["computer"]]
        for each in others
        if each["side"] != row["side"] and each["computer"] in known
    )
