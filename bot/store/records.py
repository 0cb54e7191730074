"""Converts rows to records, posts and events, and back. Pure.

A damaged value raises one of `damage.UNREADABLE`, which `damage.reading` turns into a `DamagedGame`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from bot.model.colours import Colour
from bot.model.match import contenders
from bot.model.posts import Post, PostKind
from bot.model.table_record import (
    MATCHES,
    Agreement,
    Board,
    Explaining,
    MatchGame,
    Occupant,
    OwnThread,
    Pace,
    Status,
    TableRecord,
)
from bot.model.venue import Venue
from bot.store.connection import Row
from bot.store.damage import is_number, require
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
    from_plain,
    to_plain,
)
from engine.computer import Level
from engine.secret_events import LoggedEvent

_LONGEST = 366 * 86_400
"""Upper bound (s) of a sound time for a move."""

HELD: Final = "held"
"""In the place of a computer's level: the seat is held for its person, who has not sat down."""

_OF_THE_CHANNEL = frozenset({PostKind.LOBBY, PostKind.TABLE, PostKind.RESULT})


def plain_json(body: Mapping[str, Json]) -> str:
    """The JSON object without spaces."""
    return json.dumps(body, separators=(",", ":"))


def columns_of(record: TableRecord) -> dict[str, object]:
    """A new table's row, by column; its seats have rows of their own."""
    return {
        "id": record.game,
        "guild": record.guild,
        "channel": record.channel,
        "place": record.place,
        "host": record.host,
        "status": record.status.value,
        **agreed_columns(record.agreement),
        "language": record.language,
        "thread": record.thread.value,
        "called": record.called,
        "match": record.match,
        "match_before": json.dumps([to_plain(each) for each in record.match_before]),
        "won_before": json.dumps(record.won_before),
        "rematch_of": record.rematch_of,
        "venue": record.venue.value,
        "outside": record.outside,
    }


def agreed_columns(agreed: Agreement) -> dict[str, object]:
    """The agreement's columns in the table's row."""
    return {
        "rules": plain_json(encode_rules(agreed.rules)),
        "codec": CODEC_VERSION,
        "preset": agreed.preset,
        "pace": agreed.pace.value,
        "seconds": agreed.seconds,
        "hints": agreed.hints,
        "board": agreed.board.value,
        "best_of": agreed.best_of,
    }


def seat_rows(
    game: str, occupants: Sequence[Occupant], held: Sequence[Occupant] = ()
) -> list[tuple[str, int, int | None, str, str | None, str | None, str | None]]:
    """The rows of the seats, the held ones last: game, seat, user, name, computer, colour, explaining."""
    computers = [*(each.level and each.level.value for each in occupants), *(HELD for _ in held)]
    return [
        (
            *(game, seat, each.user, each.name, computer),
            *(each.colour and each.colour.value, each.explaining and each.explaining.value),
        )
        for seat, (each, computer) in enumerate(zip((*occupants, *held), computers, strict=True))
    ]


def readable_id(row: Row) -> str:
    """The id of the row's game, or, if that is damaged, `#` and the row's number."""
    is_id = row["id"].isascii() and row["id"].isalnum()
    return str(row["id"]) if is_id else f"#{row['number']}"


def record_of(row: Row, seats: Sequence[Row], *, has_log: bool) -> TableRecord:
    """The record of a table's row and its seats' rows, in order; `has_log` if it has any events."""
    held = [seat for seat in seats if seat["computer"] == HELD]
    seats = [seat for seat in seats if seat["computer"] != HELD]
    require(holds=[seat["seat"] for seat in seats] == list(range(len(seats))))
    require(holds=not held or row["status"] == Status.GATHERING.value)
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
        opened_at=row["created_at"],
        occupants=tuple(map(_occupant, seats)),
        held=tuple(map(_held, held)),
        won_before=tuple(won_before),
        match=row["match"],
        match_before=tuple(from_plain(MatchGame, each) for each in json.loads(row["match_before"])),
        timed_out=bool(row["timed_out"]),
        rematch_of=row["rematch_of"],
        has_deck=bool(row["has_deck"]),
        seal=row["seal"],
        words=_given(row),
        words_dropped=bool(row["dropped"]),
        venue=Venue(row["venue"]),
        outside=row["outside"],
        version=row["version"],
        synced=row["told"],
    )
    rules = record.agreement.rules
    require(holds=len(seats) <= rules.seats and len(won_before) in {0, len(contenders(rules))})
    require(holds=record.agreement.preset in PRESETS and record.agreement.best_of in MATCHES)
    require(holds=record.goes_on_in_match == bool(record.match_before))
    require(holds=not record.goes_on_in_match or (record.agreement.is_match and len(seats) == rules.seats))
    for game in record.match_before:
        require(holds=0 <= game.winner < rules.sides == len(game.scores) and is_number(game.worth))
    require(holds=record.status is not Status.GATHERING or not record.version)
    if not record.version:
        require(holds=record.status in {Status.GATHERING, Status.CANCELLED} and not has_log)
    return record


def events_of(game: str, rows: Sequence[Row], version: int, into: list[LoggedEvent]) -> None:
    """Decode a log of `version` events `into` a list, which holds the sound ones if one is damaged."""
    for row in rows:
        if row["version"] != len(into):
            break
        into.append(decode(row["kind"], json.loads(row["body"]), row["codec"]))
    if not len(into) == len(rows) == version:
        raise LogError(f"the log of {game} has not all of its {version} events")


def post_of(row: Row) -> Post:
    """The message of a row."""
    kind = PostKind(row["kind"])
    require(holds=row["channel"] > 0 and row["message"] > 0)
    require(holds=row["deal"] > 0 if kind is PostKind.TABLE else row["deal"] >= 0)
    require(holds=row["seat"] == -1 if kind in _OF_THE_CHANNEL else row["seat"] >= -1)
    require(holds=kind is not PostKind.LOBBY or row["deal"] == 0)
    require(holds=kind is not PostKind.HAND or row["seat"] >= 0)
    return Post(**{**row, "kind": kind})


def tapped(cards: str) -> Cards:
    """The cards tapped for the crib, of a JSON array."""
    return tuple(map(card, json.loads(cards)))


def seat_of(seat: int, seats: int) -> Seat:
    """The seat of a table with `seats` seats."""
    require(holds=0 <= seat < seats)
    return Seat(seat)


def _given(row: Row) -> tuple[Seat, ...]:
    """The seats that gave words to the deck, the oldest first."""
    if row["terms"] is None:
        return ()
    return tuple(Seat(seat) for seat, _ in json.loads(row["terms"])["words"])


def _occupant(seat: Row) -> Occupant:
    level = None if seat["computer"] is None else Level(seat["computer"])
    explaining = None if seat["explaining"] is None else Explaining(seat["explaining"])
    return Occupant(seat["user"], seat["name"], level, _colour(seat), explaining)


def _held(seat: Row) -> Occupant:
    require(holds=seat["user"] is not None)
    return Occupant(seat["user"], seat["name"], colour=_colour(seat))


def _colour(seat: Row) -> Colour | None:
    return None if seat["colour"] is None else Colour(seat["colour"])
