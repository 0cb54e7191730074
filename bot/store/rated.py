"""The ratings of a server, updated by each game in the order of finishing.

Functions inside a transaction that has locked the projection. `bot.standings.ratings` says which games are
rated; a game belongs to the day (UTC) on which it ended.
"""

from __future__ import annotations

from bot.standings.ratings import RATED_A_DAY, Kind, Rating, rated
from bot.store.connection import Connection
from bot.store.finished_games import is_rating

_DAY = 86_400

_GAME = "SELECT guild, at, seats, winner FROM results WHERE number = $1 AND long_enough AND NOT with_computer"

_SAME_DAY = """
    SELECT count(*) FROM result_seats AS mine JOIN results USING (number)
    WHERE mine."user" = $1 AND number < $2 AND number >= (
        SELECT number FROM results WHERE guild = $3 AND at >= $4 ORDER BY at, number LIMIT 1)
    AND guild = $3 AND at >= $4 AND at < $4 + 86400 AND seats = $5
    AND EXISTS (SELECT 1 FROM rating_changes WHERE edition = $6 AND rating_changes.number = mine.number)
    AND NOT EXISTS (
        SELECT 1 FROM result_seats AS other
        WHERE other.number = mine.number AND other."user" != ALL($7::bigint[]))
"""
"""The number of rated games of exactly these people that ended earlier on that day."""


async def rate(connection: Connection, edition: int, number: int) -> None:
    """Apply a game to the ratings of an edition, which has all earlier ones."""
    game = await connection.fetchrow(_GAME, number)
    if game is None or game["guild"] is None:
        return
    side_of = connection.dialect.of_part("side")
    seats = await connection.fetch(
        f'SELECT seat, "user", {side_of} AS side FROM result_seats WHERE number = $1 ORDER BY seat',  # noqa: S608 -- SQL of ours
        number,
    )
    known = {row["side"] for row in seats}
    if None in known or not 0 <= game["winner"] < len(known):
        return  # the row is damaged
    sides = [[row for row in seats if row["side"] == side] for side in sorted(known)]
    people = [row["user"] for row in seats]
    day = game["at"] - game["at"] % _DAY
    values = (people[0], number, game["guild"], day, game["seats"], edition, people)
    if await connection.fetchval(_SAME_DAY, *values) >= RATED_A_DAY:
        return
    kind = Kind.of(game["seats"])
    before = [
        [await rating(connection, edition, game["guild"], kind, row["user"]) for row in side]
        for side in sides
    ]
    after = rated(before, game["winner"])
    changed = [
        (row, old, new)
        for side, olds, news in zip(sides, before, after, strict=True)
        for row, old, new in zip(side, olds, news, strict=True)
    ]
    await connection.executemany(
        "INSERT INTO rating_changes (edition, number, seat, before, after) VALUES ($1, $2, $3, $4, $5)",
        [(edition, number, row["seat"], old.shown, new.shown) for row, old, new in changed],
    )
    await connection.executemany(
        """
        INSERT INTO ratings (edition, guild, kind, "user", mu, sigma, games, shown)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (edition, guild, kind, "user") DO UPDATE SET
            mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, shown = excluded.shown
        """,
        [
            (edition, game["guild"], kind.value, row["user"], new.mu, new.sigma, new.games, new.shown)
            for row, _, new in changed
        ],
    )


async def rating(connection: Connection, edition: int, guild: int, kind: Kind, user: int) -> Rating:
    """The person's rating; a newcomer's if there is none, or it is damaged."""
    row = await connection.fetchrow(
        """
        SELECT mu, sigma, games FROM ratings
        WHERE edition = $1 AND guild = $2 AND kind = $3 AND "user" = $4
        """,
        *(edition, guild, kind.value, user),
    )
    return Rating(*row) if row and is_rating(*row) else Rating()
