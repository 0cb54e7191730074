"""All that is kept about one person in the SQLite file: exporting it, hiding it, and taking it out.

Events know seats, not people, so a log stays as it is. In the person's place comes a random negative
number, another one in each server: the games of the others, and their ratings, stay as they were played.

Nobody waits for either. An export is written game by game, most of it by SQLite itself, into files. A
deletion takes a few games at a time; `secure_delete` overwrites what was there, and in the end the
write-ahead log, which has older states of the same pages, is emptied.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from bot.store import exports
from bot.store.sqlite import clubs, daily, decks, declined, projection, table_rows, tallied
from bot.store.sqlite.database import Database, person_key

T = TypeVar("T")

_AT_ONCE = 20
"""Games that are emptied of somebody in a transaction: some ten milliseconds, in which nobody else writes."""

_NUMBERS = """
    SELECT number FROM games JOIN seats ON seats.game = games.id WHERE user = :user
    UNION SELECT number FROM games WHERE host = :user ORDER BY number
"""

_GAME = """
    SELECT * FROM games LEFT JOIN seats ON seats.game = games.id AND user = ? WHERE number = ?
"""

_OWN_EVENTS = """
    SELECT json_group_array(json(moved)) FROM (
        SELECT json_patch(
            json_object('event', kind, 'at', strftime('%Y-%m-%dT%H:%M:%S+00:00', at, 'unixepoch')), body
        ) AS moved
        FROM events
        WHERE game = ? AND CASE WHEN json_valid(body) THEN json_extract(body, '$.seat') END = ?
        ORDER BY version)
"""
"""What the log says of a seat, also the cards that it was dealt: a text that SQLite makes without the GIL."""

_TELLING = 3
"""Bytes from which on a name or a number is a trace of somebody; shorter ones stand anywhere by chance."""

_STILL_THERE = """
    SELECT number, id, guild FROM games JOIN seats ON seats.game = games.id
    WHERE user = :user AND number <= :until AND status IN ('over', 'cancelled')
    UNION ALL SELECT number, id, guild FROM games
    WHERE host = :user AND number <= :until AND status IN ('over', 'cancelled')
    LIMIT :most
"""

_SERVERS = """
    SELECT guild FROM games JOIN seats ON seats.game = games.id WHERE user = :user
    UNION SELECT guild FROM games WHERE host = :user
    UNION SELECT guild FROM ratings WHERE user = :user
"""

_PUT_NOBODY = (
    """
    DELETE FROM posts WHERE game = :game AND seat >= 0 AND EXISTS (
        SELECT 1 FROM seats WHERE seats.game = posts.game AND seats.seat = posts.seat AND user = :user)
    """,
    "UPDATE seats SET user = :nobody, name = '' WHERE game = :game AND user = :user",
    """
    UPDATE result_seats SET user = :nobody
    WHERE number = (SELECT number FROM results WHERE game = :game) AND user = :user
    """,
    "UPDATE games SET host = :nobody WHERE id = :game AND host = :user",
)


class SqlitePeople:
    """The `PeopleData` of a database that a store has opened, and closes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the time in seconds since 1970."""
        self._database = database
        self._clock = clock
        self._scrubbing = asyncio.Lock()

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

    async def export(self, user: int, directory: Path) -> tuple[Path, ...]:
        """See `PeopleData.export`. Ids are texts, as Discord writes them."""
        made = datetime.fromtimestamp(self._clock(), UTC).isoformat()
        return await self._database.at_length(lambda connection: _export(connection, user, directory, made))

    async def open_games(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.open_games`."""
        return await self._database.read(lambda connection: _open_games(connection, user))

    async def forget(self, user: int) -> tuple[str, ...]:
        """See `PeopleData.forget`."""
        now = int(self._clock())
        try:
            return await self._database.write(
                lambda connection: _unconstrained(connection, lambda: _forget(connection, user, now))
            )
        finally:
            self._database.outdate(person_key(user))

    async def forget_more(self) -> tuple[str, ...] | None:
        """See `PeopleData.forget_more`."""
        if not await self._database.read(_is_anybody_leaving):
            return None
        return await self._database.write(
            lambda connection: _unconstrained(connection, lambda: _forget_more(connection))
        )

    async def scrub(self) -> None:
        """See `PeopleData.scrub`."""
        due = "SELECT count(*) FROM scrubbing"
        done = "DELETE FROM scrubbing WHERE NOT EXISTS (SELECT 1 FROM traces)"
        async with self._scrubbing:
            if not await self._database.read(lambda connection: connection.execute(due).fetchone()[0]):
                return
            traces, last = await self._database.read(_traces)
            if traces:
                await self._database.empty_write_ahead_log()
                await self._database.wipe(traces)
                wiped = "DELETE FROM traces WHERE rowid <= ?"
                await self._database.write(lambda connection: connection.execute(wiped, (last,)))
            await self._database.empty_write_ahead_log()
            await self._database.write(lambda connection: connection.execute(done))


def _traces(connection: sqlite3.Connection) -> tuple[list[bytes], int]:
    """What is looked for, and the last of it that is done with then.

    While somebody is being forgotten more of them may still come to lie in the files: then that is none. And
    who goes meanwhile has the numbers after it.
    """
    found = connection.execute("SELECT rowid, trace FROM traces ORDER BY rowid").fetchall()
    last = found[-1]["rowid"] if found and not _is_anybody_leaving(connection) else 0
    return [row["trace"] for row in found], last


def _is_hidden(connection: sqlite3.Connection, user: int) -> bool:
    return connection.execute("SELECT 1 FROM hidden WHERE user = ?", (user,)).fetchone() is not None


def _export(connection: sqlite3.Connection, user: int, directory: Path, made: str) -> tuple[Path, ...]:
    known = {"made_at": made, **_known(connection, user)}
    return exports.write(directory, known, lambda: _games(connection, user))


def _known(connection: sqlite3.Connection, user: int) -> dict[str, Any]:
    """What is kept about the person beside their games. What is added up from games is in those."""
    settings = connection.execute(
        "SELECT dms_closed, language, always_cut, dm_channel FROM people WHERE user = ?", (user,)
    ).fetchone()
    calls = connection.execute("SELECT id FROM games WHERE called = ? ORDER BY number", (user,))
    ratings = connection.execute(
        """
        SELECT guild, kind, mu, sigma, games, shown FROM ratings
        WHERE user = ? AND edition = (SELECT edition FROM projection) ORDER BY guild, kind
        """,
        (user,),
    )
    refused = declined.declined_by(connection, user)
    words = connection.execute("SELECT game, word FROM words WHERE user = ? ORDER BY game", (user,))
    return {
        "user": str(user),
        "hidden_from_leaderboards": _is_hidden(connection, user),
        "direct_messages_seen_closed": bool(settings and settings["dms_closed"]),
        "language": settings["language"] if settings else None,
        "always_cut_for": bool(settings and settings["always_cut"]),
        "direct_messages_channel": str(settings["dm_channel"])
        if settings and settings["dm_channel"]
        else None,
        "declines_all_challenges": refused.everybody,
        "people_whose_challenges_you_declined": refused.people,
        "ratings": [{**row, "guild": str(row["guild"])} for row in ratings.fetchall()],
        "asked_to_play_at": [row["id"] for row in calls.fetchall()],
        "daily_hands": daily.known_of(connection, user),
        "club_events": clubs.known_of(connection, user),
        "words_given_to_games_that_gather": {row["game"]: row["word"] for row in words.fetchall()},
    }


def _games(connection: sqlite3.Connection, user: int) -> Iterator[bytes]:
    """The person's games, each as a line of JSON."""
    for (number,) in connection.execute(_NUMBERS, {"user": user}).fetchall():
        row = connection.execute(_GAME, (user, number)).fetchone()
        if row is None or (row["seat"] is None and row["host"] != user):
            continue  # it was taken away meanwhile, with a server or with the person's data
        known = json.dumps(_game(connection, row, user), ensure_ascii=False)
        if row["seat"] is not None:
            (moves,) = connection.execute(_OWN_EVENTS, (row["id"], row["seat"])).fetchone()
            known = f'{known.removesuffix("}")}, "your_moves": {moves}}}'
        yield known.encode()


def _open_games(connection: sqlite3.Connection, user: int) -> tuple[str, ...]:
    found = connection.execute(
        """
        SELECT id FROM games WHERE status IN ('gathering', 'playing')
        AND (host = ? OR id IN (SELECT game FROM seats WHERE user = ?)) ORDER BY number
        """,
        (user, user),
    )
    return tuple(row["id"] for row in found.fetchall())


def _unconstrained(connection: sqlite3.Connection, work: Callable[[], T]) -> T:
    """Forget somebody in damaged rows, too, which no constraint would let anybody write."""
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        return work()
    finally:
        connection.execute("PRAGMA ignore_check_constraints = OFF")


def _forget(connection: sqlite3.Connection, user: int, now: int) -> tuple[str, ...]:
    """The first step, after which nobody finds the person any more."""
    while projection.apply_next(connection) is not None:
        pass  # a game that they have just lost counts for its winner, and is in nobody's name later
    changed = _open_games(connection, user)
    for game in changed:
        connection.execute(
            """
            UPDATE games SET status = 'cancelled', called = NULL, told = version, updated_at = ? WHERE id = ?
            """,
            (now, game),
        )
        table_rows.delete_votes(connection, game)  # they name seats; but a game that is over has none
        table_rows.delete_choices(connection, game)
    called = connection.execute("SELECT id FROM games WHERE called = ? ORDER BY number", (user,)).fetchall()
    connection.execute("UPDATE games SET called = NULL WHERE called = ?", (user,))
    _note_traces(connection, user)
    connection.execute("DELETE FROM people WHERE user = ?", (user,))
    connection.execute("DELETE FROM hidden WHERE user = ?", (user,))
    declined.accept(connection, user, None)
    daily.remove(connection, user)
    clubs.forget_person(connection, user, _new_nobody)
    connection.execute("DELETE FROM words WHERE user = ?", (user,))
    tallied.remove(connection, user)
    (until,) = connection.execute("SELECT ifnull(max(number), 0) FROM games").fetchone()
    for (guild,) in connection.execute(_SERVERS, {"user": user}).fetchall():
        nobody = _new_nobody()
        connection.execute(
            "INSERT INTO leaving (user, guild, nobody, until) VALUES (?, ?, ?, ?)",
            (user, guild, nobody, until),
        )
        connection.execute("UPDATE ratings SET user = ? WHERE user = ? AND guild = ?", (nobody, user, guild))
    connection.execute("INSERT OR IGNORE INTO scrubbing (due) VALUES (1)")
    return (*changed, *(row["id"] for row in called))


def _new_nobody() -> int:
    return -1 - secrets.randbelow(2**62)


def _note_traces(connection: sqlite3.Connection, user: int) -> None:
    """Write down what must not be found in the files at last: the id, the names, and the direct messages."""
    names = connection.execute("SELECT DISTINCT name FROM seats WHERE user = ? AND name != ''", (user,))
    channels = connection.execute(
        """
        SELECT DISTINCT posts.channel FROM posts JOIN seats USING (game, seat)
        WHERE user = :user AND kind = 'hand'
        UNION SELECT dm_channel FROM people WHERE user = :user AND dm_channel IS NOT NULL
        """,
        {"user": user},
    )
    traces = {str(user).encode(), _as_stored(user)}
    traces |= {name.encode() for (name,) in names.fetchall()}
    traces |= {name.encode() for name in daily.names_of(connection, user)}
    traces |= {name.encode() for name in clubs.names_of(connection, user)}
    traces |= {_as_stored(channel) for (channel,) in channels.fetchall()}
    connection.executemany(
        "INSERT INTO traces (trace) VALUES (?)", [(each,) for each in traces if len(each) >= _TELLING]
    )


def _as_stored(number: int) -> bytes:
    """The number as SQLite has it in a row: in as few bytes as it takes, of those it allows."""
    size = next(size for size in (1, 2, 3, 4, 6, 8) if -(1 << 8 * size - 1) <= number < 1 << 8 * size - 1)
    return number.to_bytes(size, "big", signed=True)


def _is_anybody_leaving(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM leaving").fetchone() is not None


def _forget_more(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The next step, for the person who has been leaving longest."""
    first = connection.execute("SELECT user, until FROM leaving ORDER BY rowid LIMIT 1").fetchone()
    if first is None:
        return ()
    user, until = first
    nobodies = dict(
        connection.execute("SELECT guild, nobody FROM leaving WHERE user = ? AND until = ?", first).fetchall()
    )
    found = connection.execute(_STILL_THERE, {"user": user, "until": until, "most": _AT_ONCE}).fetchall()
    for row in found:
        values = {"user": user, "game": row["id"], "nobody": nobodies[row["guild"]]}
        decks.forget_word(connection, row["id"], user)
        for statement in _PUT_NOBODY:
            connection.execute(statement, values)
    if not found:
        connection.execute("DELETE FROM leaving WHERE user = ? AND until = ?", first)
    return tuple(row["id"] for row in found)


def _game(connection: sqlite3.Connection, row: sqlite3.Row, user: int) -> dict[str, Any]:
    """A game as it concerns the person: nobody else's name or cards."""
    known = exports.game_of(row, user)
    if row["seat"] is None:
        return known
    return known | {
        "result": _result(connection, row["id"], row["seat"]),
        "messages_to_you": _messages(connection, row["id"], row["seat"]),
        "your_votes": _votes(connection, row["id"], row["seat"]),
        "your_choice_for_the_crib": _choice(connection, row["id"], row["seat"]),
        "your_word": decks.word_of(connection, row["id"], row["seat"]),
    }


def _result(connection: sqlite3.Connection, game: str, seat: int) -> dict[str, Any] | None:
    row = connection.execute(
        """
        SELECT at, ending, deals, part, before, after FROM results JOIN result_seats USING (number)
        LEFT JOIN rating_changes ON rating_changes.number = results.number
            AND rating_changes.seat = result_seats.seat
            AND edition = (SELECT edition FROM projection)
        WHERE game = ? AND result_seats.seat = ?
        """,
        (game, seat),
    ).fetchone()
    return exports.result_of(row)


def _messages(connection: sqlite3.Connection, game: str, seat: int) -> list[dict[str, Any]]:
    found = connection.execute(
        "SELECT kind, deal, channel, message FROM posts WHERE game = ? AND seat = ? ORDER BY message",
        (game, seat),
    )
    return [
        {"kind": kind, "deal": deal, "channel": str(channel), "message": str(message)}
        for kind, deal, channel, message in found.fetchall()
    ]


def _votes(connection: sqlite3.Connection, game: str, seat: int) -> list[dict[str, Any]]:
    """What the seat has agreed to in a game that is still in play."""
    cast = connection.execute(
        "SELECT about, deal, level FROM votes WHERE game = ? AND seat = ? ORDER BY about", (game, seat)
    )
    return [{"about": about, "deal": deal, "computer": level} for about, deal, level in cast.fetchall()]


def _choice(connection: sqlite3.Connection, game: str, seat: int) -> list[str]:
    """The cards that the seat has tapped in a game that is still in play, and not discarded."""
    row = connection.execute("SELECT cards FROM choices WHERE game = ? AND seat = ?", (game, seat)).fetchone()
    return exports.tapped_in(None if row is None else row["cards"])
