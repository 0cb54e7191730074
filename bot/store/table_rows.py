"""Rows to records, events and posts, and back. Plain functions inside somebody's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from bot.model.colours import Colour
from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.posts import Post, PostKind
from bot.model.table_record import (
    MATCHES,
    Agreement,
    Board,
    MatchGame,
    Occupant,
    OwnThread,
    Pace,
    Status,
    TableRecord,
)
from bot.model.votes import Question, Vote
from bot.store import decks
from bot.store.damage import is_number, reading, require
from engine import (
    CODEC_VERSION,
    PRESETS,
    Cards,
    Json,
    LogError,
    Seat,
    card,
    decode,
    decode_rules,
    encode_rules,
    entries_of,
    from_plain,
    to_plain,
)
from engine.computer import Level
from engine.secret_events import LoggedEvent

_LONGEST = 366 * 86_400
"""Seconds for a move that nobody can have agreed on are more than these."""


_OF_A_DEAL = frozenset({PostKind.TABLE, PostKind.SHOW})
_OF_THE_CHANNEL = frozenset({PostKind.LOBBY, PostKind.TABLE, PostKind.SHOW, PostKind.RESULT})


def insert_table(connection: sqlite3.Connection, record: TableRecord, now: int) -> None:
    """Write the row of a new table, and its seats."""
    agreed = record.agreement
    connection.execute(
        """
        INSERT INTO games (id, guild, channel, place, host, status, rules, codec, preset, pace, seconds,
                           hints, board, language, thread, called,
                           best_of, match, match_before, won_before, rematch_of, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            record.game,
            record.guild,
            record.channel,
            record.place,
            record.host,
            record.status.value,
            _json(encode_rules(agreed.rules)),
            CODEC_VERSION,
            agreed.preset,
            agreed.pace.value,
            agreed.seconds,
            agreed.hints,
            agreed.board.value,
            record.language,
            record.thread.value,
            record.called,
            agreed.best_of,
            record.match,
            json.dumps([to_plain(each) for each in record.match_before]),
            json.dumps(record.won_before),
            record.rematch_of,
            now,
            now,
        ),
    )
    write_seats(connection, record.game, record.occupants)


def write_seats(connection: sqlite3.Connection, game: str, occupants: Sequence[Occupant]) -> None:
    """Put `occupants` in the place of those who sat there."""
    connection.execute("DELETE FROM seats WHERE game = ?", (game,))
    connection.executemany(
        "INSERT INTO seats (game, seat, user, name, computer, colour) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (game, seat, each.user, each.name, each.level, each.colour and each.colour.value)
            for seat, each in enumerate(occupants)
        ],
    )


def write_agreement(connection: sqlite3.Connection, game: str, agreed: Agreement) -> None:
    """Put the agreement in the place of the one before."""
    connection.execute(
        """
        UPDATE games SET rules = ?, codec = ?, preset = ?, pace = ?, seconds = ?, hints = ?, board = ?,
                         best_of = ?
        WHERE id = ?
        """,
        (
            _json(encode_rules(agreed.rules)),
            CODEC_VERSION,
            agreed.preset,
            agreed.pace.value,
            agreed.seconds,
            agreed.hints,
            agreed.board.value,
            agreed.best_of,
            game,
        ),
    )


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
            (game, number, each.kind, each.codec, _json(each.body), now)
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
        for row in rows:
            if row["version"] != len(events):
                break
            events.append(decode(row["kind"], json.loads(row["body"]), row["codec"]))
        if not len(events) == len(rows) == version:
            raise LogError(f"the log of {game} has not all of its {version} events")
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
        found = [_post(row) for row in rows]
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
        return {
            _seat(connection, game, row["seat"]): tuple(map(card, json.loads(row["cards"]))) for row in rows
        }


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
    is_id = row["id"].isascii() and row["id"].isalnum()
    game = row["id"] if is_id else numbered(row["number"])
    try:
        with reading(connection, game, "its table"):
            require(holds=game == row["id"])
            return _record(connection, row)
    except DamagedGame as error:
        return error


def _record(connection: sqlite3.Connection, row: sqlite3.Row) -> TableRecord:
    seats = connection.execute("SELECT * FROM seats WHERE game = ? ORDER BY seat", (row["id"],)).fetchall()
    require(holds=[seat["seat"] for seat in seats] == list(range(len(seats))))
    won_before = json.loads(row["won_before"])
    require(holds=all(map(is_number, won_before)))
    is_open = row["status"] in {Status.GATHERING.value, Status.PLAYING.value}
    require(holds=row["channel"] >= is_open and 0 <= row["told"] <= row["version"])
    require(holds=row["seconds"] is None or 0 < row["seconds"] <= _LONGEST)
    record = TableRecord(
        game=row["id"],
        guild=row["guild"],
        channel=row["channel"],
        place=row["place"],
        host=row["host"],
        status=Status(row["status"]),
        agreement=Agreement(
            rules=decode_rules(json.loads(row["rules"]), row["codec"]),
            preset=row["preset"],
            pace=Pace(row["pace"]),
            seconds=row["seconds"],
            hints=bool(row["hints"]),
            board=Board(row["board"]),
            best_of=row["best_of"],
        ),
        language=row["language"],
        thread=OwnThread(row["thread"]),
        called=row["called"],
        occupants=tuple(map(_occupant, seats)),
        won_before=tuple(won_before),
        match=row["match"],
        match_before=tuple(from_plain(MatchGame, each) for each in json.loads(row["match_before"])),
        timed_out=bool(row["timed_out"]),
        rematch_of=row["rematch_of"],
        commitment=row["commitment"],
        begins=bool(row["begins"]),
        version=row["version"],
        told=row["told"],
    )
    rules = record.agreement.rules
    require(holds=len(seats) <= rules.seats and len(won_before) in {0, rules.sides})
    require(holds=record.agreement.preset in PRESETS and record.agreement.best_of in MATCHES)
    require(holds=record.goes_on_in_match == bool(record.match_before))
    require(holds=not record.goes_on_in_match or (record.agreement.is_match and len(seats) == rules.seats))
    for game in record.match_before:
        require(holds=0 <= game.winner < rules.sides == len(game.scores) and is_number(game.worth))
    require(holds=record.status is not Status.GATHERING or not record.version)
    if not record.version:
        require(holds=record.status in {Status.GATHERING, Status.CANCELLED})
        written = connection.execute("SELECT 1 FROM events WHERE game = ? LIMIT 1", (record.game,))
        require(holds=written.fetchone() is None)
    return record


def numbered(number: int) -> str:
    """What stands for the id of a game whose own cannot be read: where its row is."""
    return f"#{number}"


def _post(row: sqlite3.Row) -> Post:
    kind = PostKind(row["kind"])
    require(holds=row["channel"] > 0 and row["message"] > 0)
    require(holds=row["deal"] > 0 if kind in _OF_A_DEAL else row["deal"] >= 0)
    require(holds=row["seat"] == -1 if kind in _OF_THE_CHANNEL else row["seat"] >= -1)
    require(holds=kind is not PostKind.LOBBY or row["deal"] == 0)
    require(holds=kind is not PostKind.HAND or row["seat"] >= 0)
    return Post(**{**row, "kind": kind})


def _seat(connection: sqlite3.Connection, game: str, seat: int) -> Seat:
    seats = connection.execute("SELECT count(*) FROM seats WHERE game = ?", (game,)).fetchone()[0]
    require(holds=0 <= seat < seats)
    return Seat(seat)


def _occupant(seat: sqlite3.Row) -> Occupant:
    level = None if seat["computer"] is None else Level(seat["computer"])
    colour = None if seat["colour"] is None else Colour(seat["colour"])
    return Occupant(seat["user"], seat["name"], level, colour)


def _json(body: dict[str, Json]) -> str:
    return json.dumps(body, separators=(",", ":"))
