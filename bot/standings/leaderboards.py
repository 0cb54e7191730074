"""Leaderboards: a server's players ranked by rating, wins, share of wins, or best hand.

Equal figures share a place, and the next place counts them all (1, 2, 2, 4). Within a place, players are
ordered by number of games, most first, then by name. Hidden people and deleted ones are on no board. A
provisional rating has no place, and is listed below those that have one. The store ranks the players, and
returns one page at a time (`StandingsQueries.leaderboard`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from bot.standings.figures import BestHand
from bot.standings.ratings import Kind, Rating

PAGE = 10
"""Number of rows on a page, which fit on a phone's screen."""


class Board(Enum):
    """The figure by which a leaderboard ranks."""

    RATING = "rating"
    """Rating in games of two."""
    MORE = "more"
    """Rating in games of three and four."""
    WINS = "wins"
    RATE = "rate"
    """Share of games won."""
    HAND = "hand"

    @property
    def kind(self) -> Kind | None:
        """The kind of games that count on this board; `None` for all."""
        return {Board.RATING: Kind.TWO, Board.MORE: Kind.MORE}.get(self)


class Span(Enum):
    """The period of games that count."""

    MONTH = "month"
    """Games finished in the current month (UTC)."""
    EVER = "ever"

    @property
    def enough(self) -> int:
        """Minimum number of games for a share of wins, so that one lucky game does not lead."""
        return 5 if self is Span.MONTH else 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A person's sums over the games that count on a board."""

    user: int
    name: str
    """The person's name in the server at their last game."""
    hidden: bool
    games: int
    wins: int
    best: BestHand | None
    rating: Rating
    """The current rating of the board's kind; a newcomer's if there is none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board."""

    place: int | None
    """Rank, from 1; `None` for a provisional rating."""
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """A page of a board."""

    board: Board
    span: Span
    month: datetime
    """Start of the current month (UTC)."""
    people: int
    """Number of people on all pages of the board."""
    ranked: int
    """Number of people with a place."""
    page: int
    """The number of this page, from 0; the last one if a later one was requested."""
    rows: tuple[Row, ...]
    """The rows of the page."""
    own: Tally | None
    """Tally of the person who asked, on the board or not."""
    own_row: Row | None
    """Row of the person who asked, if they are on the board."""

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return pages_of(self.people)


def pages_of(people: int) -> int:
    """The number of pages for `people`, at least one."""
    return max(1, -(-people // PAGE))


def month_of(now: datetime) -> datetime:
    """Start of the month of `now`, in UTC."""
    return now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
