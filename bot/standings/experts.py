"""Experts' average points of a deal in a game of two, a measure for others. Pure.

The figures are those that the American Cribbage Congress publishes (J. Chambers, tip 6, cribbage.org): 16.2
points to the dealer and 10.1 to the other. In 400,000 deals between computers it was 16.4 and 10.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.standings.figures import InRole, SeatFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsADeal:
    """Points of a deal by where they come from, on average."""

    pegging: float
    """In the play, and for his heels."""
    hand: float
    crib: float | None = None
    """The dealer's."""

    @property
    def parts(self) -> tuple[float, ...]:
        """Each of them."""
        return (self.pegging, self.hand) if self.crib is None else (self.pegging, self.hand, self.crib)


EXPERT_DEALER: Final = PointsADeal(pegging=3.5, hand=8.0, crib=4.7)
EXPERT_NON_DEALER: Final = PointsADeal(pegging=2.0, hand=8.1)


def as_dealer(figures: SeatFigures) -> PointsADeal | None:
    """Somebody's own averages as dealer; `None` while no crib of theirs was counted."""
    plain = _in_role(figures.dealing)
    if plain is None or not figures.cribs:
        return None
    return PointsADeal(pegging=plain.pegging, hand=plain.hand, crib=figures.crib_points / figures.cribs)


def as_non_dealer(figures: SeatFigures) -> PointsADeal | None:
    """The same as non-dealer; `None` while no hand was counted."""
    return _in_role(figures.not_dealing)


def _in_role(role: InRole) -> PointsADeal | None:
    if not role.deals or not role.hands:
        return None
    return PointsADeal(pegging=role.pegged / role.deals, hand=role.points / role.hands)
