"""How strong somebody plays in a server: a Plackett-Luce estimate by the openskill library. Pure.

A game has one winning side. Playing for second place is not cribbage, so all losers of a game of three or
four are level, by any scores; how far somebody lost is told by skunks and not by ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

PROVISIONAL = 10
"""Games of its kind below which a rating is provisional. The first game of two players moves what is shown
by some 75 to 145; after ten, a quarter of the doubt that a newcomer begins with is gone."""

_ZERO, _SCALE = 1000, 40
"""A newcomer stands at a thousand, as on a chess ladder, so that nobody reads of negative points."""


class Kind(Enum):
    """Which games a rating is of: luck and skill differ too much to be one figure."""

    TWO = "two"
    MORE = "more"
    """Three and four players."""

    @classmethod
    def of(cls, seats: int) -> Kind:
        """The kind of a game with that many players."""
        return cls.TWO if seats == 2 else cls.MORE


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength."""

    mu: float = _MODEL.mu
    """The strength itself."""
    sigma: float = _MODEL.sigma
    """The doubt about it."""
    games: int = 0

    @property
    def shown(self) -> int:
        """What players read: the strength that is as good as certain, which is three doubts below `mu`."""
        return _ZERO + round(_SCALE * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few games to say much."""
        return self.games < PROVISIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """What one game did to somebody's rating, as players read it (`Rating.shown`)."""

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
