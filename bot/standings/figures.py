"""Figures of each seat from a log: points by their source, and the best hand. Pure.

Averages need the number of chances to score, so each kind of point has its number beside it: deals in which a
starter was cut, hands counted, cribs counted. A hand that a winning peg left uncounted is in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine import (
    Card,
    Cards,
    DealBegan,
    GameBegan,
    HandCounted,
    HandShown,
    Pegged,
    PlayEnded,
    Reason,
    Seat,
    Source,
    StarterCut,
)
from engine.secret_events import LoggedEvent

VERSION = 4
"""Rises when a figure is added, or those of old games or the rules of ratings change: then the projection is
computed again in the background, and its old answers stay meanwhile. The store keeps a figure by its field
alone, so it needs no change for a new one.
"""


TOP = 10
"""The best hands that are kept of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InRole:
    """A seat's figures over the deals in which it dealt, or over those in which it did not."""

    deals: int = 0
    """Deals in which a starter was cut."""
    pegged: int = 0
    """Points before the show: in the play, and for his heels. Muggins is not among them."""
    hands: int = 0
    """Hands that were counted."""
    points: int = 0
    """The points counted."""

    def __add__(self, other: InRole) -> InRole:
        return InRole(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        )


@dataclass(frozen=True, slots=True)
class BestHand:
    """The hand that counted most, the earliest of several."""

    points: int
    cards: Cards
    starter: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFigures:
    """One seat's figures in one game, or several games' together."""

    dealing: InRole = InRole()
    not_dealing: InRole = InRole()
    cribs: int = 0
    """Cribs that were counted."""
    crib_points: int = 0
    muggins: int = 0
    """Points taken that an opponent had missed."""
    judged: int = 0
    """Deals in which luck and skill are told apart."""
    luck: int = 0
    """The value of cards and starters in these against the average (1/1000 point)."""
    given_away: int = 0
    """The cost of discards in these against the best ones (1/1000 point)."""
    best: BestHand | None = None
    top: tuple[BestHand, ...] = ()
    """The hands that counted most, at most `TOP`, the best first."""

    def __add__(self, other: SeatFigures) -> SeatFigures:
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name not in {"best", "top"}
        }
        return SeatFigures(
            **sums, best=better(self.best, other.best), top=most_counted((*self.top, *other.top))
        )


def better(first: BestHand | None, second: BestHand | None) -> BestHand | None:
    """The hand that counted more; of two alike, the first."""
    if first is None or (second is not None and second.points > first.points):
        return second
    return first


def most_counted(hands: Iterable[BestHand]) -> tuple[BestHand, ...]:
    """The `TOP` hands that counted most; of those alike, the earlier ones first."""
    return tuple(sorted(hands, key=lambda hand: -hand.points)[:TOP])


def figures(log: Sequence[LoggedEvent]) -> tuple[SeatFigures, ...]:
    """By seat: what the game says about it."""
    table = _Table()
    for event in log:
        table.see(event)
    return tuple(table.seats)


@dataclass
class _Table:
    """The fold over a log: what has to be remembered from event to event."""

    seats: list[SeatFigures] = field(default_factory=list)
    dealer: Seat | None = None
    starter: Card | None = None
    shown: Cards = ()
    is_show: bool = False

    def see(self, event: LoggedEvent) -> None:
        match event:
            case GameBegan(rules):
                self.seats = [SeatFigures() for _ in range(rules.seats)]
            case DealBegan(dealer):
                self.dealer, self.is_show = dealer, False
            case StarterCut(_, card):
                self.starter = card
                self._each(InRole(deals=1), map(Seat, range(len(self.seats))))
            case Pegged(seat, points, scores):
                if any(score.reason is Reason.MUGGINS for score in scores):
                    self._add(seat, SeatFigures(muggins=points))
                elif not self.is_show:
                    self._each(InRole(pegged=points), (seat,))
            case PlayEnded():
                self.is_show = True
            case HandShown(_, _, cards):
                self.shown = cards
            case HandCounted(seat, Source.CRIB, points):
                self._add(seat, SeatFigures(cribs=1, crib_points=points))
            case HandCounted(seat, Source.HAND, points):
                self._each(InRole(hands=1, points=points), (seat,))
                if points and self.starter is not None:
                    hand = BestHand(points, self.shown, self.starter)
                    self._add(seat, SeatFigures(best=hand, top=(hand,)))
            case _:
                pass  # everything else is on the way to these

    def _each(self, gained: InRole, seats: Iterable[Seat]) -> None:
        for seat in seats:
            is_dealer = seat == self.dealer
            self._add(seat, SeatFigures(dealing=gained) if is_dealer else SeatFigures(not_dealing=gained))

    def _add(self, seat: Seat, gained: SeatFigures) -> None:
        self.seats[seat] += gained
