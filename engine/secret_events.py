"""Events that only one seat, or nobody, may know; and the events of a log.

`face_down` turns a secret event into the public event that the others see; the order of the pack has none.
`public` is the only way from a log to the table. The state of a game is a fold over logged events and nothing
else. The package does not export this module: it is for code that keeps or replays logs, never for code that
draws.
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
        """The public event that the table sees."""
        return CardsDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class CribDealt:
    """Cards went from the pack to the crib, seen by nobody."""

    cards: Cards = field(repr=False)

    def face_down(self) -> CribCardsDealt:
        """The public event that the table sees."""
        return CribCardsDealt(len(self.cards))


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat chose the cards it gives to the crib, perhaps not for the first time."""

    seat: Seat
    cards: Cards = field(repr=False)

    def face_down(self) -> CardsDiscarded:
        """The public event that the table sees."""
        return CardsDiscarded(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PackPutDown:
    """The pack, or its rest after a deal, was put down to be cut: its order is fixed from here on.

    Nobody sees the order, so it has no public face.
    """

    cards: Cards = field(repr=False)
    """The cards from the top."""


SecretEvent: TypeAlias = HandDealt | CribDealt | Discarded | PackPutDown

LoggedEvent: TypeAlias = SecretEvent | PublicEvent
"""An event of a log. The public faces of secret events are shown, never logged."""


_WITH_A_FACE = HandDealt, CribDealt, Discarded
"""The secret events with a public face; a constant, because each move scans its log."""


def public(events: Iterable[LoggedEvent]) -> tuple[PublicEvent, ...]:
    """The events as the whole table may know them, hidden cards face down."""
    return tuple(
        event.face_down() if isinstance(event, _WITH_A_FACE) else event
        for event in events
        if not isinstance(event, PackPutDown)
    )
