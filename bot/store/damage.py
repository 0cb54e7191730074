"""Damaged rows, as opposed to bugs: one game is quarantined, and the others are not affected.

The rows of a game are read within `reading`, which turns every error that a damaged value can cause into a
`DamagedGame`, with the people who may clear the game's channel. Its message names no value, as that might be
a card.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bot.model.errors import DamagedGame, StoreError
from bot.model.table_record import Status, TableRecord
from bot.store.connection import Connection
from engine import Chance, EngineError, Game, LogError
from engine.secret_events import LoggedEvent

log = logging.getLogger(__name__)

UNREADABLE = (
    EngineError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Errors that reading a damaged value can cause."""


@asynccontextmanager
async def reading(connection: Connection, game: str, part: str | Callable[[], str]) -> AsyncIterator[None]:
    """Raises `DamagedGame` in place of an `UNREADABLE` error; `part` is for example "its messages"."""
    try:
        yield
    except StoreError:
        raise
    except UNREADABLE as error:
        raise await _damaged(connection, game, part if isinstance(part, str) else part(), error) from None


async def _damaged(connection: Connection, game: str, part: str, error: Exception) -> DamagedGame:
    """The error for that game, with the people who may clear its channel."""
    row = await connection.fetchrow("SELECT guild, host FROM games WHERE id = $1", game)
    seats = await connection.fetch(
        'SELECT "user" FROM seats WHERE game = $1 AND "user" > 0 ORDER BY seat', game
    )
    people = {each["user"] for each in seats}
    if row is not None and row["guild"] is None:
        people.add(row["host"])  # a DM has no moderators
    guild = row["guild"] if row is not None else None
    return DamagedGame(game, part, type(error).__name__, guild=guild, people=frozenset(people))


def replayed(record: TableRecord, log: tuple[LoggedEvent, ...], chance: Chance | None = None) -> Game:
    """The game of that log. Raises `DamagedGame` if it cannot be replayed or contradicts the record."""
    try:
        game = Game.replay(log, chance=chance, doubted=True)
    except LogError:
        raise _misfit(record, "its log", "LogError") from None
    agreed, played = record.agreement.rules, game.rules
    if any(getattr(agreed, name) != getattr(played, name) for name in _SAME_IN_LOG):
        raise _misfit(record, "its table", "other rules than in its log")
    if len(record.occupants) != played.seats:
        raise _misfit(record, "its table", "empty seats")
    if record.status is (Status.PLAYING if game.is_over else Status.OVER):
        raise _misfit(record, "its table", "another end than in its log")
    return game


_SAME_IN_LOG = ("seats", "partners", "players_a_side", "captain", "target")
"""Fields of the rules that show a record and a log of different games."""


def _misfit(record: TableRecord, part: str, reason: str) -> DamagedGame:
    people = frozenset(each.user for each in record.occupants if each.user is not None)
    return DamagedGame(record.game, part, reason, guild=record.guild, people=people)


class Quarantine:
    """Games that cannot be read, each logged once."""

    def __init__(self) -> None:
        self._games: set[str] = set()

    def add(self, damaged: DamagedGame) -> None:
        """Log the damage, once per game."""
        if damaged.game not in self._games:
            self._games.add(damaged.game)
            log.error("%s: it is set aside, and the others go on (see `python -m bot check`)", damaged)


def leave_out(table: str) -> None:
    """Log, once per table, that unreadable rows of it are left out."""
    if table not in _left_out:
        _left_out.add(table)
        log.error("rows of %s cannot be read, and are left out (see `python -m bot check`)", table)


_left_out: set[str] = set()
"""Tables for which `leave_out` has logged."""


def require(*, holds: bool) -> None:
    """Raises `ValueError` for a value that this program never writes."""
    if not holds:
        raise ValueError("nobody can have written that")


def is_number(value: Any) -> bool:
    """True for a whole number that is not negative."""
    return type(value) is int and value >= 0
