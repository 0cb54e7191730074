"""The files of a person's export, and the part of a game in them. No database.

An export is streamed game by game, so its memory does not grow with its length.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot.standings.protocol import LARGEST_FILE
from bot.store.connection import Row

VERSION = 1
"""The version of an export: it rises when a field goes or changes its meaning, not for a field more."""

FORMAT = f"fifteen-two data {VERSION}"

LEFT_OVER = 200_000
"""Reserve (bytes) for the last game in a compressed file."""


def write(directory: Path, known: dict[str, Any], games: Callable[[], Iterator[bytes]]) -> tuple[Path, ...]:
    """Write the export as one file of JSON, or, if that is too large, as several compressed ones.

    `known` is everything but the games. Each call of `games` iterates over all of them, each a line of JSON.
    """
    known = {"format": FORMAT, **known}
    plain = directory / "fifteen-two.json"
    with plain.open("wb") as file:
        for part in _document(known, games()):
            file.write(part)
            if file.tell() > LARGEST_FILE:
                break
        else:
            return (plain,)
    plain.unlink()
    return tuple(_compressed(directory, known, games()))


def game_of(row: Row, user: int) -> dict[str, Any]:
    """The person's part in a game, without names or cards of others."""
    known: dict[str, Any] = {
        "game": row["id"],
        "server": None if row["guild"] is None else str(row["guild"]),
        "server_name": row["place"],
        "channel": str(row["channel"]),
        "status": row["status"],
        "rules": row["preset"],
        "players": object_in(row["rules"]).get("seats"),
        "opened_at": time_of(row["created_at"]),
        "you_called_for_it": row["host"] == user,
    }
    if row["seat"] is None:
        return known
    return known | {
        "seat": row["seat"],
        "your_name": row["name"],
        "computer_in_your_place": row["computer"],
        "scores_explained_to_you": row["explaining"],
    }


def result_of(row: Row | None) -> dict[str, Any] | None:
    """A game's result for the person."""
    if row is None:
        return None
    rating = None if row["before"] is None else {"before": row["before"], "after": row["after"]}
    return {
        "at": time_of(row["at"]),
        "ending": row["ending"],
        "deals": row["deals"],
        **object_in(row["part"]),
        "rating": rating,
    }


def tapped_in(cards: str | None) -> list[str]:
    """The cards in that JSON array; empty if it is damaged."""
    tapped: list[str] = [] if cards is None else object_in(f'{{"cards": {cards}}}').get("cards", [])
    return tapped


def object_in(text: str) -> dict[str, Any]:
    """The JSON object; empty if it is damaged."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def day_of(number: int) -> str | None:
    """The day (an ordinal) in ISO 8601; `None` for a damaged one."""
    try:
        return date.fromordinal(number).isoformat()
    except (ValueError, OverflowError):
        return None


def time_of(seconds: int) -> str | None:
    """The time in ISO 8601; `None` for a damaged one."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (OverflowError, OSError, ValueError):
        return None


def _compressed(directory: Path, known: dict[str, Any], games: Iterator[bytes]) -> Iterator[Path]:
    """Write compressed files, each a whole document; the first also has what is `known` beside the games."""
    ahead = next(games, None)
    number = 0
    while ahead is not None or not number:
        number += 1
        path = directory / f"fifteen-two-{number}.json.gz"
        with path.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            room = LARGEST_FILE - LEFT_OVER

            def some() -> Iterator[bytes]:
                nonlocal ahead
                while ahead is not None and file.tell() < room:  # noqa: B023 -- used up in this round
                    yield ahead
                    ahead = next(games, None)

            first = {**(known if number == 1 else {"format": FORMAT}), "part": number}
            for part in _document(first, some()):
                packed.write(part)
                packed.flush()  # so that `tell` counts it
        yield path


def _document(known: dict[str, Any], games: Iterator[bytes]) -> Iterator[bytes]:
    """A JSON object in pieces; each game is a line."""
    head = json.dumps(known, ensure_ascii=False, indent=1)
    yield head.removesuffix("\n}").encode() + b',\n "games": ['
    for number, game in enumerate(games):
        yield (b",\n" if number else b"\n") + game
    yield b"\n ]\n}\n"
