"""Highlights of a game from its public events: points by origin, great hands, a comeback. Pure.

A hand ranks by the points counted for it: points that its player missed stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
"""Points from which a hand is great; about one in twenty games of two players has one."""
PERFECT = 29
"""Points of a perfect hand, the maximum: three fives, and the jack of the starter's suit, a five."""

_PERFECT_FOURS = 4
_FOURS_AND_STARTERS = comb(52, 4) * 48
"""Hands of four cards with a starter; four of these hands are perfect."""

LONG_WAY = 30
"""Minimum deficit (holes) of a comeback that is an award, as cribbage clubs give it: a street."""

COMEBACK = 10
"""Minimum deficit (holes) of a comeback: the winner's when a deal begins with the leader in the last quarter
of the way. One in twenty games between computers has one; a deficit of that size at any moment, six in ten.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedHand:
    """A hand or crib that was counted."""

    deal: int
    seat: Seat
    source: Source
    cards: Cards
    starter: Card
    points: int
    """Points as counted; fewer than its worth if the player missed some."""

    @property
    def is_great(self) -> bool:
        """True if the hand deserves a celebration."""
        return self.points >= GREAT


class Origin(Enum):
    """Origin of points, in the order in which a result lists them."""

    PEGGING = "pegging"
    """The play, and his heels."""
    HANDS = "hands"
    CRIBS = "cribs"
    MUGGINS = "muggins"
    """Points that others missed, and the price of their wrong claims."""


def counted_hands(events: Iterable[PublicEvent]) -> tuple[CountedHand, ...]:
    """All hands and cribs that were counted, in order; `events` start with a deal or a game."""
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
    """The hand with the most points, the earliest of several; cribs are excluded."""
    hands = (each for each in counted_hands(events) if each.source is Source.HAND)
    return max(hands, key=lambda each: each.points, default=None)


def points_by_origin(events: Iterable[PublicEvent], rules: Rules) -> tuple[dict[Origin, int], ...]:
    """Holes moved for each origin, by side; points beyond the last hole are cut off."""
    moved = tuple(dict.fromkeys(Origin, 0) for _ in range(rules.sides))
    now = Origin.PEGGING
    for event in events:
        match event:
            case DealBegan():
                now = Origin.PEGGING
            case HandShown():
                now = Origin.CRIBS if event.source is Source.CRIB else Origin.HANDS
            case Pegged():
                is_muggins = any(
                    score.reason in {Reason.MUGGINS, Reason.WRONG_CLAIM} for score in event.scores
                )
                whose = rules.side_of(event.seat)
                side = moved[whose]
                left = rules.target_of(whose) - rules.start - sum(side.values())
                side[Origin.MUGGINS if is_muggins else now] += min(event.points, left)
            case _:
                continue
    return moved


def comeback(events: Iterable[PublicEvent], rules: Rules, winner: Side) -> int:
    """Deficit (holes) that the winner came back from; 0 if it is no comeback (`COMEBACK`).

    There is none where low wins, nor where sides have different ways to go.
    """
    if rules.low_wins or rules.captain is not None:
        return 0
    last_quarter = (
        lead - score
        for lead, score in _scores_at_deals(events, rules, winner)
        if 4 * (lead - rules.start) >= 3 * (rules.target - rules.start)
    )
    furthest = max(last_quarter, default=0)
    return furthest if furthest >= COMEBACK else 0


def furthest_behind(events: Iterable[PublicEvent], rules: Rules, side: Side) -> int:
    """Largest deficit (holes) of the side when a deal began."""
    return max((lead - score for lead, score in _scores_at_deals(events, rules, side)), default=0)


def _scores_at_deals(events: Iterable[PublicEvent], rules: Rules, side: Side) -> Iterator[tuple[int, int]]:
    """The leader's score and that of `side` when each deal began."""
    scores = [rules.start] * rules.sides
    for event in events:
        match event:
            case DealBegan():
                yield max(scores), scores[side]
            case Pegged():
                scores[rules.side_of(event.seat)] += event.points
            case _:
                continue


def perfect_odds(rules: Rules) -> int:
    """Number of deals per perfect hand, for a player who keeps the right cards.

    216,580 with six cards dealt: each of their fifteen fours is perfect, with its starter, once in 3,248,700.
    """
    return round(_FOURS_AND_STARTERS / _PERFECT_FOURS / comb(rules.dealt, 4))
