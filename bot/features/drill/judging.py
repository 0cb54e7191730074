"""Values of all discards from a deal, and the grade of one. Takes about 1 ms."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.features.drill.questions import Deal
from engine import Cards
from engine.coach import (
    COST_UNIT,
    DailyHand,
    Grade,
    Owner,
    Place,
    Reasons,
    Reckoned,
    discard_reasons,
    grade_of,
    throws_at,
)
from engine.computer import Throw


@dataclass(frozen=True, slots=True)
class Judged:
    """A discard beside the best one."""

    deal: Deal
    throws: tuple[Throw, ...] = field(repr=False)
    """Every discard, best first."""
    made: Throw
    is_simulated: bool

    @classmethod
    def of(cls, deal: Deal, given: Cards, hand: DailyHand | None) -> Judged:
        """The discard of these two of the deal's cards.

        `hand` is the daily hand that it is: its discards stay graded as they were. Raises `KeyError` and
        `EngineError` for rules that there are not.
        """
        if hand is not None:
            throws, is_simulated = Reckoned.of(hand).throws, hand.evidence is not None
        else:
            throws, is_simulated = (
                throws_at(deal.dealt, deal.rules, dealer=deal.dealer, own=deal.own, other=deal.other),
                False,
            )
        made = next(each for each in throws if {*each.given} == {*given})
        return cls(deal, throws, made, is_simulated)

    @property
    def best(self) -> Throw:
        """The best discard."""
        return self.throws[0]

    @property
    def winning_lost(self) -> float | None:
        """The cost in chance to win; `None` where that is not known."""
        if self.best.winning is None or self.made.winning is None:
            return None
        return max(self.best.winning - self.made.winning, 0.0)

    @property
    def points_lost(self) -> float:
        """The cost in points; at least 0."""
        return max(self.best.points - self.made.points, 0.0)

    @property
    def is_best(self) -> bool:
        """True for the best discard, and for one that equals it within a rounding error."""
        if self.winning_lost is None:
            return not round(self.points_lost, 1)
        return grade_of(round(self.winning_lost * COST_UNIT)) is Grade.TWENTY_NINE

    @property
    def reasons(self) -> Reasons | None:
        """Reasons for the best discard against the one made, or the next one; `None` for its equal."""
        other = self.made
        if self.is_best:
            if self.made is not self.best:
                return None
            other = self.throws[1]
        rules = self.deal.rules
        place = Place(
            rules=rules,
            owner=Owner.SELF if self.deal.dealer else Owner.OPPONENT,
            score=(rules.target - self.deal.own, rules.target - self.deal.other),
            is_simulated=self.is_simulated,
        )
        return discard_reasons(self.best, other, self.throws, place)
