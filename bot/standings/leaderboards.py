"""A server's players in order: by rating, wins, share of wins, or best hand.

Equal figures share a place, and the next place counts them all (1, 2, 2, 4). Within a place, more games
stand first, then the name. People who hide, and seats of the forgotten, are on no board. A provisional rating
has no place: it stands below those that have one. A store puts the players in this order, and hands out a
page at a time (`StandingsQueries.leaderboard`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from bot.standings.figures import BestHand
from bot.standings.ratings import Kind, Rating

PAGE = 10
"""Rows on a page: what a phone shows without much scrolling."""


class Board(Enum):
    """The figure by which a leaderboard ranks."""

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
    """The period of games that count."""

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
    """A line of a board."""

    place: int | None
    """`None` for a provisional rating, which stands below all places."""
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """A page of a board."""

    board: Board
    span: Span
    month: datetime
    """The month's first moment, in UTC."""
    people: int
    """Everybody on the board, on all its pages."""
    ranked: int
    """Those of them who have a place."""
    page: int
    """The number of this page, from 0; the last one if a later one was requested."""
    rows: tuple[Row, ...]
    """The rows of the page."""
    own: Tally | None
    """The games of the person who asks, on the board or not."""
    own_row: Row | None
    """Their row, if they are on the board."""

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return pages_of(self.people)


def pages_of(people: int) -> int:
    """The number of pages for `people`, at least one."""
    return max(1, -(-people // PAGE))


def month_of(now: datetime) -> datetime:
    """The first moment of this month, in UTC."""
    return now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
