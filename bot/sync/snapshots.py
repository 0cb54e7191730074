"""A game cut into its deals: for each, the table as it stood and what was said of it in public.

The sync draws from snapshots, so it never touches a live game while it waits for Discord.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from bot.render.messages.hand_cache import HandCache
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
    """One deal, as far as it has come."""

    number: int
    table: TableView
    """The table at the deal's last moment so far, before the deal passed on."""
    events: tuple[PublicEvent, ...]
    kept: tuple[Cards, ...] = field(repr=False)
    """By seat: what it was dealt, less what it discarded. For that seat's eyes only."""
    discarded: tuple[Cards, ...] = field(repr=False)

    @property
    def is_shown(self) -> bool:
        """Whether it has come to the show."""
        return any(isinstance(event, HandShown) for event in self.events)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSnapshot:
    """A game at one moment, with everything that can be drawn of it."""

    record: TableRecord
    version: int
    table: TableView
    views: tuple[PlayerView, ...] = field(repr=False)
    """By seat."""
    log: tuple[LoggedEvent, ...] = field(repr=False)
    bounds: tuple[tuple[int, int], ...]
    """By deal, from the first: where its events lie in the log."""
    past: dict[int, TableView]
    """By deal: tables of deals that are over, as far as they were asked for before."""
    hands: HandCache = field(repr=False)
    choices: dict[Seat, Cards] = field(repr=False)
    """By seat: the cards tapped for the crib and not discarded yet."""
    deals: dict[int, DealSnapshot] = field(default_factory=dict, repr=False)
    """By number: those that were asked for before, since each message of a sync asks."""

    @property
    def latest(self) -> int:
        """The number of the deal in hand, or of the last one."""
        return len(self.bounds)

    @property
    def own_view(self) -> PlayerView:
        """The view of the one person who plays, in whose DM the table stands."""
        [own] = (seat for seat, each in enumerate(self.record.occupants) if each.user is not None)
        return self.views[own]

    @property
    def everything(self) -> tuple[PublicEvent, ...]:
        """All that was said in public."""
        return public(self.log)

    def turn_of(self, seat: Seat) -> int:
        """What tells a turn of that seat from its other turns: where in the log its last act is.

        Others may peg for it meanwhile.
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
            self.deals[number] = DealSnapshot(
                number=number,
                table=self._table_of(number),
                events=public(log),
                kept=tuple(_kept(log, Seat(seat)) for seat in seats),
                discarded=tuple(_discarded(log, Seat(seat)) for seat in seats),
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
    """The game as it stands now."""
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
        choices=dict(session.choices),
        bounds=tuple(zip([0, *starts[1:]], [*starts[1:], len(log)], strict=True)),
    )


def events_of(log: tuple[LoggedEvent, ...], deal: int) -> tuple[PublicEvent, ...]:
    """What was said in public in the deal of that number; nothing for a deal that there was not."""
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    if not 1 <= deal <= len(starts):
        return ()
    bounds = [0, *starts[1:], len(log)]
    return public(log[bounds[deal - 1] : bounds[deal]])


def latest_events(session: Session) -> tuple[PublicEvent, ...]:
    """What was said in public in the deal in hand; in the first, of the cut for it too."""
    log, is_first = session.game.log, session.game.table.deal_number <= 1
    began = (place for place in reversed(range(len(log))) if isinstance(log[place], DealBegan))
    return public(log if is_first else log[next(began, 0) :])


def _kept(events: tuple[LoggedEvent, ...], seat: Seat) -> Cards:
    dealt = next((event.cards for event in events if isinstance(event, HandDealt) and event.seat == seat), ())
    gone = _discarded(events, seat)
    return tuple(each for each in dealt if each not in gone)


def _discarded(events: tuple[LoggedEvent, ...], seat: Seat) -> Cards:
    given = [event.cards for event in events if isinstance(event, Discarded) and event.seat == seat]
    return given[-1] if given else ()
