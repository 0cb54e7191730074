"""The turn clock's moves in a deal, so that no message shows one as the player's own.

The log has a `StoodIn` event before each of the clock's moves, and a `CameBack` before the player's next own
move. A cut that a player always leaves to chance has neither, as it is not the clock's. Neither have the
computer's seats: their names, and those of substitutes, say whose moves they are.
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
    """Each event of a deal, paired with True if it is a move that the clock made."""
    late: Seat | None = None
    for event in events:
        if isinstance(event, StoodIn):
            late = event.seat
        is_the_clocks = late is not None and _mover(event) == late
        if is_the_clocks:
            late = None
        yield event, is_the_clocks


def clock_discarded(events: Iterable[PublicEvent], seat: Seat) -> bool:
    """True if the clock chose the cards that the seat discarded in this deal."""
    is_automatic = False
    for event, is_the_clocks in automatic(events):
        if isinstance(event, CardsDiscarded) and event.seat == seat:
            is_automatic = is_the_clocks
    return is_automatic


def _mover(event: PublicEvent) -> Seat | None:
    """The seat that made the move; None for events without a mover, such as pegging and dealing."""
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
