"""Finished games, and the values of the standings' tables: read, written and checked. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.model.table_record import Occupant
from bot.standings.careers import Career
from bot.standings.figures import BestHand
from bot.standings.leaderboards import Span
from bot.standings.ratings import Kind
from bot.standings.results import Appearance, GameResult, SeatResult
from bot.store.damage import UNREADABLE, leave_out
from engine import MOST_USUAL_SEATS, PRESETS, from_plain, to_plain
from engine.computer import Level

EVERYWHERE = 0
"""In place of a server: all servers, and games outside of any."""

ANY = "any"
"""In place of a kind: games for any number of players."""

_VARIANTS = ", ".join(f"'{name}'" for name, preset in PRESETS.items() if preset().is_variant)


def is_usual(results: str = "results") -> str:
    """Condition in SQL for a row of `results` that counts in statistics: no variant, four players at most."""
    is_variant = f"SELECT 1 FROM games WHERE games.id = {results}.game AND preset IN ({_VARIANTS})"  # noqa: S608 -- names of our own
    return f"{results}.seats <= {MOST_USUAL_SEATS} AND NOT EXISTS ({is_variant})"


LATEST = 2**35
"""Upper bound (s since 1970, in the year 3058) of a sound time."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game with its result and players."""

    number: int
    """Its place in the order of finishing."""
    game: str
    guild: int | None
    at: int
    """Time of its end (s since 1970)."""
    result: GameResult
    players: tuple[Occupant, ...]
    """By seat, as they sat at the end."""

    @property
    def kind(self) -> Kind:
        """The kind of game."""
        return Kind.of(len(self.result.seats))

    @property
    def strongest(self) -> Level:
        """The strongest of the computers that sat there at the end."""
        return max(self.levels, key=list(Level).index)

    @property
    def people(self) -> Iterator[tuple[Occupant, int, SeatResult]]:
        """The people for whom it counts, with their ids and their parts in the result."""
        for player, part in zip(self.players, self.result.seats, strict=True):
            if player.person is not None and player.person >= 0:
                yield player, player.person, part

    def career(self, part: SeatResult) -> Career:
        """The career that consists of this game."""
        return Career.of(Appearance(kind=self.kind, part=part))

    @property
    def levels(self) -> tuple[Level, ...]:
        """The computers that sat there at the end."""
        return tuple(each.level for each in self.players if each.level is not None)


def month_number(span: Span, at: float) -> int:
    """The month (UTC) of a tally, such as 202611; 0 for a tally of all time."""
    if span is Span.EVER:
        return 0
    when = datetime.fromtimestamp(at, UTC)
    return when.year * 100 + when.month


def career_of(plain: str) -> Career:
    """The stored career; an empty one, and a line in the log, for a damaged one."""
    try:
        return from_plain(Career, json.loads(plain))
    except UNREADABLE:
        leave_out("careers")
        return Career()


def best_hand(plain: str | None) -> BestHand | None:
    """The stored best hand; `None`, and a line in the log, for a damaged one."""
    if plain is None:
        return None
    try:
        return from_plain(BestHand, json.loads(plain))
    except UNREADABLE:
        leave_out("tallies")
        return None


def plain(value: object) -> str:
    """A career, a hand or a seat's part in a game as JSON."""
    return json.dumps(to_plain(value), separators=(",", ":"))


def is_rating(mu: float, sigma: float, games: int) -> bool:
    """True for a possible rating; any other is damaged."""
    return abs(mu) < _FAR and 0 < sigma < _FAR and games > 0


_FAR = 1_000
"""Upper bound of mean and deviation; a newcomer has 25 and a third of it."""
