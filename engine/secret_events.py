"""Events that only one seat, or nobody, may know; and what a log holds.

Each secret event but one turns `face_down` into the public event that the others see; of the order of the
pack there is nothing to see. `public` is the only way
from a log to the table. The state of a game is a fold over logged events and nothing else. The package does
not export this module: it is for code that keeps or replays logs, never for code that draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import Cards
from engine.events import (
    CardsDealt,
    CardsDiscarded,
    CribCardsDealt,
    PublicEvent,
)
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat was dealt its cards."""

    seat: Seat
    cards: Cards = field(repr=False)

    def face_down(self) -> CardsDealt:
        """What the table sees of it."""
        return CardsDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class CribDealt:
    """Cards went from the pack to the crib, seen by nobody."""

    cards: Cards = field(repr=False)

    def face_down(self) -> CribCardsDealt:
        """What the table sees of it."""
        return CribCardsDealt(len(self.cards))


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat chose the cards it gives to the crib, perhaps not for the first time."""

    seat: Seat
    cards: Cards = field(repr=False)

    def face_down(self) -> CardsDiscarded:
        """What the table sees of it."""
        return CardsDiscarded(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PackPutDown:
    """The pack, or after a deal what is left of it, was put down to be cut: its order stands from here on.

    Nobody sees anything of it, so it has no public face.
    """

    cards: Cards = field(repr=False)
    """From the top."""


SecretEvent: TypeAlias = HandDealt | CribDealt | Discarded | PackPutDown

LoggedEvent: TypeAlias = SecretEvent | PublicEvent
"""What a log holds. The public faces of secret events are told, never logged."""


_WITH_A_FACE = HandDealt, CribDealt, Discarded
"""Those that the table sees face down; made once, since logs are looked through with each move."""


def public(events: Iterable[LoggedEvent]) -> tuple[PublicEvent, ...]:
    """The events as the whole table may know them, hidden cards face down."""
    return tuple(
        event.face_down() if isinstance(event, _WITH_A_FACE) else event
        for event in events
        if not isinstance(event, PackPutDown)
    )
