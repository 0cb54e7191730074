"""A server's players in order: by rating, wins, share of wins, or best hand. Pure.

Equal figures share a place, and the next place counts them all (1, 2, 2, 4). Within a place, more games
stand first. People who hide, and seats of the forgotten, are on no board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from fractions import Fraction

from bot.standings.figures import BestHand
from bot.standings.ratings import Kind, Rating

PAGE = 10
"""Rows on a page: what a phone shows without much scrolling."""


class Board(Enum):
    """What a leaderboard goes by."""

    RATING = "rating"
    """The rating of games of two."""
    MORE = "more"
    """The rating of games of three and four."""
    WINS = "wins"
    RATE = "rate"
    """The share of games that were won."""
    HAND = "hand"

    @property
    def kind(self) -> Kind | None:
        """The games that count on this board; nothing when all do."""
        return {Board.RATING: Kind.TWO, Board.MORE: Kind.MORE}.get(self)


class Span(Enum):
    """Which games count."""

    MONTH = "month"
    """Those finished in this month, which begins and ends at midnight UTC."""
    EVER = "ever"

    @property
    def enough(self) -> int:
        """The games from which on a share of wins is one: below it, one lucky game would lead."""
        return 5 if self is Span.MONTH else 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One person's games that count on a board."""

    user: int
    name: str
    """As it was in the server at the last game."""
    hidden: bool
    games: int
    wins: int
    best: BestHand | None
    rating: Rating
    """The present one of the board's kind; a newcomer's where there is none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A place on a board."""

    place: int
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """A board, whole; its pages are cut where it is drawn."""

    board: Board
    span: Span
    month: datetime
    """The month's first moment, in UTC."""
    rows: tuple[Row, ...]
    own: Tally | None
    """The games of the person who asks, on the board or not."""

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-len(self.rows) // PAGE))

    def page(self, number: int) -> tuple[Row, ...]:
        """The rows of a page; the first is page 0."""
        return self.rows[number * PAGE : (number + 1) * PAGE]

    @property
    def own_row(self) -> Row | None:
        """The place of the person who asks, if there is one."""
        return next((row for row in self.rows if self.own and row.tally.user == self.own.user), None)


_WORTH: dict[Board, Callable[[Tally], Fraction]] = {
    Board.RATING: lambda tally: Fraction(tally.rating.shown),
    Board.MORE: lambda tally: Fraction(tally.rating.shown),
    Board.WINS: lambda tally: Fraction(tally.wins),
    Board.RATE: lambda tally: Fraction(tally.wins, tally.games),
    Board.HAND: lambda tally: Fraction(tally.best.points if tally.best else 0),
}


def leaderboard(board: Board, span: Span, tallies: Iterable[Tally], asker: int, now: datetime) -> Leaderboard:
    """The people in order."""
    everybody = list(tallies)
    listed = [each for each in everybody if not each.hidden and is_eligible(each, board, span)]
    worth = _WORTH[board]
    listed.sort(key=lambda each: (-worth(each), -each.games, each.name, each.user))
    rows: list[Row] = []
    for number, each in enumerate(listed, 1):
        level = rows and worth(rows[-1].tally) == worth(each)
        rows.append(Row(rows[-1].place if level else number, each))
    return Leaderboard(
        board=board,
        span=span,
        month=month_of(now)[0],
        rows=tuple(rows),
        own=next((each for each in everybody if each.user == asker), None),
    )


def is_eligible(tally: Tally, board: Board, span: Span) -> bool:
    """Whether the games are enough for the board."""
    match board:
        case Board.RATE:
            return tally.games >= span.enough
        case Board.HAND:
            return tally.best is not None
        case Board.WINS:
            return tally.wins > 0
        case Board.RATING | Board.MORE:
            return tally.rating.games > 0


def month_of(now: datetime) -> tuple[datetime, datetime]:
    """The first moment of this month and of the next, in UTC."""
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    following = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    return first, following
