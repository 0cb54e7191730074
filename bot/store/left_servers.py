"""Servers that have removed the bot, and places that it was never in: their data is deleted after a time.

A finished game stays in its players' statistics over all servers, and no longer names the server. Its
messages are deleted, as are the server's statistics, leaderboards and ratings. Each transaction takes a few
games, so that play does not wait. Functions inside a transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from bot.store import clubs
from bot.store.connection import Connection

Judged: TypeAlias = Callable[[int], bool]
"""True for a server whose shard this process owns, so that it knows if the bot is in the server."""


def every_server(_: int) -> bool:
    """The `Judged` of a bot with one process, which owns all shards."""
    return True


AT_ONCE = 20
"""Games in a transaction."""

_SERVERS = tuple(
    f"""
    WITH RECURSIVE servers (guild) AS (
        SELECT min(guild) FROM {table} WHERE guild IS NOT NULL
        UNION ALL
        SELECT (SELECT min(guild) FROM {table} WHERE guild > servers.guild) FROM servers
        WHERE servers.guild IS NOT NULL
    )
    SELECT guild FROM servers WHERE guild IS NOT NULL
    """  # noqa: S608 -- names of ours
    for table in ("games", "daily_here", "squares_shared")
)
"""Select the servers that games or days name: a loose index scan, which does not read each row."""

_OF_THE_GAMES = (
    "DELETE FROM posts WHERE game = ANY($1)",
    "DELETE FROM rating_changes WHERE number IN (SELECT number FROM results WHERE game = ANY($1))",
    "UPDATE results SET guild = NULL WHERE game = ANY($1)",
    # Nothing is left to sync there.
    "UPDATE games SET guild = NULL, channel = 0, place = '', told = version WHERE id = ANY($1)",
)

_OF_A_PLACE = (
    "DELETE FROM posts WHERE game = ANY($1)",
    "UPDATE games SET channel = 0, outside = NULL, told = version WHERE id = ANY($1)",
)
"""Statements that remove messages and ids of the games in a place without the bot."""

_OF_THE_SERVER = (
    "careers",
    "computer_records",
    "tallies",
    "ratings",
    "wall",
    "servers",
    "daily_here",
    "daily_posts",
    "season_posts",
    "season_zones",
    "squares_shared",
    "left_servers",
)
"""The tables with a server's rows, except its games."""


async def changes(
    connection: Connection, present: AbstractSet[int], judged: Judged
) -> tuple[set[int], set[int]]:
    """The servers to note, which the bot has left, and the noted ones to delete, which it has joined again.

    Left servers are those that games, days or club events name and that are not `present`.
    """
    named = await clubs.servers(connection)
    for statement in _SERVERS:
        named |= {row["guild"] for row in await connection.fetch(statement)}
    noted = {row["guild"] for row in await connection.fetch("SELECT guild FROM left_servers")}
    return {each for each in named - present - noted if judged(each)}, noted & present


async def note(connection: Connection, present: AbstractSet[int], now: int, judged: Judged) -> None:
    """Note the servers that the bot has left, with the time; delete notes of those it has rejoined."""
    left, back = await changes(connection, present, judged)
    await connection.executemany(
        "INSERT INTO left_servers (guild, since) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [(guild, now) for guild in left],
    )
    await connection.execute("DELETE FROM left_servers WHERE guild = ANY($1)", list(back))


async def forget_some(connection: Connection, until: int) -> tuple[str, ...] | None:
    """Delete part of the data of a server that was left by `until`.

    Returns the ids of the changed games; `None` if there is nothing to do: no server is due, each has an open
    game, or the deletion of a person's data is pending, which goes first as it works server by server.
    """
    if await connection.fetchval("SELECT 1 FROM leaving LIMIT 1") is not None:
        return None
    guild = await connection.fetchval(
        """
        SELECT guild FROM left_servers WHERE since <= $1 AND NOT EXISTS (
            SELECT 1 FROM games WHERE games.guild = left_servers.guild AND status IN ('gathering', 'playing'))
        LIMIT 1
        """,
        until,
    )
    if guild is None:
        return None
    found = await connection.fetch(
        "SELECT id FROM games WHERE guild = $1 ORDER BY number LIMIT $2 FOR NO KEY UPDATE", guild, AT_ONCE
    )
    games = [row["id"] for row in found]
    for statement in _OF_THE_GAMES if games else ():
        await connection.execute(statement, games)
    if not games:
        await clubs.forget_server(connection, guild)
        for name in _OF_THE_SERVER:
            await connection.execute(f"DELETE FROM {name} WHERE guild = $1", guild)  # noqa: S608 -- names of ours
    return tuple(games)


async def forget_places(connection: Connection, until: int) -> tuple[str, ...]:
    """Delete where games were played without the bot, in channels with no play since `until`; some at once.

    Returns the ids of those games.
    """
    found = await connection.fetch(
        """
        SELECT id FROM games WHERE venue = 'anywhere' AND channel <> 0 AND NOT EXISTS (
            SELECT 1 FROM games AS other WHERE other.venue = 'anywhere' AND other.channel = games.channel
            AND (other.status IN ('gathering', 'playing') OR other.updated_at > $1))
        ORDER BY number LIMIT $2 FOR NO KEY UPDATE
        """,
        until,
        AT_ONCE,
    )
    games = tuple(row["id"] for row in found)
    for statement in _OF_A_PLACE if games else ():
        await connection.execute(statement, list(games))
    return games
