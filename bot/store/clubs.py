"""Club events of a person or a server, whether or not the feature is offered: exported, and forgotten.

A person is replaced by a pseudonym in each event, so that what others played stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.store.connection import Connection, Row

_ENTERED = """
    SELECT clubs.*, own.name AS your_name, own.presence, coalesce(own.captain, own.number) AS side,
        EXISTS (
            SELECT 1 FROM club_entrants AS partner
            WHERE partner.club = own.club
                AND (partner.number = own.captain OR partner.captain = own.number)
        ) AS is_teamed
    FROM club_entrants AS own JOIN clubs ON clubs.id = own.club
    WHERE own."user" = $1 ORDER BY clubs.id
"""

SLAM = 3
"""Minimum number of games that were played to their end in a grand slam."""

_SLAMS = """
    SELECT "user", max(name) AS name, count(*) AS slams FROM (
        SELECT own.club, own.number, own."user", own.name
        FROM clubs JOIN club_entrants AS own ON own.club = clubs.id
        JOIN club_pairings AS met ON met.club = own.club
            AND coalesce(own.captain, own.number) IN (met.home, met.away)
        WHERE phase = 'over' AND own."user" > 0 AND own.level IS NULL AND {where}
        GROUP BY own.club, own.number, own."user", own.name, clubs.round
        HAVING count(*) FILTER (WHERE met.winner = coalesce(own.captain, own.number)) = clubs.round
            AND count(*) FILTER (WHERE ended IN ('win', 'skunk')) >= $1
    ) AS slammed GROUP BY "user" ORDER BY "user"
"""

_OWN_GAMES = """
    SELECT * FROM club_pairings WHERE club = $1 AND (home = $2 OR away = $2) ORDER BY round, place
"""


async def known_of(connection: Connection, user: int) -> list[dict[str, Any]]:
    """The person's club events for their export, without names of others."""
    return [
        {
            "event": row["name"],
            "server": str(row["guild"]),
            "channel": str(row["channel"]),
            "phase": row["phase"],
            "your_name": row["your_name"],
            "presence": row["presence"],
            "has_a_partner": bool(row["is_teamed"]),
            "games": [
                _own_game(each, row["side"])
                for each in await connection.fetch(_OWN_GAMES, row["id"], row["side"])
            ],
        }
        for row in await connection.fetch(_ENTERED, user)
    ]


def _own_game(row: Row, side: int) -> dict[str, Any]:
    is_over = row["ended"] is not None
    return {
        "round": row["round"],
        "game": row["game"],
        "thread": None if row["thread"] is None else str(row["thread"]),
        "result": row["ended"],
        "won": row["winner"] == side if is_over else None,
        "corrected": is_over and bool(row["corrected"]),
    }


async def slams(
    connection: Connection, guild: int | None, user: int | None = None
) -> dict[int, tuple[int, str]]:
    """By person: the number of their grand slams, and a name of theirs; of one person, or of everybody.

    A grand slam is an event that the person, or their team, has won all games of: byes and forfeits are won,
    and at least `SLAM` games were played to their end. Without a server it is of any.
    """
    asked = {"guild": guild, 'own."user"': user}
    values = {name: value for name, value in asked.items() if value is not None}
    where = " AND ".join(f"{name} = ${place}" for place, name in enumerate(values, 2))
    rows = await connection.fetch(_SLAMS.format(where=where or "true"), SLAM, *values.values())
    return {row["user"]: (row["slams"], row["name"]) for row in rows}


async def names_of(connection: Connection, user: int) -> set[str]:
    """The names under which the person has signed up."""
    rows = await connection.fetch('SELECT DISTINCT name FROM club_entrants WHERE "user" = $1', user)
    return {row["name"] for row in rows}


async def forget_person(connection: Connection, user: int, new_pseudonym: Callable[[], int]) -> None:
    """Replace the person by a new pseudonym in each event, which they have left."""
    rows = """
        SELECT club, number, phase FROM club_entrants JOIN clubs ON id = club
        WHERE "user" = $1 ORDER BY club
    """
    for row in await connection.fetch(rows, user):
        if row["phase"] == "gathering":
            await end_team(connection, row["club"], row["number"])
        await connection.execute(
            """
            UPDATE club_entrants SET "user" = $1, name = '', presence = 'left' WHERE club = $2 AND "user" = $3
            """,
            *(new_pseudonym(), row["club"], user),
        )


async def forget_server(connection: Connection, guild: int) -> None:
    """Delete the server's events, its organisers' role, and how its years count."""
    await connection.execute("DELETE FROM clubs WHERE guild = $1", guild)
    await connection.execute("DELETE FROM club_organisers WHERE guild = $1", guild)
    await connection.execute("DELETE FROM club_years WHERE guild = $1", guild)


async def servers(connection: Connection) -> set[int]:
    """The servers with events, organisers, or a choice for their years."""
    found = await connection.fetch(
        "SELECT guild FROM clubs UNION SELECT guild FROM club_organisers UNION SELECT guild FROM club_years"
    )
    return {row["guild"] for row in found}


async def end_team(connection: Connection, club: int, number: int) -> None:
    """Dissolve the entrant's team, if they are in one."""
    await connection.execute(
        "UPDATE club_entrants SET captain = NULL WHERE club = $1 AND (number = $2 OR captain = $2)",
        *(club, number),
    )
