"""Servers that have removed the bot: since when, and what is deleted of one in the end.

A finished game stays with the people who played it, in what they have done everywhere, and no longer names
the server. Its messages go, and so does all that was added up there: figures, leaderboards and ratings. It is
done a few games at a time, so that nobody waits. Plain functions inside somebody's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Set as AbstractSet

from bot.store.protocol import Judged
from bot.store.sqlite import clubs

_AT_ONCE = 20
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
    for table in ("games", "daily_here")
)
"""All that games or daily hands name, found by an index without looking at each row."""

_OF_A_GAME = (
    "DELETE FROM posts WHERE game = :game",
    "DELETE FROM rating_changes WHERE number = (SELECT number FROM results WHERE game = :game)",
    "UPDATE results SET guild = NULL WHERE game = :game",
    # Nothing is left to be told there.
    "UPDATE games SET guild = NULL, channel = 0, place = '', told = version WHERE id = :game",
)

_OF_THE_SERVER = (
    "careers",
    "computer_records",
    "tallies",
    "ratings",
    "wall",
    "servers",
    "daily_here",
    "daily_posts",
    "left_servers",
)
"""The tables with rows of a server, beside its games."""


def changes(
    connection: sqlite3.Connection, present: AbstractSet[int], judged: Judged
) -> tuple[set[int], set[int]]:
    """Which servers the bot has left that are not noted, and which are noted though it is there.

    Those that it has left are all that games, daily hands or club events name, but those where it is.
    """
    named = {guild for servers in _SERVERS for (guild,) in connection.execute(servers)}
    named |= clubs.servers(connection)
    noted = {guild for (guild,) in connection.execute("SELECT guild FROM left_servers")}
    return {each for each in named - present - noted if judged(each)}, noted & present


def note(connection: sqlite3.Connection, present: AbstractSet[int], now: int, judged: Judged) -> None:
    """Note which servers the bot has left, and since when."""
    left, back = changes(connection, present, judged)
    connection.executemany(
        "INSERT INTO left_servers (guild, since) VALUES (?, ?)", [(guild, now) for guild in left]
    )
    connection.executemany("DELETE FROM left_servers WHERE guild = ?", [(guild,) for guild in back])


def forget_some(connection: sqlite3.Connection, until: int) -> tuple[str, ...] | None:
    """Delete some of what belongs to a server that was left by then.

    Returns which games have changed; `None` when all is done. Somebody whose own data is just being deleted
    goes first: they are replaced server by server. A server with a game that is not over waits for its end.
    """
    if connection.execute("SELECT 1 FROM leaving").fetchone() is not None:
        return None
    row = connection.execute(
        """
        SELECT guild FROM left_servers WHERE since <= ? AND NOT EXISTS (
            SELECT 1 FROM games WHERE games.guild = left_servers.guild AND status IN ('gathering', 'playing'))
        LIMIT 1
        """,
        (until,),
    ).fetchone()
    if row is None:
        return None
    guild = row["guild"]
    games = connection.execute("SELECT id FROM games WHERE guild = ? LIMIT ?", (guild, _AT_ONCE)).fetchall()
    for (game,) in games:
        for statement in _OF_A_GAME:
            connection.execute(statement, {"game": game})
    if not games:
        clubs.forget_server(connection, guild)
        for name in _OF_THE_SERVER:
            connection.execute(f"DELETE FROM {name} WHERE guild = ?", (guild,))  # noqa: S608 -- names of ours
    return tuple(game for (game,) in games)
