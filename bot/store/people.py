"""All that is kept about one person in the SQLite file: exporting it, hiding it, and taking it out.

Events know seats, not people, so a log stays as it is. In the person's place comes a negative number,
another one in each server: the games of the others, and their ratings, stay as they were played.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from bot.store import table_rows
from bot.store.database import Database, person_key

_NOBODY = "SELECT min(0, ifnull(min(user), 0)) - 1 FROM seats"

_PUT_NOBODY = (
    """
    UPDATE seats SET user = :nobody, name = ''
    WHERE user = :user AND game IN (SELECT id FROM games WHERE guild IS :guild)
    """,
    """
    UPDATE result_seats SET user = :nobody
    WHERE user = :user AND number IN (SELECT number FROM results WHERE guild IS :guild)
    """,
    "UPDATE games SET host = :nobody WHERE host = :user AND guild IS :guild",
    "UPDATE games SET called = NULL WHERE called = :user AND guild IS :guild",
    "UPDATE ratings SET user = :nobody WHERE user = :user AND guild IS :guild",
)


class SqlitePeople:
    """The `PeopleData` of a database that a store has opened, and closes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the time in seconds since 1970."""
        self._database = database
        self._clock = clock

    async def is_hidden(self, user: int) -> bool:
        """See `PeopleData.is_hidden`."""
        return await self._database.read(lambda connection: _is_hidden(connection, user))

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """See `PeopleData.set_hidden`."""
        statement = (
            "INSERT OR IGNORE INTO hidden (user) VALUES (?)"
            if hidden
            else "DELETE FROM hidden WHERE user = ?"
        )
        await self._database.write(lambda connection: connection.execute(statement, (user,)))

    async def everything_about(self, user: int) -> dict[str, Any]:
        """See `PeopleData.everything_about`. Ids are texts, as Discord writes them."""
        return await self._database.read(lambda connection: _everything_about(connection, user))

    async def open_games(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.open_games`."""
        return await self._database.read(lambda connection: _open_games(connection, user))

    async def forget(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.forget`."""
        now = int(self._clock())
        try:
            return await self._database.write(lambda connection: _forget(connection, user, now))
        finally:
            self._database.outdate(person_key(user))

    async def scrub(self) -> None:
        """See `PeopleData.scrub`.

        SQLite leaves deleted text in unused parts of pages, so `VACUUM` writes the whole file again, and the
        write-ahead log is emptied. What is due stays due if this fails.
        """
        due = "SELECT count(*) FROM scrubbing"
        if not await self._database.read(lambda connection: connection.execute(due).fetchone()[0]):
            return

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            connection.execute("DELETE FROM scrubbing")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await self._database.apart(work)


def _is_hidden(connection: sqlite3.Connection, user: int) -> bool:
    return connection.execute("SELECT 1 FROM hidden WHERE user = ?", (user,)).fetchone() is not None


def _everything_about(connection: sqlite3.Connection, user: int) -> dict[str, Any]:
    settings = connection.execute(
        "SELECT dms_closed, language, always_cut FROM people WHERE user = ?", (user,)
    ).fetchone()
    seats = connection.execute(
        """
        SELECT * FROM games LEFT JOIN seats ON seats.game = games.id AND user = ?
        WHERE user IS NOT NULL OR host = ? ORDER BY number
        """,
        (user, user),
    ).fetchall()
    calls = connection.execute("SELECT id FROM games WHERE called = ? ORDER BY number", (user,))
    ratings = connection.execute("SELECT * FROM ratings WHERE user = ? ORDER BY guild, kind", (user,))
    return {
        "user": str(user),
        "hidden_from_leaderboards": _is_hidden(connection, user),
        "direct_messages_seen_closed": bool(settings and settings["dms_closed"]),
        "language": settings["language"] if settings else None,
        "always_cut_for": bool(settings and settings["always_cut"]),
        "ratings": [
            {**row, "guild": str(row["guild"]), "user": str(row["user"])} for row in ratings.fetchall()
        ],
        "asked_to_play_at": [row["id"] for row in calls.fetchall()],
        "games": [_game(connection, row, user) for row in seats],
    }


def _open_games(connection: sqlite3.Connection, user: int) -> tuple[str, ...]:
    found = connection.execute(
        """
        SELECT id FROM games WHERE status IN ('gathering', 'playing')
        AND (host = ? OR id IN (SELECT game FROM seats WHERE user = ?)) ORDER BY number
        """,
        (user, user),
    )
    return tuple(row["id"] for row in found.fetchall())


def _forget(connection: sqlite3.Connection, user: int, now: int) -> tuple[str, ...]:
    for game in _open_games(connection, user):
        connection.execute(
            """
            UPDATE games SET status = 'cancelled', called = NULL, told = version, updated_at = ? WHERE id = ?
            """,
            (now, game),
        )
        table_rows.delete_votes(connection, game)  # they name seats; but a game that is over has none
        table_rows.delete_choices(connection, game)
    connection.execute(
        """
        DELETE FROM posts WHERE seat >= 0 AND EXISTS (
            SELECT 1 FROM seats WHERE seats.game = posts.game AND seats.seat = posts.seat AND user = ?)
        """,
        (user,),
    )
    touched = connection.execute(
        """
        SELECT id, guild FROM games
        WHERE host = ? OR called = ? OR id IN (SELECT game FROM seats WHERE user = ?) ORDER BY number
        """,
        (user, user, user),
    ).fetchall()
    for guild in dict.fromkeys(row["guild"] for row in touched):
        _put_nobody(connection, user, guild)
    connection.execute("DELETE FROM people WHERE user = ?", (user,))
    connection.execute("DELETE FROM hidden WHERE user = ?", (user,))
    connection.execute("INSERT OR IGNORE INTO scrubbing (due) VALUES (1)")
    return tuple(row["id"] for row in touched)


def _put_nobody(connection: sqlite3.Connection, user: int, guild: int | None) -> None:
    """Replace the person in one server, or in the games that belong to none."""
    nobody = connection.execute(_NOBODY).fetchone()[0]
    values = {"user": user, "nobody": nobody, "guild": guild}
    for statement in _PUT_NOBODY:
        connection.execute(statement, values)


def _game(connection: sqlite3.Connection, row: sqlite3.Row, user: int) -> dict[str, Any]:
    """A game as it concerns the person: nobody else's name or cards."""
    known: dict[str, Any] = {
        "game": row["id"],
        "server": None if row["guild"] is None else str(row["guild"]),
        "server_name": row["place"],
        "channel": str(row["channel"]),
        "status": row["status"],
        "rules": row["preset"],
        "players": json.loads(row["rules"])["seats"],
        "opened_at": _time(row["created_at"]),
        "you_called_for_it": row["host"] == user,
    }
    if row["seat"] is None:
        return known
    return known | {
        "seat": row["seat"],
        "your_name": row["name"],
        "computer_in_your_place": row["computer"],
        "result": _result(connection, row["id"], row["seat"]),
        "messages_to_you": _messages(connection, row["id"], row["seat"]),
        "your_moves": _moves(connection, row["id"], row["seat"]),
        "your_votes": _votes(connection, row["id"], row["seat"]),
        "your_choice_for_the_crib": _choice(connection, row["id"], row["seat"]),
    }


def _result(connection: sqlite3.Connection, game: str, seat: int) -> dict[str, Any] | None:
    row = connection.execute(
        """
        SELECT at, ending, deals, part FROM results JOIN result_seats USING (number)
        WHERE game = ? AND seat = ?
        """,
        (game, seat),
    ).fetchone()
    if row is None:
        return None
    part: dict[str, Any] = json.loads(row["part"])
    return {"at": _time(row["at"]), "ending": row["ending"], "deals": row["deals"], **part}


def _messages(connection: sqlite3.Connection, game: str, seat: int) -> list[dict[str, Any]]:
    found = connection.execute(
        "SELECT kind, deal, channel, message FROM posts WHERE game = ? AND seat = ? ORDER BY message",
        (game, seat),
    )
    return [
        {"kind": kind, "deal": deal, "channel": str(channel), "message": str(message)}
        for kind, deal, channel, message in found.fetchall()
    ]


def _moves(connection: sqlite3.Connection, game: str, seat: int) -> list[dict[str, Any]]:
    """What the log says of the seat: also the cards that it was dealt."""
    found = connection.execute(
        """
        SELECT kind, body, at FROM events
        WHERE game = ? AND json_extract(body, '$.seat') = ? ORDER BY version
        """,
        (game, seat),
    )
    return [{"event": kind, "at": _time(at), **json.loads(body)} for kind, body, at in found.fetchall()]


def _votes(connection: sqlite3.Connection, game: str, seat: int) -> list[dict[str, Any]]:
    """What the seat has agreed to in a game that is still in play."""
    cast = connection.execute(
        "SELECT about, deal, level FROM votes WHERE game = ? AND seat = ? ORDER BY about", (game, seat)
    )
    return [{"about": about, "deal": deal, "computer": level} for about, deal, level in cast.fetchall()]


def _choice(connection: sqlite3.Connection, game: str, seat: int) -> list[str]:
    """The cards that the seat has tapped in a game that is still in play, and not discarded."""
    row = connection.execute("SELECT cards FROM choices WHERE game = ? AND seat = ?", (game, seat)).fetchone()
    tapped: list[str] = json.loads(row["cards"]) if row else []
    return tapped


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
