"""Which moves the clock made for a player, as the log tells it, so that none is ever shown as their own.

Each of the clock's moves has a `StoodIn` event before it, and a player's first move afterwards a `CameBack`.
A cut that its player wants made every time has neither: it is not the clock's.
The computer's seat needs neither: its name says whose moves they are, as a substitute's does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine import (
    CardPlayed,
    CardsDiscarded,
    CountLetStand,
    CutForDeal,
    GoSaid,
    HandCounted,
    HeelsClaimed,
    MugginsCalled,
    PublicEvent,
    Seat,
    StarterCut,
    StoodIn,
)


def automatic(events: Iterable[PublicEvent]) -> Iterator[tuple[PublicEvent, bool]]:
    """Each event of a deal, and whether it is a move that the clock made for its player."""
    late: Seat | None = None
    for event in events:
        if isinstance(event, StoodIn):
            late = event.seat
        is_the_clocks = late is not None and _mover(event) == late
        if is_the_clocks:
            late = None
        yield event, is_the_clocks


def clock_discarded(events: Iterable[PublicEvent], seat: Seat) -> bool:
    """Whether what the seat gave to this deal's crib was the clock's choice."""
    is_automatic = False
    for event, is_the_clocks in automatic(events):
        if isinstance(event, CardsDiscarded) and event.seat == seat:
            is_automatic = is_the_clocks
    return is_automatic


def _mover(event: PublicEvent) -> Seat | None:
    """Whose move the event is; points are pegged, and cards are dealt, by nobody's own hand."""
    match event:
        case (
            CutForDeal(seat)
            | StarterCut(seat)
            | CardsDiscarded(seat)
            | HeelsClaimed(seat)
            | CardPlayed(seat)
            | GoSaid(seat)
            | HandCounted(seat)
            | MugginsCalled(seat)
            | CountLetStand(seat)
        ):
            return seat
        case _:
            return None
