"""Ratings: a Plackett-Luce estimate of a person's strength in a server, by the openskill library. Pure.

A game has one winning side. Playing for second place is not cribbage, so all losers of a game of three or
four are level, by any scores; how far somebody lost is told by skunks and not by ratings.

Ratings are worth something to people, so some play for them and not for the game. What keeps that from paying
is here, all of it, and in the help: how long a game has to be, how many games of the same players count in a
day, and from how many games on somebody has a place on a leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

PROVISIONAL = 10
"""Rated games of its kind below which a rating is provisional, and has no place on a leaderboard. The first
game of two players moves what is shown by some 75 to 145; after ten, a quarter of the doubt that a newcomer
begins with is gone."""

DEALS_TO_COUNT = 3
"""A game is rated if it came to this deal: games given away at once are not."""

POINTS_TO_COUNT = 31
"""A shorter game is rated if a side has come to this many holes, as in a short game that is soon over."""

RATED_A_DAY = 10
"""Of the games that the same players finish in a server in a day, by UTC, the first so many are rated."""

COURSE = 100
"""Rated games over which the course of a rating is shown."""

_ZERO, _SCALE = 1000, 40
"""A newcomer stands at a thousand, as on a chess ladder, so that nobody reads of negative points."""


def is_long_enough(deals: int, scores: Iterable[int]) -> bool:
    """True if a game that ended in deal number `deals`, with these holes by side, can be rated."""
    return deals >= DEALS_TO_COUNT or max(scores, default=0) >= POINTS_TO_COUNT


class Kind(Enum):
    """The kind of games of a rating: luck and skill differ too much between kinds for one figure."""

    TWO = "two"
    MORE = "more"
    """Three and four players."""

    @classmethod
    def of(cls, seats: int) -> Kind:
        """The kind of a game with that many players."""
        return cls.TWO if seats == 2 else cls.MORE


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a person's strength."""

    mu: float = _MODEL.mu
    """The strength itself."""
    sigma: float = _MODEL.sigma
    """The doubt about it."""
    games: int = 0

    @property
    def shown(self) -> int:
        """The rating that players read: a cautious estimate, three standard deviations below `mu`."""
        return _ZERO + round(_SCALE * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """True if there were too few games for a good estimate."""
        return self.games < PROVISIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """The change of a rating by one game, as players read it (`Rating.shown`)."""

    before: int
    after: int


def rated(sides: Sequence[Sequence[Rating]], winner: int) -> tuple[tuple[Rating, ...], ...]:
    """The ratings of every side's players after a game that `winner`, a place in `sides`, has won."""
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
    ranks = [1.0 if place == winner else 2.0 for place in range(len(sides))]
    after = _MODEL.rate(teams, ranks=ranks)
    return tuple(
        tuple(
            Rating(float(new.mu), float(new.sigma), old.games + 1)
            for new, old in zip(team, side, strict=True)
        )
        for team, side in zip(after, sides, strict=True)
    )
