"""The views of a game: the whole table's, and one seat's.

A card that nobody may see is not here: the table's view has the size of a hand only. `PlayerView` has a
`TableView` and is not one, so the type checker refuses to draw a hand in public.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Cards
from engine.errors import NoSuchSeat
from engine.events import CutForDeal, Source
from engine.legal import LegalMoves, legal_moves, waiting_for
from engine.phases import (
    Cutting,
    CuttingForDeal,
    Dealing,
    Discarding,
    Over,
    Oversight,
    Playing,
    Result,
    Series,
    Showing,
    Shown,
    Stage,
)
from engine.rules import Rules
from engine.seats import Seat, Side, left_of
from engine.state import Pegs, State


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCount:
    """A count that is open to muggins: all that the table heard of it, and never what it missed."""

    seat: Seat
    """The seat that counted."""
    called: int
    """The points that it claimed."""
    taken: int
    """The points that opponents have taken since."""
    cards: Cards
    """The hand or crib; in the play the cards of the count up to the one that was claimed for."""
    source: Source | None
    """The kind of cards at the show; `None` in the play."""
    open_to: tuple[Seat, ...]
    """The opponents who have neither called nor let it stand."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableView:
    """The view of everyone at the table, and of spectators."""

    rules: Rules
    stage: Stage
    deal_number: int
    """The number of this deal, from 1; 0 before the first."""
    dealer: Seat
    """The dealer; seat 0 while the players cut for the first deal."""
    first_dealer: Seat
    """The first deal's dealer; equal to `dealer` while unknown."""
    cuts: tuple[CutForDeal, ...]
    """The cuts for the first deal so far, ties included; none if the dealer was known."""
    pegs: tuple[Pegs, ...]
    """By side. The winning peg may be past the last hole."""
    hand_sizes: tuple[int, ...]
    """By seat: the number of cards still held."""
    has_discarded: tuple[bool, ...]
    """By seat: true if it has discarded."""
    crib_size: int
    starter: Card | None
    heels_open: bool
    """True while the dealer may claim his heels."""
    series: Series
    """The cards of this count, in the order played."""
    past_series: tuple[Series, ...]
    """The former series of this deal."""
    count: int
    said_go: tuple[Seat, ...]
    shown: tuple[Shown, ...]
    """Hands laid open at the show, in order."""
    open_counts: tuple[OpenCount, ...]
    """The counts that are open to muggins, the oldest first."""
    muggins_spent: tuple[tuple[Seat, Seat], ...]
    """Pairs of seats: the first called muggins on the second wrongly, and cannot again in this count."""
    waiting_for: tuple[Seat, ...]
    """The seats for which the game waits."""
    absences: tuple[int, ...]
    """By seat: turns in a row made for it."""
    result: Result | None

    @property
    def muggins_open_to(self) -> tuple[Seat, ...]:
        """The seats that may call muggins, rightly or wrongly."""
        return tuple(sorted({seat for each in self.open_counts for seat in each.open_to}))

    @property
    def pone(self) -> Seat:
        """The seat to the dealer's left."""
        return left_of(self.dealer, self.rules.seats)

    @property
    def scores(self) -> tuple[int, ...]:
        """By side: the holes pegged, no more than the target."""
        targets = map(self.rules.target_of, map(Side, range(self.rules.sides)))
        return tuple(min(pegs.front, target) for pegs, target in zip(self.pegs, targets, strict=True))

    def __repr__(self) -> str:
        return f"<TableView: {in_short(self)}>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlayerView:
    """The view of one seat: the table, and its own cards."""

    seat: Seat
    table: TableView
    hand: Cards
    """The cards it holds, sorted."""
    discarded: Cards
    """The cards it gave to the crib, which its player remembers."""
    legal_moves: LegalMoves

    def __repr__(self) -> str:
        return f"<PlayerView of seat {self.seat}: {in_short(self.table)}, {len(self.hand)} cards>"


def in_short(table: TableView) -> str:
    """The deal, the stage and the scores, as `deal 3, playing, 45-38`: for reprs and logs."""
    return f"deal {table.deal_number}, {table.stage.value}, {'-'.join(map(str, table.scores))}"


def table_view(state: State) -> TableView:
    """The table's view of the game."""
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    layout = None if isinstance(phase, CuttingForDeal | Dealing) else phase.layout
    seats = tuple(Seat(seat) for seat in range(state.rules.seats))
    playing = phase if isinstance(phase, Playing) else None
    showing = phase if isinstance(phase, Showing) else None
    counting = playing or showing
    return TableView(
        rules=state.rules,
        stage=state.phase.stage,
        deal_number=state.deal_number,
        dealer=state.dealer,
        first_dealer=state.dealer if state.first_dealer is None else state.first_dealer,
        cuts=state.cuts,
        pegs=state.pegs,
        hand_sizes=tuple(playing.cards_left(seat) if playing else len(_held(phase, seat)) for seat in seats),
        has_discarded=tuple(bool(layout and layout.discarded[seat]) for seat in seats),
        crib_size=len(layout.crib) if layout else 0,
        starter=layout.starter if layout else None,
        heels_open=playing is not None and playing.heels_open,
        series=playing.series if playing else (),
        past_series=phase.past if isinstance(phase, Playing | Showing) else (),
        count=playing.count if playing else 0,
        said_go=tuple(sorted(playing.said_go)) if playing else (),
        shown=showing.shown if showing else (),
        open_counts=_open_counts(counting.oversights) if counting else (),
        muggins_spent=tuple(sorted(counting.muggins_spent)) if counting else (),
        waiting_for=waiting_for(state),
        absences=tuple(map(state.absences_of, seats)),
        result=state.phase.result if isinstance(state.phase, Over) else None,
    )


def player_view(state: State, seat: Seat, table: TableView | None = None) -> PlayerView:
    """The view of `seat`; `table` is the table's view, if the caller has it already.

    Raises `NoSuchSeat`.
    """
    if not state.rules.has_seat(seat):
        raise NoSuchSeat(seat, state.rules.seats)
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    return PlayerView(
        seat=seat,
        table=table or table_view(state),
        hand=_held(phase, seat),
        discarded=() if isinstance(phase, CuttingForDeal | Dealing) else phase.layout.discarded[seat],
        legal_moves=legal_moves(state, seat),
    )


def _open_counts(oversights: tuple[Oversight, ...]) -> tuple[OpenCount, ...]:
    return tuple(
        OpenCount(
            seat=each.seat,
            called=each.called,
            taken=each.taken,
            cards=each.cards,
            source=each.source,
            open_to=tuple(sorted(each.open_to)),
        )
        for each in oversights
        if each.open_to
    )


def _held(phase: CuttingForDeal | Dealing | Discarding | Cutting | Playing | Showing, seat: Seat) -> Cards:
    match phase:
        case CuttingForDeal() | Dealing() | Showing():
            return ()
        case Discarding(layout) | Cutting(layout):
            return layout.kept(seat)
        case Playing():
            return phase.held(seat)
