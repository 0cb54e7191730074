"""What a game came to, from its public events: where the points came from, the great hands, a comeback. Pure.

How good a hand is follows from what it was counted at: of points that a player missed, nothing is said here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import comb

from engine import (
    Card,
    Cards,
    DealBegan,
    HandCounted,
    HandShown,
    Pegged,
    PublicEvent,
    Reason,
    Rules,
    Seat,
    Side,
    Source,
    StarterCut,
)

GREAT = 24
"""The points from which on a hand is great: about one game in twenty of two players has one."""
PERFECT = 29
"""The most that a hand can be: three fives and a jack with the fourth five, of the jack's suit."""

_PERFECT_FOURS = 4
_FOURS_AND_STARTERS = comb(52, 4) * 48
"""Hands of four cards with a starter; four of these hands are perfect."""

COMEBACK = 10
"""Holes behind from which a win is a comeback, when a deal begins with the leader in the last quarter of the
board. Of games between computers one in twenty is one; that the winner was so far behind at any moment is
true of six in ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedHand:
    """A hand or crib that was counted."""

    deal: int
    seat: Seat
    source: Source
    cards: Cards
    starter: Card
    points: int
    """As counted, which is less than it is worth if its player missed some."""

    @property
    def is_great(self) -> bool:
        """Whether it is worth a celebration."""
        return self.points >= GREAT


class Origin(Enum):
    """Where points come from, in the order in which they are told."""

    PEGGING = "pegging"
    """The play, and his heels."""
    HANDS = "hands"
    CRIBS = "cribs"
    MUGGINS = "muggins"


def counted_hands(events: Iterable[PublicEvent]) -> tuple[CountedHand, ...]:
    """Every hand and crib that was counted, in order; `events` begin with a deal or a game."""
    found: list[CountedHand] = []
    deal = 0
    cards: Cards = ()
    starter: Card | None = None
    for event in events:
        match event:
            case DealBegan():
                deal, starter = event.number, None
            case StarterCut():
                starter = event.card
            case HandShown():
                cards = event.cards
            case HandCounted() if starter is not None:
                found.append(
                    CountedHand(
                        deal=deal,
                        seat=event.seat,
                        source=event.source,
                        cards=cards,
                        starter=starter,
                        points=event.points,
                    )
                )
            case _:
                continue
    return tuple(found)


def best_hand(events: Iterable[PublicEvent]) -> CountedHand | None:
    """The hand that counted most, the earliest of several; cribs are no hands."""
    hands = (each for each in counted_hands(events) if each.source is Source.HAND)
    return max(hands, key=lambda each: each.points, default=None)


def points_by_origin(events: Iterable[PublicEvent], rules: Rules) -> tuple[dict[Origin, int], ...]:
    """By side: the holes moved for each origin. Together they are its score: none lies past the last hole."""
    moved = tuple(dict.fromkeys(Origin, 0) for _ in range(rules.sides))
    now = Origin.PEGGING
    for event in events:
        match event:
            case DealBegan():
                now = Origin.PEGGING
            case HandShown():
                now = Origin.CRIBS if event.source is Source.CRIB else Origin.HANDS
            case Pegged():
                is_muggins = any(score.reason is Reason.MUGGINS for score in event.scores)
                side = moved[rules.side_of(event.seat)]
                left = rules.target - sum(side.values())
                side[Origin.MUGGINS if is_muggins else now] += min(event.points, left)
            case _:
                continue
    return moved


def comeback(events: Iterable[PublicEvent], rules: Rules, winner: Side) -> int:
    """How many holes the winner came back from; 0 where that is no comeback (`COMEBACK`)."""
    scores = [0] * rules.sides
    furthest = 0
    for event in events:
        match event:
            case DealBegan():
                lead = max(scores)
                if 4 * lead >= 3 * rules.target:
                    furthest = max(furthest, lead - scores[winner])
            case Pegged():
                scores[rules.side_of(event.seat)] += event.points
            case _:
                continue
    return furthest if furthest >= COMEBACK else 0


def perfect_odds(rules: Rules) -> int:
    """One in how many deals brings a player who keeps the right cards a perfect hand.

    216,580 with six cards dealt: of their fifteen fours, each is perfect once in 3,248,700 with its starter.
    """
    return round(_FOURS_AND_STARTERS / _PERFECT_FOURS / comb(rules.dealt, 4))
