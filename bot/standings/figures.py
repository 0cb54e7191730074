"""Figures of each seat from a log: points by source, and the best hands. Pure.

Each sum of points has its denominator beside it, for averages: deals in which a starter was cut, hands
counted, cribs counted. A hand that was not counted, because a peg won the game first, is in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine import (
    Card,
    Cards,
    CountStood,
    DealBegan,
    GameBegan,
    HandCounted,
    HandShown,
    Pegged,
    PlayEnded,
    Reason,
    Rules,
    Seat,
    Source,
    StarterCut,
    StoodIn,
    SubstituteMoved,
    count,
)
from engine.secret_events import LoggedEvent

VERSION = 7
"""Version of the figures. Increment it when a figure is added, or when figures of old games or the rules of
ratings change: then the projection is rebuilt in the background. The store writes figures by field name, so a
new one needs no migration.
"""


TOP = 10
"""Number of best hands stored per person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InRole:
    """A seat's figures in one role, as dealer or as non-dealer."""

    deals: int = 0
    """Deals in which a starter was cut."""
    pegged: int = 0
    """Points before the show: in the play, and for his heels, without muggins."""
    hands: int = 0
    """Hands that were counted."""
    points: int = 0
    """Points of the counted hands."""

    def __add__(self, other: InRole) -> InRole:
        return InRole(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        )


@dataclass(frozen=True, slots=True)
class BestHand:
    """The hand with most points; of equal ones, the earliest."""

    points: int
    cards: Cards
    starter: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFigures:
    """One seat's figures in one game, or the sum over several games."""

    dealing: InRole = InRole()
    not_dealing: InRole = InRole()
    cribs: int = 0
    """Cribs that were counted."""
    crib_points: int = 0
    hands_of_24: int = 0
    """Hands and cribs counted at 24."""
    hands_of_28: int = 0
    hands_of_29: int = 0
    muggins: int = 0
    """Points taken that an opponent had missed, and the price of opponents' wrong claims."""
    judged: int = 0
    """Deals with figures of luck and skill."""
    luck: int = 0
    """Value of cards and starters in the judged deals against the average (1/1000 point)."""
    given_away: int = 0
    """Cost of discards in the judged deals against the best ones (1/1000 point)."""
    aloud: int = 0
    """Points of the best hand that the player counted aloud themselves, and missed nothing of."""
    best: BestHand | None = None
    top: tuple[BestHand, ...] = ()
    """The hands with most points, at most `TOP`, the best first."""

    def __add__(self, other: SeatFigures) -> SeatFigures:
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name not in {"aloud", "best", "top"}
        }
        return SeatFigures(
            **sums,
            aloud=max(self.aloud, other.aloud),
            best=better(self.best, other.best),
            top=most_counted((*self.top, *other.top)),
        )


def better(first: BestHand | None, second: BestHand | None) -> BestHand | None:
    """The hand with more points; if they are equal, `first`."""
    if first is None or (second is not None and second.points > first.points):
        return second
    return first


def most_counted(hands: Iterable[BestHand]) -> tuple[BestHand, ...]:
    """The `TOP` hands with most points, the best first; a stable sort."""
    return tuple(sorted(hands, key=lambda hand: -hand.points)[:TOP])


def figures(log: Sequence[LoggedEvent]) -> tuple[SeatFigures, ...]:
    """Each seat's figures in the game."""
    table = _Table()
    for event in log:
        table.see(event)
    return tuple(table.seats)


def _great(points: int) -> SeatFigures:
    """The figures that a hand or crib of that many points adds to: those of the awards."""
    return SeatFigures(
        hands_of_24=int(points == 24), hands_of_28=int(points == 28), hands_of_29=int(points == 29)
    )


@dataclass
class _Table:
    """State of the fold over a log's events."""

    seats: list[SeatFigures] = field(default_factory=list)
    dealer: Seat | None = None
    starter: Card | None = None
    rules: Rules | None = None
    shown: Cards = ()
    is_show: bool = False
    is_made_for_them: bool = False
    """True if the move under way is made for its player."""

    def see(self, event: LoggedEvent) -> None:
        if isinstance(event, HandCounted):
            self._hear(event)
        self._add_up(event)
        if isinstance(event, StoodIn | SubstituteMoved):
            self.is_made_for_them = True
        elif not isinstance(event, CountStood | HandShown):  # these may come before the count
            self.is_made_for_them = False

    def _add_up(self, event: LoggedEvent) -> None:
        match event:
            case GameBegan(rules):
                self.rules = rules
                self.seats = [SeatFigures() for _ in range(rules.seats)]
            case DealBegan(dealer):
                self.dealer, self.is_show = dealer, False
            case StarterCut(_, card):
                self.starter = card
                self._each(InRole(deals=1), map(Seat, range(len(self.seats))))
            case Pegged(seat, points, scores):
                if any(score.reason in {Reason.MUGGINS, Reason.WRONG_CLAIM} for score in scores):
                    self._add(seat, SeatFigures(muggins=points))
                elif not self.is_show:
                    self._each(InRole(pegged=points), (seat,))
            case PlayEnded():
                self.is_show = True
            case HandShown(_, _, cards):
                self.shown = cards
            case HandCounted(seat, Source.CRIB, points):
                self._add(seat, SeatFigures(cribs=1, crib_points=points) + _great(points))
            case HandCounted(seat, Source.HAND, points):
                self._each(InRole(hands=1, points=points), (seat,))
                if points and self.starter is not None:
                    hand = BestHand(points, self.shown, self.starter)
                    self._add(seat, SeatFigures(best=hand, top=(hand,)) + _great(points))
            case _:
                pass  # no figure depends on the other events

    def _hear(self, event: HandCounted) -> None:
        """Add a hand that its player counted right aloud."""
        is_own = event.called == event.points and not self.is_made_for_them
        if is_own and event.source is Source.HAND and self.rules is not None and self.starter is not None:
            worth = count(self.shown, starter=self.starter, rules=self.rules).points
            if event.points == worth:
                self._add(event.seat, SeatFigures(aloud=worth))

    def _each(self, gained: InRole, seats: Iterable[Seat]) -> None:
        for seat in seats:
            is_dealer = seat == self.dealer
            self._add(seat, SeatFigures(dealing=gained) if is_dealer else SeatFigures(not_dealing=gained))

    def _add(self, seat: Seat, gained: SeatFigures) -> None:
        self.seats[seat] += gained
