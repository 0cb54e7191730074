"""Ratings: a Plackett-Luce estimate of a person's strength in a server. Pure.

The method is algorithm 4 of Weng and Lin (JMLR 12, 2011), of the winner's place alone: a game has one
winning side, playing for second place is not cribbage, and losers say nothing of each other, whatever their
scores. So only the first factor of an order's likelihood counts, the chance that this side wins. (Tied for
second, a loser would gain by a stronger loser.) A rating does not depend on the margin.

All limits against rating abuse are here, and in the help: the length of a rated game, the number of rated
games of the same players in a day, and the number of games for a place on a leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp, hypot, sqrt

_MU = 25.0
"""Mean of a newcomer's rating."""

_SIGMA = _MU / 3
"""Standard deviation of a newcomer's rating."""

_BETA = _MU / 6
"""Standard deviation of how well a side plays in one game, from game to game."""

_TAU = _MU / 300
"""Standard deviation of the change of a person's strength from one game to the next."""

_KAPPA = 0.0001
"""Least share of its variance that a rating keeps in a game."""

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

    mu: float = _MU
    """Mean of the rating."""
    sigma: float = _SIGMA
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
    teams = [_Side.of(side) for side in sides]
    spread = sqrt(sum(team.variance + _BETA**2 for team in teams))
    weights = [exp(team.mu / spread) for team in teams]
    chances = [weight / sum(weights) for weight in weights]
    return tuple(
        tuple(_after(old, team, spread, chance=chance, won=place == winner) for old in side)
        for place, (side, team, chance) in enumerate(zip(sides, teams, chances, strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """The strength of a side, the sum of its players'."""

    mu: float
    variance: float

    @classmethod
    def of(cls, side: Sequence[Rating]) -> _Side:
        return cls(sum(each.mu for each in side), sum(each.sigma**2 + _TAU**2 for each in side))


def _after(old: Rating, team: _Side, spread: float, *, chance: float, won: bool) -> Rating:
    """The rating after a game that the player's side had this chance to win."""
    sigma = hypot(old.sigma, _TAU)
    surprise = 1 - chance if won else -chance
    learnt = (sigma / spread) ** 2 * (sqrt(team.variance) / spread) * chance * (1 - chance)
    return Rating(
        old.mu + sigma**2 / spread * surprise,
        sigma * sqrt(max(1 - learnt, _KAPPA)),
        old.games + 1,
    )
