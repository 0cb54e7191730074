"""A finished game as a result: who won, how, and every seat's part in it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.standings.figures import SeatFigures, figures
from bot.standings.ratings import Kind, RatingChange, is_long_enough
from engine import Ending, Game, Seat, Side, Skunk
from engine.secret_events import LoggedEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """One seat's part in a finished game."""

    seat: Seat
    side: Side
    won: bool
    score: int
    """Its side's holes."""
    skunk: Skunk
    """How badly it lost; `NONE` for the winner, and for games that were not played out."""
    beaten: tuple[Skunk, ...]
    """The skunks that its side gave, one for each losing side that was skunked."""
    figures: SeatFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """What a finished game says."""

    winner: Side
    ending: Ending
    deals: int
    seats: tuple[SeatResult, ...]

    @property
    def is_long_enough(self) -> bool:
        """Whether it can be rated."""
        return is_long_enough(self.deals, (each.score for each in self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRating:
    """What a game did to the rating of the person at one seat."""

    change: RatingChange
    is_hidden: bool
    """Whether the person keeps their statistics to themselves now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """A person's part in one game."""

    kind: Kind
    part: SeatResult


def result_of(log: Sequence[LoggedEvent]) -> GameResult | None:
    """The result that the log comes to; nothing for a game without a winner. Raises `LogError`."""
    table = Game.replay(log, doubted=True).table
    result = table.result
    if result is None:
        return None
    given = tuple(skunk for skunk in result.skunks if skunk is not Skunk.NONE)
    seats = []
    for number, gained in enumerate(figures(log)):
        side = table.rules.side_of(Seat(number))
        won = side == result.winner
        seats.append(
            SeatResult(
                seat=Seat(number),
                side=side,
                won=won,
                score=result.scores[side],
                skunk=result.skunks[side],
                beaten=given if won else (),
                figures=gained,
            )
        )
    return GameResult(winner=result.winner, ending=result.ending, deals=table.deal_number, seats=tuple(seats))
