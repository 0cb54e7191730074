"""The phases of a deal, one frozen class each, and the cards that lie on the table.

A phase has just what that part of the game needs. Everything here is the whole truth, hidden cards included,
and never leaves the engine: callers see views.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from typing import TypeAlias

from engine.cards import PACK, Card, Cards, places_to_cut
from engine.events import CutForDeal, Ending, Source
from engine.pegging import running_count
from engine.rules import Skunk
from engine.seats import Seat, Side


class Stage(Enum):
    """The part of the game in progress, as everybody can see it."""

    CUTTING_FOR_DEAL = "cutting_for_deal"
    DEALING = "dealing"
    DISCARDING = "discarding"
    CUTTING = "cutting"
    PLAYING = "playing"
    SHOWING = "showing"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The places of one deal's cards."""

    dealt: tuple[Cards, ...] = field(repr=False)
    """By seat: the cards dealt to it, sorted."""
    discarded: tuple[Cards, ...] = field(repr=False)
    """By seat: the cards it gave to the crib; none until it has chosen."""
    from_pack: Cards = field(repr=False)
    """The cards dealt from the pack to the crib."""
    order: Cards = field(default=(), repr=False)
    """The cards that were not dealt, from the top; empty where nobody may know it, as in a position."""
    starter: Card | None = None

    def kept(self, seat: Seat) -> Cards:
        """The cards that the seat did not discard."""
        return tuple(each for each in self.dealt[seat] if each not in self.discarded[seat])

    @property
    def crib(self) -> Cards:
        """The complete crib, sorted."""
        return tuple(sorted(chain(chain.from_iterable(self.discarded), self.from_pack)))

    @property
    def pack(self) -> Cards:
        """The cards that were not dealt, in their order if that is known: the starter comes from here."""
        if self.order:
            return self.order
        gone = {*chain.from_iterable(self.dealt), *self.from_pack}
        return tuple(each for each in PACK if each not in gone)

    def with_discarded(self, seat: Seat, those: Cards) -> Layout:
        """The layout after `seat` has given those cards to the crib, instead of any before."""
        discarded = (*self.discarded[:seat], those, *self.discarded[seat + 1 :])
        return replace(self, discarded=discarded)


@dataclass(frozen=True, slots=True)
class Played:
    """A card on the table, and its player."""

    seat: Seat
    card: Card
    called: int | None = None
    """The points that the player called for it, with muggins."""


Series: TypeAlias = tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class Oversight:
    """The points that a count missed, and the opponents who may still call muggins on it."""

    seat: Seat
    """The seat that counted."""
    called: int
    """The points that it claimed."""
    missed: int = field(repr=False)
    """The points missed that nobody has taken yet, often 0. Does not print: it is secret until the count is
    settled."""
    open_to: frozenset[Seat]
    """The opponents who have neither called nor let it stand; empty without muggins."""
    cards: Cards
    """The hand or crib; in the play the cards of the count up to the one that was claimed for."""
    source: Source | None = None
    """The kind of cards at the show; `None` in the play."""
    series: int = 0
    """The number of the count in the deal's play, from 0; without meaning at the show."""
    taken: int = 0
    """The missed points that opponents have taken."""

    @property
    def missed_nothing(self) -> bool:
        """True if nothing was missed in the first place."""
        return not self.missed and not self.taken

    def closed_to(self, seats: tuple[Seat, ...]) -> Oversight:
        """A copy on which those seats can no longer call."""
        return replace(self, open_to=self.open_to.difference(seats))


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand, or the crib, laid open at the show."""

    seat: Seat
    source: Source
    cards: Cards
    points: int | None = None
    """The points pegged for it; `None` until it is counted."""
    called: int | None = None
    """The points that its owner said, where players count aloud."""
    settled: bool = False
    """True if no opponent may take missed points any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CuttingForDeal:
    """The players cut for the first deal, in any order; those who tie for the lowest card cut again."""

    stage = Stage.CUTTING_FOR_DEAL
    number: int
    """The number of this cut, from 1."""
    seats: tuple[Seat, ...]
    """The seats that cut."""
    pack: Cards = field(repr=False)
    """The cards from the top."""
    cuts: tuple[CutForDeal, ...] = ()
    """The cuts of this pack so far."""

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that have not cut yet."""
        done = {each.seat for each in self.cuts}
        return tuple(seat for seat in self.seats if seat not in done)

    @property
    def places(self) -> tuple[int, ...]:
        """The places at which the next may cut: no two seats cut a pack at the same place."""
        taken = {each.place for each in self.cuts}
        return tuple(place for place in places_to_cut(self.pack) if place not in taken)

    @property
    def lowest(self) -> tuple[Seat, ...]:
        """The seats that have cut the lowest card so far: several, if they tie."""
        lowest = min((each.card.rank for each in self.cuts), default=None)
        return tuple(sorted(each.seat for each in self.cuts if each.card.rank is lowest))


@dataclass(frozen=True, slots=True)
class Dealing:
    """The game waits for the dealer to deal."""

    stage = Stage.DEALING


@dataclass(frozen=True, slots=True)
class Discarding:
    """All seats choose their discards, in any order."""

    stage = Stage.DISCARDING
    layout: Layout


@dataclass(frozen=True, slots=True)
class Cutting:
    """The crib is complete; the game waits for the starter cut."""

    stage = Stage.CUTTING
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """The play, card by card."""

    stage = Stage.PLAYING
    layout: Layout
    turn: Seat | None
    """The seat to play or say go; `None` if nobody holds a card that could still join this count."""
    series: Series = ()
    past: tuple[Series, ...] = ()
    """The former series of the deal."""
    said_go: frozenset[Seat] = frozenset()
    heels_open: bool = False
    """True while the dealer may claim his heels."""
    oversights: tuple[Oversight, ...] = ()
    muggins_spent: frozenset[tuple[Seat, Seat]] = frozenset()
    """Pairs of seats: the first called muggins on the second wrongly, and cannot again in this count."""

    @property
    def count(self) -> int:
        """The running count."""
        return running_count(self.cards)

    @property
    def cards(self) -> Cards:
        """The cards of the series."""
        return tuple(each.card for each in self.series)

    def cards_left(self, seat: Seat) -> int:
        """The number of cards that the seat still holds."""
        played = sum(each.seat == seat for series in (*self.past, self.series) for each in series)
        return len(self.layout.dealt[seat]) - len(self.layout.discarded[seat]) - played

    def held(self, seat: Seat) -> Cards:
        """The cards that the seat still holds."""
        gone = {each.card for each in chain(chain.from_iterable(self.past), self.series)}
        return tuple(each for each in self.layout.kept(seat) if each not in gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """The show: hands from the dealer's left, then the crib."""

    stage = Stage.SHOWING
    layout: Layout
    past: tuple[Series, ...] = ()
    shown: tuple[Shown, ...] = ()
    oversights: tuple[Oversight, ...] = ()
    muggins_spent: frozenset[tuple[Seat, Seat]] = frozenset()
    """Pairs of seats: the first called muggins on the second wrongly since the last hand was counted."""

    @property
    def current(self) -> Shown | None:
        """The hand that its owner must count now."""
        if self.shown and self.shown[-1].points is None:
            return self.shown[-1]
        return None

    @property
    def unsettled(self) -> Shown | None:
        """The hand counted aloud that is not settled yet."""
        return next((each for each in self.shown if each.called is not None and not each.settled), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a game."""

    winner: Side
    ending: Ending
    scores: tuple[int, ...]
    """By side, no more than the target."""
    skunks: tuple[Skunk, ...]
    """By side; the winner's is `NONE`."""
    games: int
    """Games that the win counts for in a match."""
    stage: Stage
    """The stage of the deal in which it ended."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over; the cards remain in their places."""

    stage = Stage.OVER
    before: CuttingForDeal | Dealing | Discarding | Cutting | Playing | Showing
    result: Result


Phase: TypeAlias = CuttingForDeal | Dealing | Discarding | Cutting | Playing | Showing | Over
