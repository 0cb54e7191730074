"""What cannot be read, told from what this program does wrong: one game's rows are set aside, no more.

Each store reads the rows of a game within a `reading` of its own, which makes of anything that a damaged
value can lead to one `DamagedGame`, with what is needed to clear its channel (`damaged_game`). Its message
names no value: it might be a card.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from bot.model.errors import DamagedGame
from bot.model.table_record import Status, TableRecord
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
"""What comes of reading a value that nobody has written."""


def damaged_game(
    game: str, part: str, error: Exception, row: Mapping[str, Any] | None, users: Iterable[int]
) -> DamagedGame:
    """The error for that game, with who may clear its channel: its `row` and the `users` who sit there."""
    people = set(users)
    if row is not None and row["guild"] is None:
        people.add(row["host"])  # in the bot's DM nobody else can ask
    guild = row["guild"] if row is not None else None
    return DamagedGame(game, part, type(error).__name__, guild=guild, people=frozenset(people))


def replayed(record: TableRecord, log: tuple[LoggedEvent, ...], chance: Chance | None = None) -> Game:
    """The game of that log, which goes with the record. Raises `DamagedGame`."""
    try:
        game = Game.replay(log, chance=chance, doubted=True)
    except LogError:
        raise _misfit(record, "its log", "LogError") from None
    agreed, played = record.agreement.rules, game.rules
    if (agreed.seats, agreed.partners, agreed.target) != (played.seats, played.partners, played.target):
        raise _misfit(record, "its table", "other rules than in its log")
    if len(record.occupants) != played.seats:
        raise _misfit(record, "its table", "empty seats")
    if record.status is (Status.PLAYING if game.is_over else Status.OVER):
        raise _misfit(record, "its table", "another end than in its log")
    return game


def _misfit(record: TableRecord, part: str, reason: str) -> DamagedGame:
    people = frozenset(each.user for each in record.occupants if each.user is not None)
    return DamagedGame(record.game, part, reason, guild=record.guild, people=people)


class SetAside:
    """The games of which it was said that they cannot be read."""

    def __init__(self) -> None:
        self._games: set[str] = set()

    def add(self, damaged: DamagedGame) -> None:
        """Say so in the log, once."""
        if damaged.game not in self._games:
            self._games.add(damaged.game)
            log.error("%s: it is set aside, and the others go on (see `python -m bot check`)", damaged)


def leave_out(table: str) -> None:
    """Say in the log, once, that rows of a table cannot be read, and are left out."""
    if table not in _left_out:
        _left_out.add(table)
        log.error("rows of %s cannot be read, and are left out (see `python -m bot check`)", table)


_left_out: set[str] = set()
"""The tables of which that was said."""


def require(*, holds: bool) -> None:
    """Raises `ValueError` for a value that nobody can have written."""
    if not holds:
        raise ValueError("nobody can have written that")


def is_number(value: Any) -> bool:
    """Whether it is a whole number that is not negative."""
    return type(value) is int and value >= 0
