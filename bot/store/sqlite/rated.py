"""The ratings of a server: what each game did to them, in the order of finishing.

Plain functions inside somebody's transaction. Which games are rated is said in `bot.standings.ratings`; a
game belongs to the day, by UTC, on which it ended.
"""

from __future__ import annotations

import json
import sqlite3

from bot.standings.ratings import RATED_A_DAY, Kind, Rating, rated
from bot.store.finished_games import is_rating

_DAY = 86_400

_GAME = "SELECT guild, at, seats, winner FROM results WHERE number = ? AND long_enough AND NOT with_computer"

_SEATS = """
    SELECT seat, user, CASE WHEN json_valid(part) THEN json_extract(part, '$.side') END AS side
    FROM result_seats WHERE number = ? ORDER BY seat
    """

_SAME_DAY = """
    SELECT count(*) FROM result_seats AS mine JOIN results USING (number)
    WHERE mine.user = :first AND number < :number AND number >= (
        SELECT number FROM results WHERE guild = :guild AND at >= :day ORDER BY at, number LIMIT 1)
    AND guild = :guild AND at >= :day AND at < :day + 86400 AND seats = :seats
    AND EXISTS (SELECT 1 FROM rating_changes WHERE edition = :edition AND rating_changes.number = mine.number)
    AND NOT EXISTS (
        SELECT 1 FROM result_seats AS other
        WHERE other.number = mine.number AND other.user NOT IN (SELECT value FROM json_each(:people)))
"""
"""The rated games of just these people that ended earlier on that day."""


def rate(connection: sqlite3.Connection, edition: int, number: int) -> None:
    """Bring the ratings of an edition, which has all games before this one, up to date with it."""
    game = connection.execute(_GAME, (number,)).fetchone()
    if game is None or game["guild"] is None:
        return
    seats = connection.execute(_SEATS, (number,)).fetchall()
    known = {row["side"] for row in seats}
    if None in known or not 0 <= game["winner"] < len(known):
        return  # it is damaged
    sides = [[row for row in seats if row["side"] == side] for side in sorted(known)]
    people = [row["user"] for row in seats]
    values = {
        "first": people[0],
        "number": number,
        "guild": game["guild"],
        "day": game["at"] - game["at"] % _DAY,
        "seats": game["seats"],
        "edition": edition,
        "people": json.dumps(people),
    }
    if connection.execute(_SAME_DAY, values).fetchone()[0] >= RATED_A_DAY:
        return
    kind = Kind.of(game["seats"])
    before = [
        [rating(connection, edition, game["guild"], kind, row["user"]) for row in side] for side in sides
    ]
    after = rated(before, game["winner"])
    for side, olds, news in zip(sides, before, after, strict=True):
        for row, old, new in zip(side, olds, news, strict=True):
            connection.execute(
                "INSERT INTO rating_changes (edition, number, seat, before, after) VALUES (?, ?, ?, ?, ?)",
                (edition, number, row["seat"], old.shown, new.shown),
            )
            connection.execute(
                """
                INSERT OR REPLACE INTO ratings (edition, guild, kind, user, mu, sigma, games, shown)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (edition, game["guild"], kind.value, row["user"], new.mu, new.sigma, new.games, new.shown),
            )


def rating(connection: sqlite3.Connection, edition: int, guild: int, kind: Kind, user: int) -> Rating:
    """The person's rating, a newcomer's if there is none."""
    row = connection.execute(
        "SELECT mu, sigma, games FROM ratings WHERE edition = ? AND guild = ? AND kind = ? AND user = ?",
        (edition, guild, kind.value, user),
    ).fetchone()
    return Rating(*row) if row and is_rating(*row) else Rating()
