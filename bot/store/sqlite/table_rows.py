"""Rows to records, events and posts, and back. Plain functions inside somebody's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Occupant, TableRecord
from bot.model.votes import Question, Vote
from bot.store import records
from bot.store.damage import require
from bot.store.sqlite import decks
from bot.store.sqlite.damage import reading
from engine import Cards, Seat, entries_of
from engine.computer import Level
from engine.secret_events import LoggedEvent


def insert_table(connection: sqlite3.Connection, record: TableRecord, now: int) -> None:
    """Write the row of a new table, and its seats."""
    columns = records.columns_of(record) | {"created_at": now, "updated_at": now}
    connection.execute(
        f"INSERT INTO games ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",  # noqa: S608 -- names of ours
        tuple(columns.values()),
    )
    write_seats(connection, record.game, record.occupants)


def write_seats(connection: sqlite3.Connection, game: str, occupants: Sequence[Occupant]) -> None:
    """Put `occupants` in the place of those who sat there."""
    connection.execute("DELETE FROM seats WHERE game = ?", (game,))
    connection.executemany(
        "INSERT INTO seats (game, seat, user, name, computer, colour) VALUES (?, ?, ?, ?, ?, ?)",
        records.seat_rows(game, occupants),
    )


def write_agreement(connection: sqlite3.Connection, game: str, agreed: Agreement) -> None:
    """Put the agreement in the place of the one before."""
    columns = records.agreed_columns(agreed)
    changes = ", ".join(f"{name} = ?" for name in columns)
    connection.execute(f"UPDATE games SET {changes} WHERE id = ?", (*columns.values(), game))  # noqa: S608 -- names of ours


def table(connection: sqlite3.Connection, game: str) -> TableRecord:
    """The table of that game. Raises `NoSuchGame` and `DamagedGame`."""
    found = tables(connection, "id = ?", game)
    if not found:
        raise NoSuchGame(game)
    return sound(found[0])


def sound(found: TableRecord | DamagedGame) -> TableRecord:
    """The table that was found. Raises `DamagedGame` if its row cannot be read."""
    if isinstance(found, DamagedGame):
        raise found
    return found


def require_game(connection: sqlite3.Connection, game: str) -> None:
    """Raises `NoSuchGame` for a game that there is not."""
    if connection.execute("SELECT 1 FROM games WHERE id = ?", (game,)).fetchone() is None:
        raise NoSuchGame(game)


def tables(
    connection: sqlite3.Connection, condition: str, *values: object
) -> tuple[TableRecord | DamagedGame, ...]:
    """The tables for which `condition` holds, in the order in which they were opened.

    In the place of one that cannot be read stands the error that says so.
    """
    # The condition is SQL of this package's own; what comes from outside is in `values`.
    rows = connection.execute(f"SELECT * FROM games WHERE {condition} ORDER BY number", values)  # noqa: S608
    return tuple(_record_or_error(connection, row) for row in rows.fetchall())


def insert_events(
    connection: sqlite3.Connection, game: str, version: int, events: Sequence[LoggedEvent], now: int
) -> None:
    """Write events behind the `version` that the log has, and lengthen its chain by them."""
    entries = entries_of(events)
    connection.executemany(
        "INSERT INTO events (game, version, kind, codec, body, at) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (game, number, each.kind, each.codec, records.plain_json(each.body), now)
            for number, each in enumerate(entries, version)
        ],
    )
    decks.lengthen(connection, game, entries)


def log(connection: sqlite3.Connection, game: str) -> tuple[LoggedEvent, ...]:
    """The game's whole log. Raises `NoSuchGame` and `DamagedGame`."""
    version = table(connection, game).version
    rows = connection.execute(
        "SELECT version, kind, codec, body FROM events WHERE game = ? ORDER BY version", (game,)
    ).fetchall()
    events: list[LoggedEvent] = []
    with reading(connection, game, lambda: f"event {len(events)} of its log"):
        records.events_of(game, rows, version, events)
    return tuple(events)


def last_touched(connection: sqlite3.Connection, game: str) -> int:
    """When the log's last event happened, or the lobby changed last, in seconds since 1970; 0 for no game."""
    row = connection.execute(f"SELECT {_LAST_TOUCHED} AS at FROM games WHERE id = ?", (game,)).fetchone()  # noqa: S608 -- as below
    return 0 if row is None else int(row["at"])


def last_moves(connection: sqlite3.Connection) -> dict[str, int]:
    """By game that plays: when its log's last event happened, in seconds since 1970."""
    rows = connection.execute(f"SELECT id, {_LAST_TOUCHED} AS at FROM games WHERE status = 'playing'")  # noqa: S608 -- SQL of this module's own
    return {row["id"]: row["at"] for row in rows}


_LAST_TOUCHED = """
    CAST(coalesce(
        (SELECT at FROM events WHERE game = games.id ORDER BY version DESC LIMIT 1), updated_at) AS INTEGER)
"""


def posts(connection: sqlite3.Connection, game: str) -> tuple[Post, ...]:
    """The game's messages, the oldest first: Discord's ids grow with time. Raises `DamagedGame`."""
    rows = connection.execute("SELECT * FROM posts WHERE game = ? ORDER BY message", (game,)).fetchall()
    with reading(connection, game, "its messages"):
        found = [records.post_of(row) for row in rows]
        for post in found:
            if post.seat >= 0:
                _seat(connection, game, post.seat)
        return tuple(post for post in found if not _is_forgotten(connection, post))


def insert_finished(connection: sqlite3.Connection, game: str) -> None:
    """Give a game that is over its place in the order of finishing, which ratings depend on.

    It belongs in the transaction that ends the game: the order cannot be had from the logs, whose times are
    whole seconds.
    """
    connection.execute("INSERT INTO finished (game) VALUES (?)", (game,))


def upsert_post(connection: sqlite3.Connection, post: Post) -> None:
    """Write the message in place of the one before it.

    A message to somebody who has been forgotten is not kept: a sync under way would write the way to their
    direct messages down again.
    """
    if _is_forgotten(connection, post):
        return
    connection.execute(
        """
        INSERT INTO posts (game, kind, deal, seat, channel, message, drawn) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (game, kind, deal, seat)
        DO UPDATE SET channel = excluded.channel, message = excluded.message, drawn = excluded.drawn
        """,
        (post.game, post.kind.value, post.deal, post.seat, post.channel, post.message, post.drawn),
    )
    if post.kind is PostKind.LOBBY:
        decks.note_message(connection, post.game, post.message)


def votes(connection: sqlite3.Connection, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
    """The votes on the question that were cast in that deal, by seat. Raises `DamagedGame`."""
    rows = connection.execute(
        "SELECT seat, level FROM votes WHERE game = ? AND deal = ? AND about = ? ORDER BY seat",
        (game, deal, about.value),
    ).fetchall()
    with reading(connection, game, "its votes"):
        return tuple(
            Vote(
                game=game,
                deal=deal,
                about=about,
                seat=_seat(connection, game, row["seat"]),
                level=None if row["level"] is None else Level(row["level"]),
            )
            for row in rows
        )


def upsert_vote(connection: sqlite3.Connection, vote: Vote) -> None:
    """Write the vote in place of the seat's earlier one, and drop those of other deals."""
    connection.execute("DELETE FROM votes WHERE game = ? AND deal != ?", (vote.game, vote.deal))
    connection.execute(
        """
        INSERT INTO votes (game, about, seat, deal, level) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (game, about, seat) DO UPDATE SET deal = excluded.deal, level = excluded.level
        """,
        (vote.game, vote.about.value, vote.seat, vote.deal, vote.level),
    )


def delete_votes(connection: sqlite3.Connection, game: str, about: Question | None = None) -> None:
    """Delete the game's votes on the question, or on all."""
    connection.execute(
        "DELETE FROM votes WHERE game = ? AND about = coalesce(?, about)", (game, about and about.value)
    )


def choices(connection: sqlite3.Connection, game: str, deal: int) -> dict[Seat, Cards]:
    """By seat: the cards tapped for the crib of that deal, in the order of the taps. Raises `DamagedGame`."""
    rows = connection.execute(
        "SELECT seat, cards FROM choices WHERE game = ? AND deal = ?", (game, deal)
    ).fetchall()
    with reading(connection, game, "its choices for the crib"):
        return {_seat(connection, game, row["seat"]): records.tapped(row["cards"]) for row in rows}


def insert_choice(connection: sqlite3.Connection, game: str, deal: int, seat: Seat, cards: Cards) -> None:
    """Write the cards that the seat has tapped, which has no others."""
    connection.execute(
        "INSERT INTO choices (game, seat, deal, cards) VALUES (?, ?, ?, ?)",
        (game, seat, deal, json.dumps([str(each) for each in cards])),
    )


def delete_choices(connection: sqlite3.Connection, game: str, seat: Seat | None = None) -> None:
    """Delete what the seat has tapped for the crib, or what all have."""
    connection.execute("DELETE FROM choices WHERE game = ? AND seat = coalesce(?, seat)", (game, seat))


def _is_forgotten(connection: sqlite3.Connection, post: Post) -> bool:
    seat = connection.execute(
        "SELECT user FROM seats WHERE game = ? AND seat = ?", (post.game, post.seat)
    ).fetchone()
    return seat is not None and seat["user"] is not None and seat["user"] < 0


def _record_or_error(connection: sqlite3.Connection, row: sqlite3.Row) -> TableRecord | DamagedGame:
    game = records.readable_id(row)
    try:
        with reading(connection, game, "its table"):
            require(holds=game == row["id"])
            return _record(connection, row)
    except DamagedGame as error:
        return error


def _record(connection: sqlite3.Connection, row: sqlite3.Row) -> TableRecord:
    seats = connection.execute("SELECT * FROM seats WHERE game = ? ORDER BY seat", (row["id"],)).fetchall()
    has_log = False
    if not row["version"]:
        written = connection.execute("SELECT 1 FROM events WHERE game = ? LIMIT 1", (row["id"],))
        has_log = written.fetchone() is not None
    return records.record_of(row, seats, has_log=has_log)


def _seat(connection: sqlite3.Connection, game: str, seat: int) -> Seat:
    seats = connection.execute("SELECT count(*) FROM seats WHERE game = ?", (game,)).fetchone()[0]
    return records.seat_of(seat, seats)
