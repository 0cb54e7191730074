"""Ratings: a Plackett-Luce estimate of a person's strength in a server, by the openskill library. Pure.

A game has one winning side. Playing for second place is not cribbage, so the losers of a game of three or
four tie, whatever their scores; a rating does not depend on the margin.

All limits against rating abuse are here, and in the help: the length of a rated game, the number of rated
games of the same players in a day, and the number of games for a place on a leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

PROVISIONAL = 10
"""Number of rated games of its kind below which a rating is provisional, and has no place on a leaderboard.
The first game of two players changes the shown rating by some 75 to 145; ten games reduce a newcomer's
standard deviation by a quarter."""

DEALS_TO_COUNT = 3
"""Minimum number of deals of a rated game, so that one resigned at once is not rated."""

POINTS_TO_COUNT = 31
"""Score (holes) with which a game of fewer deals is rated, too, since short games end early."""

RATED_A_DAY = 10
"""Maximum number of rated games of the same players in a server in a day (UTC)."""

COURSE = 100
"""Maximum number of rated games in a rating's course."""

_ZERO, _SCALE = 1000, 40
"""Offset and factor of the shown rating: a newcomer has 1000, as in chess, to avoid negative ratings."""


def is_long_enough(deals: int, scores: Iterable[int]) -> bool:
    """True if a game that ended in deal number `deals`, with these holes by side, can be rated."""
    return deals >= DEALS_TO_COUNT or max(scores, default=0) >= POINTS_TO_COUNT


class Kind(Enum):
    """A kind of games, which has its own ratings: luck and skill differ too much between kinds."""

    TWO = "two"
    MORE = "more"
    """Games of three and four players."""

    @classmethod
    def of(cls, seats: int) -> Kind:
        """The kind of a game with that many players."""
        return cls.TWO if seats == 2 else cls.MORE


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a person's strength, as a normal distribution."""

    mu: float = _MODEL.mu
    """Mean of the rating."""
    sigma: float = _MODEL.sigma
    """Standard deviation of the rating."""
    games: int = 0

    @property
    def shown(self) -> int:
        """The rating that players read: a cautious estimate, three standard deviations below `mu`."""
        return _ZERO + round(_SCALE * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """True if the person has fewer than `PROVISIONAL` rated games."""
        return self.games < PROVISIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """The change of a rating by one game, as players read it (`Rating.shown`)."""

    before: int
    after: int


def rated(sides: Sequence[Sequence[Rating]], winner: int) -> tuple[tuple[Rating, ...], ...]:
    """The ratings of each side's players after a game; `winner` is the index of the winning side."""
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
