"""The SQL of tables, logs, messages, votes and choices. Functions inside a transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from bot.model.errors import DamagedGame, NoSuchGame, StaleGame
from bot.model.posts import SETTLED, Post
from bot.model.table_record import (
    GAMES_EXPLAINED,
    Agreement,
    Explaining,
    Occupant,
    Status,
    TableRecord,
)
from bot.model.votes import Question, Vote
from bot.store import decks, records
from bot.store.connection import Connection
from bot.store.damage import reading, require
from engine import Cards, Seat, entries_of
from engine.computer import Level
from engine.secret_events import LoggedEvent

_TABLES = """
    SELECT seats.seat, seats."user", seats.name, seats.computer, seats.colour, seats.explaining,
        games.version = 0 AND EXISTS (SELECT 1 FROM events WHERE events.game = games.id) AS has_log, games.*,
        decks.game IS NOT NULL AS has_deck, decks.seal, decks.terms, decks.dropped
    FROM games LEFT JOIN seats ON seats.game = games.id LEFT JOIN decks ON decks.game = games.id
"""
"""A row per seat, and one for a table without any: one statement is one snapshot."""


IS_TAKEN = f"(computer IS NULL OR computer != '{records.HELD}')"
"""True for a seat on which its person or a computer sits."""


async def insert_table(connection: Connection, record: TableRecord, now: int) -> None:
    """Write the row of a new table, and its seats."""
    columns = records.columns_of(record) | {"created_at": now, "updated_at": now}
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    await connection.execute(
        f"INSERT INTO games ({', '.join(columns)}) VALUES ({places})",  # noqa: S608 -- names of ours
        *columns.values(),
    )
    await _insert_seats(connection, record.game, record.occupants, record.held)


async def write_seats(
    connection: Connection, game: str, occupants: Sequence[Occupant], held: Sequence[Occupant] = ()
) -> None:
    """Replace the table's occupants, and the people for whom it holds seats, but for those who sit."""
    seated = {each.user for each in occupants}
    await connection.execute("DELETE FROM seats WHERE game = $1", game)
    await _insert_seats(connection, game, occupants, [each for each in held if each.user not in seated])


async def free_seats(connection: Connection, game: str, user: int | None = None) -> None:
    """Hold no seat any more for that person, or for anybody."""
    await connection.execute(
        "UPDATE games SET called = NULL WHERE id = $1 AND called = coalesce($2, called)", game, user
    )
    await connection.execute(
        'DELETE FROM seats WHERE game = $1 AND computer = $3 AND "user" = coalesce($2, "user")',
        *(game, user, records.HELD),
    )


async def note_newcomers(connection: Connection, game: str) -> None:
    """Set for whose seats the scores of a game that begins are explained, unless their people have chosen."""
    finished = _FINISHED_BY.format('seats."user"')
    await connection.execute(
        f"""
        UPDATE seats SET explaining = CASE WHEN ({finished}) < {GAMES_EXPLAINED} THEN $2 END
        WHERE game = $1 AND "user" > 0 AND (explaining IS NULL OR explaining = $2)
        """,  # noqa: S608 -- SQL of this module's own
        *(game, Explaining.NEWCOMER.value),
    )


async def is_newcomer(connection: Connection, user: int) -> bool:
    """True for a person who has finished fewer than `GAMES_EXPLAINED` games, anywhere."""
    return bool(await connection.fetchval(_FINISHED_BY.format("$1"), user) < GAMES_EXPLAINED)


_FINISHED_BY = f"""
    SELECT count(*) FROM (
        SELECT 1 FROM seats AS past JOIN games ON games.id = past.game
        WHERE past."user" = {{}} AND games.status = 'over' LIMIT {GAMES_EXPLAINED}
    ) AS finished
"""  # noqa: S608 -- SQL of this module's own
"""Number of finished games of a user, counted as far as it matters."""


async def set_explaining(connection: Connection, game: str, seat: Seat, explaining: Explaining) -> None:
    """Store what the person at the seat has chosen."""
    await connection.execute(
        "UPDATE seats SET explaining = $3 WHERE game = $1 AND seat = $2", game, seat, explaining.value
    )


async def write_agreement(connection: Connection, game: str, agreed: Agreement) -> None:
    """Replace the table's agreement."""
    columns = records.agreed_columns(agreed)
    changes = ", ".join(f"{name} = ${number}" for number, name in enumerate(columns, 2))
    await connection.execute(f"UPDATE games SET {changes} WHERE id = $1", game, *columns.values())  # noqa: S608 -- names of ours


async def locked(connection: Connection, game: str) -> tuple[Status, int]:
    """Lock the game's row until the transaction ends, and return its status and version.

    Raises `DamagedGame` and `NoSuchGame`.
    """
    row = await connection.fetchrow("SELECT status, version FROM games WHERE id = $1 FOR NO KEY UPDATE", game)
    if row is None:
        raise NoSuchGame(game)
    async with reading(connection, game, "its table"):
        return Status(row["status"]), row["version"]


async def require_playing(connection: Connection, game: str) -> None:
    """Lock the row of a game in play. Raises `StaleGame` if it is not in play, and what `locked` raises."""
    status, version = await locked(connection, game)
    if status is not Status.PLAYING:
        raise StaleGame(game, version)


async def table(connection: Connection, game: str) -> TableRecord:
    """The table of that game. Raises `NoSuchGame` and `DamagedGame`."""
    found = await tables(connection, "id = $1", game)
    if not found:
        raise NoSuchGame(game)
    return sound(found[0])


def sound(found: TableRecord | DamagedGame) -> TableRecord:
    """The record, for a record; raises a `DamagedGame`."""
    if isinstance(found, DamagedGame):
        raise found
    return found


async def require_game(connection: Connection, game: str) -> None:
    """Raises `NoSuchGame` for an unknown game."""
    if await connection.fetchval("SELECT 1 FROM games WHERE id = $1", game) is None:
        raise NoSuchGame(game)


async def tables(
    connection: Connection, condition: str, *values: object
) -> tuple[TableRecord | DamagedGame, ...]:
    """The tables that satisfy `condition`, in order of opening; for an unreadable one its error."""
    # The condition is SQL of this package; input is in `values`.
    rows = await connection.fetch(f"{_TABLES} WHERE {condition} ORDER BY games.number, seat", *values)
    return tuple(
        [await _record_or_error(connection, list(each)) for _, each in groupby(rows, itemgetter("number"))]
    )


async def insert_events(
    connection: Connection,
    game: str,
    version: int,
    events: Sequence[LoggedEvent],
    now: int,
    *,
    head: bytes | None,
) -> None:
    """Append events to a log of `version` events, and extend its hash chain, whose head is `head`."""
    entries = entries_of(events)
    await connection.executemany(
        "INSERT INTO events (game, version, kind, codec, body, at) VALUES ($1, $2, $3, $4, $5, $6)",
        [
            (game, number, each.kind, each.codec, records.plain_json(each.body), now)
            for number, each in enumerate(entries, version)
        ],
    )
    await decks.lengthen(connection, game, head, entries)


async def log(connection: Connection, game: str) -> tuple[LoggedEvent, ...]:
    """The game's whole log. Raises `NoSuchGame` and `DamagedGame`."""
    version = (await table(connection, game)).version
    rows = await connection.fetch(
        "SELECT version, kind, codec, body FROM events WHERE game = $1 ORDER BY version", game
    )
    events: list[LoggedEvent] = []
    async with reading(connection, game, lambda: f"event {len(events)} of its log"):
        records.events_of(game, rows, version, events)
    return tuple(events)


async def last_touched(connection: Connection, game: str) -> int:
    """Time (s since 1970) of the log's last event, or else of the lobby's last change; 0 for no game."""
    return int(await connection.fetchval(f"SELECT {_LAST_TOUCHED} FROM games WHERE id = $1", game) or 0)  # noqa: S608 -- as below


async def last_moves(connection: Connection) -> dict[str, int]:
    """By game in play: time (s since 1970) of its log's last event."""
    rows = await connection.fetch(
        f"SELECT id, {_LAST_TOUCHED} AS at FROM games WHERE status = 'playing'"  # noqa: S608 -- SQL of this module's own
    )
    return {row["id"]: row["at"] for row in rows}


_LAST_TOUCHED = """
    CAST(coalesce(
        (SELECT at FROM events WHERE game = games.id ORDER BY version DESC LIMIT 1), updated_at) AS bigint)
"""


async def posts(connection: Connection, game: str) -> tuple[Post, ...]:
    """The game's messages, oldest first, as Discord's ids grow with time. Raises `DamagedGame`."""
    rows = await connection.fetch("SELECT * FROM posts WHERE game = $1 ORDER BY message", game)
    if not rows:
        return ()
    seats = await _users(connection, game)
    async with reading(connection, game, "its messages"):
        found = [records.post_of(row) for row in rows]
        for post in found:
            if post.seat >= 0:
                records.seat_of(post.seat, len(seats))
        return tuple(post for post in found if not _is_forgotten(seats.get(post.seat)))


async def insert_finished(connection: Connection, game: str) -> None:
    """Number a game that is over in the order of finishing, which ratings depend on.

    Call it in the transaction that ends the game: the logs' times are whole seconds, too coarse for an order.
    The lock serialises ends of games, or a lower number could be committed after a higher one was read.
    """
    await connection.execute("LOCK TABLE finished IN SHARE ROW EXCLUSIVE MODE")
    await connection.execute("INSERT INTO finished (game) VALUES ($1)", game)


async def upsert_post(connection: Connection, post: Post) -> None:
    """Insert or replace the message of a game whose row is locked.

    A message to a forgotten person is not stored, because a sync in progress would store their DM channel
    again.
    """
    if post.seat >= 0 and _is_forgotten((await _users(connection, post.game)).get(post.seat)):
        return
    await connection.execute(
        """
        INSERT INTO posts (game, kind, deal, seat, channel, message, drawn)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (game, kind, deal, seat)
        DO UPDATE SET channel = excluded.channel, message = excluded.message, drawn = excluded.drawn
        """,
        *(post.game, post.kind.value, post.deal, post.seat, post.channel, post.message, post.drawn),
    )


async def distrust_posts(connection: Connection) -> None:
    """Let the open tables be drawn again, but for messages that were settled in deals before the last."""
    await connection.execute(
        """
        UPDATE posts SET drawn = ''
        WHERE game IN (SELECT id FROM games WHERE status IN ('gathering', 'playing'))
            AND (drawn != $1 OR deal = 0
                OR deal = (SELECT max(deal) FROM posts AS other WHERE other.game = posts.game))
        """,
        SETTLED,
    )
    await connection.execute(
        """
        UPDATE games SET told = version - 1
        WHERE status IN ('gathering', 'playing') AND told = version AND version > 0
        """
    )


async def votes(connection: Connection, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
    """The votes on the question in that deal, in order of seats. Raises `DamagedGame`."""
    rows = await connection.fetch(
        "SELECT seat, level FROM votes WHERE game = $1 AND deal = $2 AND about = $3 ORDER BY seat",
        *(game, deal, about.value),
    )
    seats = len(await _users(connection, game)) if rows else 0
    async with reading(connection, game, "its votes"):
        return tuple(
            Vote(
                game=game,
                deal=deal,
                about=about,
                seat=records.seat_of(row["seat"], seats),
                level=None if row["level"] is None else Level(row["level"]),
            )
            for row in rows
        )


async def upsert_vote(connection: Connection, vote: Vote) -> None:
    """Insert or replace the seat's vote, and delete the votes of other deals."""
    await connection.execute("DELETE FROM votes WHERE game = $1 AND deal != $2", vote.game, vote.deal)
    await connection.execute(
        """
        INSERT INTO votes (game, about, seat, deal, level) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (game, about, seat) DO UPDATE SET deal = excluded.deal, level = excluded.level
        """,
        *(vote.game, vote.about.value, vote.seat, vote.deal, vote.level and vote.level.value),
    )


async def delete_votes(connection: Connection, game: str, about: Question | None = None) -> None:
    """Delete the game's votes on the question, or on all."""
    if about is None:
        await connection.execute("DELETE FROM votes WHERE game = $1", game)
    else:
        await connection.execute("DELETE FROM votes WHERE game = $1 AND about = $2", game, about.value)


async def choices(connection: Connection, game: str, deal: int) -> dict[Seat, Cards]:
    """By seat: the cards tapped for the crib of that deal, in order of the taps. Raises `DamagedGame`."""
    rows = await connection.fetch("SELECT seat, cards FROM choices WHERE game = $1 AND deal = $2", game, deal)
    seats = len(await _users(connection, game)) if rows else 0
    async with reading(connection, game, "its choices for the crib"):
        return {records.seat_of(row["seat"], seats): records.tapped(row["cards"]) for row in rows}


async def insert_choice(connection: Connection, game: str, deal: int, seat: Seat, cards: Cards) -> None:
    """Insert the cards that the seat has tapped; it must have no others."""
    await connection.execute(
        "INSERT INTO choices (game, seat, deal, cards) VALUES ($1, $2, $3, $4)",
        *(game, seat, deal, json.dumps([str(each) for each in cards])),
    )


async def delete_choices(connection: Connection, game: str, seat: Seat | None = None) -> None:
    """Delete the cards tapped for the crib, by the seat or by all."""
    if seat is None:
        await connection.execute("DELETE FROM choices WHERE game = $1", game)
    else:
        await connection.execute("DELETE FROM choices WHERE game = $1 AND seat = $2", game, seat)


async def _insert_seats(
    connection: Connection, game: str, occupants: Sequence[Occupant], held: Sequence[Occupant]
) -> None:
    await connection.executemany(
        """
        INSERT INTO seats (game, seat, "user", name, computer, colour, explaining)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        records.seat_rows(game, occupants, held),
    )


async def _users(connection: Connection, game: str) -> dict[int, int | None]:
    """By seat: its user's id."""
    rows = await connection.fetch('SELECT seat, "user" FROM seats WHERE game = $1', game)
    return {row["seat"]: row["user"] for row in rows}


def _is_forgotten(user: int | None) -> bool:
    return user is not None and user < 0


async def _record_or_error(connection: Connection, rows: list[Any]) -> TableRecord | DamagedGame:
    game = records.readable_id(rows[0])
    seats = [row for row in rows if row["seat"] is not None]
    try:
        async with reading(connection, game, "its table"):
            require(holds=game == rows[0]["id"])
            return records.record_of(rows[0], seats, has_log=bool(rows[0]["has_log"]))
    except DamagedGame as error:
        return error
