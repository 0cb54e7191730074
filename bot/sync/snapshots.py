"""Immutable snapshots of a game, by deal, with the table and the public events of each.

The sync draws from a snapshot, so that moves made while it waits for Discord do not mix versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from bot.render.messages.hand_cache import HandCache
from bot.render.text.explaining import Heard, Hearing, heard_so_far
from bot.tables.sessions import Session
from engine import (
    Cards,
    DealBegan,
    DealEnded,
    Game,
    HandShown,
    Pegged,
    PlayerView,
    PublicEvent,
    Seat,
    Stage,
    TableView,
)
from engine.secret_events import Discarded, HandDealt, LoggedEvent, public


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSnapshot:
    """One deal so far."""

    number: int
    table: TableView
    """The table now, or at the deal's end."""
    events: tuple[PublicEvent, ...]
    kept: tuple[Cards, ...] = field(repr=False)
    """By seat: the cards dealt, less those discarded. Private to the seat."""
    discarded: tuple[Cards, ...] = field(repr=False)

    @property
    def is_shown(self) -> bool:
        """True once its show has begun."""
        return any(isinstance(event, HandShown) for event in self.events)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSnapshot:
    """A game at one version, with all facts that its drawings need."""

    record: TableRecord
    version: int
    table: TableView
    views: tuple[PlayerView, ...] = field(repr=False)
    """By seat."""
    log: tuple[LoggedEvent, ...] = field(repr=False)
    bounds: tuple[tuple[int, int], ...]
    """By deal, from the first: start and end of its events in the log."""
    past: dict[int, TableView]
    """By deal: the cached tables of past deals."""
    hands: HandCache = field(repr=False)
    hearings: dict[Seat, tuple[int, Hearing]] = field(repr=False)
    choices: dict[Seat, Cards] = field(repr=False)
    """By seat: the cards tapped for the crib and not discarded yet."""
    deals: dict[int, DealSnapshot] = field(default_factory=dict, repr=False)
    """By number: the cached deals, which several messages of a sync use."""

    @property
    def latest(self) -> int:
        """The number of the deal in hand, or of the last one."""
        return len(self.bounds)

    @property
    def own_view(self) -> PlayerView:
        """The view of the only person at a table in a DM."""
        [own] = (seat for seat, each in enumerate(self.record.occupants) if each.user is not None)
        return self.views[own]

    @property
    def everything(self) -> tuple[PublicEvent, ...]:
        """The public events of the whole game."""
        return public(self.log)

    def heard(self, seat: Seat) -> Heard | None:
        """Everything that the seat has heard, if scores are explained to its player."""
        return _heard(self.record, self.log, seat, self.hearings)

    def turn_of(self, seat: Seat) -> int:
        """The number of the seat's turn: the index of its last act in the log, -1 before the first.

        Pegging does not count, since others may peg for it.
        """
        log = self.log
        places = (
            place
            for place in reversed(range(len(log)))
            if getattr(log[place], "seat", None) == seat and not isinstance(log[place], Pegged)
        )
        return next(places, -1)

    def deal(self, number: int) -> DealSnapshot:
        """The deal of that number, from 1."""
        if number not in self.deals:
            start, end = self.bounds[number - 1]
            log, seats = self.log[start:end], range(len(self.views))
            dealt: dict[int, Cards] = {}
            gone: dict[int, Cards] = {}
            for event in log:
                if isinstance(event, HandDealt):
                    dealt[event.seat] = event.cards
                elif isinstance(event, Discarded):
                    gone[event.seat] = event.cards
            self.deals[number] = DealSnapshot(
                number=number,
                table=self._table_of(number),
                events=public(log),
                kept=tuple([_without(gone.get(seat, ()), dealt.get(seat, ())) for seat in seats]),
                discarded=tuple([gone.get(seat, ()) for seat in seats]),
            )
        return self.deals[number]

    def _table_of(self, number: int) -> TableView:
        is_in_hand = self.table.stage is not Stage.DEALING or not self.table.deal_number
        if number == self.latest and is_in_hand:
            return self.table
        if number not in self.past:
            start, end = self.bounds[number - 1]
            ended = (place for place in range(start, end) if isinstance(self.log[place], DealEnded))
            self.past[number] = Game.replay(self.log[: next(ended, end)]).table
        return self.past[number]


def snapshot_of(session: Session) -> GameSnapshot:
    """The game at its current version."""
    game = session.game
    log = game.log
    starts = session.deal_starts
    return GameSnapshot(
        record=session.record,
        version=game.version,
        table=game.table,
        views=tuple(game.view(Seat(seat)) for seat in range(game.rules.seats)),
        log=log,
        past=session.past_tables,
        hands=session.hands,
        hearings=session.hearings,
        choices=dict(session.choices),
        bounds=tuple(zip([0, *starts[1:]], [*starts[1:], len(log)], strict=True)),
    )


def events_of(log: tuple[LoggedEvent, ...], deal: int) -> tuple[PublicEvent, ...]:
    """The public events of the deal of that number; empty if there is no such deal."""
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    if not 1 <= deal <= len(starts):
        return ()
    bounds = [0, *starts[1:], len(log)]
    return public(log[bounds[deal - 1] : bounds[deal]])


def latest_events(session: Session) -> tuple[PublicEvent, ...]:
    """The public events of the deal in hand, including the cut for the deal in the first."""
    log, is_first = session.game.log, session.game.table.deal_number <= 1
    began = (place for place in reversed(range(len(log))) if isinstance(log[place], DealBegan))
    return public(log if is_first else log[next(began, 0) :])


def heard_by(session: Session, seat: Seat) -> Heard | None:
    """Everything that the seat has heard, if scores are explained to its player."""
    return _heard(session.record, session.game.log, seat, session.hearings)


def _heard(
    record: TableRecord, log: Sequence[LoggedEvent], seat: Seat, hearings: dict[Seat, tuple[int, Hearing]]
) -> Heard | None:
    if not record.occupants[seat].is_explained_to:
        return None
    length, hearing = hearings.get(seat, (0, Hearing(seat)))
    if length > len(log):  # an older snapshot
        return heard_so_far(public(log), seat)
    hearings[seat] = len(log), hearing
    return hearing.hear(public(log[length:]))


def _without(gone: Cards, dealt: Cards) -> Cards:
    return tuple([each for each in dealt if each not in gone])
