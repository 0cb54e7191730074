"""The result of a finished game: its winner, its ending, and each seat's part. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.great_moments import CountedHand, counted_hands, furthest_behind
from bot.standings.figures import SeatFigures, figures
from bot.standings.ratings import PROVISIONAL, Kind, RatingChange, is_long_enough
from bot.standings.wall import WALL
from engine import Ending, Game, NoComputerFamily, NotCoached, Seat, Side, Skunk
from engine.coach import fortunes
from engine.secret_events import LoggedEvent, public


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """One seat's part in a finished game."""

    seat: Seat
    side: Side
    won: bool
    score: int
    """Score (holes) of the seat's side."""
    skunk: Skunk
    """Severity of the loss; `NONE` for the winner, and for games that were not played out."""
    beaten: tuple[Skunk, ...]
    """Skunks given by the seat's side, one for each skunked side."""
    figures: SeatFigures
    comeback: int = 0
    """Largest deficit (holes) that the winner's side had when a deal began; 0 for the others, and for games
    that were not played out.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of a finished game."""

    winner: Side
    ending: Ending
    deals: int
    seats: tuple[SeatResult, ...]
    is_variant: bool = False
    """True if it counts in no statistics (`engine.Rules.is_variant`)."""
    great: tuple[CountedHand, ...] = ()
    """Hands and cribs with enough points for a server's wall."""

    @property
    def can_be_rated(self) -> bool:
        """True if the game is no variant, and long enough."""
        return not self.is_variant and is_long_enough(self.deals, (each.score for each in self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRating:
    """A game's change of the rating of the person at one seat."""

    change: RatingChange
    games: int = PROVISIONAL + 1
    """Number of rated games of its kind up to this one, at most `PROVISIONAL` + 1."""
    is_hidden: bool
    """True if the person currently hides their statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """A person's part in one game."""

    kind: Kind
    part: SeatResult


def result_of(log: Sequence[LoggedEvent], *, is_judged: bool = False) -> GameResult | None:
    """The result of the log's game; `None` for a game without a winner. Raises `LogError`.

    With `is_judged` the figures include luck and skill, which takes about 50 ms.
    """
    table = Game.replay(log, doubted=True).table
    result = table.result
    if result is None:
        return None
    told = public(log)
    is_played_out = result.ending is Ending.PEGGED_OUT
    behind = furthest_behind(told, table.rules, result.winner) if is_played_out else 0
    given = tuple(skunk for skunk in result.skunks if skunk is not Skunk.NONE)
    seats = []
    for number, gained in enumerate(_judged(log, figures(log)) if is_judged else figures(log)):
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
                comeback=behind if won else 0,
            )
        )
    return GameResult(
        winner=result.winner,
        ending=result.ending,
        deals=table.deal_number,
        seats=tuple(seats),
        is_variant=table.rules.is_variant,
        great=tuple(each for each in counted_hands(told) if each.points >= WALL),
    )


def _judged(log: Sequence[LoggedEvent], gained: Sequence[SeatFigures]) -> tuple[SeatFigures, ...]:
    """The figures with luck and skill, if the coach knows the rules."""
    try:
        judged = fortunes(log)
    except (NoComputerFamily, NotCoached):
        return tuple(gained)
    return tuple(
        replace(
            each,
            judged=fortune.deals,
            luck=round(1000 * fortune.luck.total),
            given_away=round(1000 * fortune.given_away),
        )
        for each, fortune in zip(gained, judged, strict=True)
    )
