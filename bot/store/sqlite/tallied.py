"""What is kept of each person's finished games, and grows by one game at a time: careers, and tallies.

A game may be added at either end of those that are there: the order of finishing is told by its number. Plain
functions inside somebody's transaction. Nobody who was forgotten, or is being forgotten, is in any of it.
"""

from __future__ import annotations

import json
import sqlite3

from bot.model.table_record import Occupant
from bot.standings.careers import Career
from bot.standings.leaderboards import Span
from bot.standings.ratings import Kind
from bot.standings.results import Appearance, SeatResult
from bot.store.finished_games import ANY, EVERYWHERE, FinishedGame, career_of, month_number, plain
from engine import from_plain
from engine.computer import Level

TABLES = ("careers", "computer_records", "tallies")
"""The tables that are written here."""


def add(connection: sqlite3.Connection, edition: int, game: FinishedGame) -> None:
    """Add a game that is newer, or older, than all that the edition has."""
    scopes = (EVERYWHERE,) if game.guild is None else (EVERYWHERE, game.guild)
    for player, user, part in game.people:
        for guild in scopes:
            if game.levels:
                _add_to_record(connection, edition, guild, user, game.strongest, part)
            else:
                _add_to_career(connection, edition, guild, user, game, part)
        if game.guild is not None and not game.levels:
            _add_to_tallies(connection, edition, game.guild, player, game, part)


def remove(connection: sqlite3.Connection, user: int) -> None:
    """Take a person out of everything that is kept here."""
    for name in TABLES:
        connection.execute(f"DELETE FROM {name} WHERE user = ?", (user,))  # noqa: S608 -- this module's names


class CareerOfParts:
    """For a migration: an SQL aggregate of (number, seats, part), the career that these are together."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int, str]] = []

    def step(self, number: int, seats: int, part: str) -> None:
        """One game."""
        self._parts.append((number, seats, part))

    def finalize(self) -> str:
        """All of them, in their order."""
        career = Career()
        for _, seats, part in sorted(self._parts):
            known = {key: value for key, value in json.loads(part).items() if key != "rating"}
            career += Career.of(Appearance(kind=Kind.of(seats), part=from_plain(SeatResult, known)))
        return plain(career)


def _add_to_career(  # noqa: PLR0917 -- the key of a row, and what is added to it
    connection: sqlite3.Connection, edition: int, guild: int, user: int, game: FinishedGame, part: SeatResult
) -> None:
    key = (edition, guild, user)
    row = connection.execute(
        "SELECT last, career FROM careers WHERE edition = ? AND guild = ? AND user = ?", key
    ).fetchone()
    this = game.career(part)
    last = game.number
    if row is not None:
        kept = career_of(row["career"])
        this = kept + this if game.number > row["last"] else this + kept
        last = max(last, row["last"])
    connection.execute(
        """
        INSERT INTO careers (edition, guild, user, last, career) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET last = excluded.last, career = excluded.career
        """,
        (*key, last, plain(this)),
    )


def _add_to_record(  # noqa: PLR0917 -- as above
    connection: sqlite3.Connection, edition: int, guild: int, user: int, level: Level, part: SeatResult
) -> None:
    connection.execute(
        """
        INSERT INTO computer_records (edition, guild, user, level, games, wins) VALUES (?, ?, ?, ?, 1, ?)
        ON CONFLICT DO UPDATE SET games = games + 1, wins = wins + excluded.wins
        """,
        (edition, guild, user, level.value, part.won),
    )


def _add_to_tallies(  # noqa: PLR0917 -- as above
    connection: sqlite3.Connection,
    edition: int,
    guild: int,
    player: Occupant,
    game: FinishedGame,
    part: SeatResult,
) -> None:
    best = part.figures.best
    hand = (None, None, None) if best is None else (best.points, plain(best), game.number)
    connection.executemany(
        """
        INSERT INTO tallies
            (edition, guild, month, kind, user, name, last, games, wins, best, best_hand, best_in)
        VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
            name = iif(excluded.last > last, excluded.name, name),
            last = max(last, excluded.last), games = games + 1, wins = wins + excluded.wins,
            (best, best_hand, best_in) = (
                SELECT best, best_hand, best_in
                UNION ALL SELECT excluded.best, excluded.best_hand, excluded.best_in
                ORDER BY 1 DESC, 3 LIMIT 1)
        """,
        [
            (
                *(edition, guild, month_number(span, game.at), kind, player.person, player.name),
                *(game.number, part.won, *hand),
            )
            for span in Span
            for kind in (ANY, game.kind.value)
        ],
    )
