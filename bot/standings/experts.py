"""Experts' average points per deal in a game of two, for comparison. Pure.

Source: American Cribbage Congress (J. Chambers, tip 6, cribbage.org): 16.2 points for the dealer, 10.1 for
the non-dealer. 400,000 deals between computers gave 16.4 and 10.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.standings.figures import InRole, SeatFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsADeal:
    """Average points per deal, by source."""

    pegging: float
    """Points in the play, and for his heels."""
    hand: float
    crib: float | None = None
    """Points of the crib; `None` for the non-dealer."""

    @property
    def parts(self) -> tuple[float, ...]:
        """The averages in order, without a missing crib."""
        return (self.pegging, self.hand) if self.crib is None else (self.pegging, self.hand, self.crib)


EXPERT_DEALER: Final = PointsADeal(pegging=3.5, hand=8.0, crib=4.7)
EXPERT_NON_DEALER: Final = PointsADeal(pegging=2.0, hand=8.1)


def as_dealer(figures: SeatFigures) -> PointsADeal | None:
    """The player's averages as dealer; `None` until one of their cribs is counted."""
    plain = _in_role(figures.dealing)
    if plain is None or not figures.cribs:
        return None
    return PointsADeal(pegging=plain.pegging, hand=plain.hand, crib=figures.crib_points / figures.cribs)


def as_non_dealer(figures: SeatFigures) -> PointsADeal | None:
    """The player's averages as non-dealer; `None` until one of their hands is counted."""
    return _in_role(figures.not_dealing)


def _in_role(role: InRole) -> PointsADeal | None:
    if not role.deals or not role.hands:
        return None
    return PointsADeal(pegging=role.pegged / role.deals, hand=role.points / role.hands)
