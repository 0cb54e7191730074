"""Moves: requests by a seat. Nothing happens until the referee has ruled.

Cards in moves do not print: until the referee has ruled they are private. So `str(move)` is no notation, and
`write_move` writes one as text ("1 plays 5H"); `read_move` and `Game.play` read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import Card, Cards
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the cards."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard to the crib. Until all have discarded, a seat may choose again (C37)."""

    seat: Seat
    cards: Cards = field(repr=False)
    """The cards, given in any order and stored sorted."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class CutForFirstDeal:
    """Cut the pack for the first deal; the lowest card deals (C1)."""

    seat: Seat
    place: int | None = None
    """The number of cards to lift off; the card under them is turned. `None` leaves it to chance."""


@dataclass(frozen=True, slots=True)
class CutStarter:
    """Cut the pack; the starter is turned (C4)."""

    seat: Seat
    place: int | None = None
    """The number of cards to lift off; the card under them is the starter. `None` leaves it to chance."""


@dataclass(frozen=True, slots=True)
class ClaimHeels:
    """Claim his heels, where the rules want them claimed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the count."""

    seat: Seat
    card: Card = field(repr=False)
    points: int | None = None
    """The points that the player calls for it, with muggins; else `None`."""


@dataclass(frozen=True, slots=True)
class SayGo:
    """Say that no card can be played."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CountAloud:
    """Count one's own hand or crib, saying its points."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CallMuggins:
    """Take points that an opponent has missed, at most all of them."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class LetStand:
    """Leave an opponent's count as it was said."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign the game. Always allowed until the game is over, and never listed as a choice."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """Claim the game from a side that has left its seat to others for too long."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StandIn:
    """Make a move for a seat whose player is away. Allowed whenever the move is, and never listed."""

    move: OwnMove

    @property
    def seat(self) -> Seat:
        """The seat for which the move is made."""
        return self.move.seat


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Say that the seat's player is back. Never listed; it changes nothing for one who was not away."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChangeComputer:
    """Say that another version of the computer player moves from here on. Nobody's own, and never listed."""

    player: str


@dataclass(frozen=True, slots=True)
class PreArranged:
    """Make a move that the seat's player has arranged for every time; it leaves their absence as it is.

    Allowed whenever the move is, and never listed.
    """

    move: OwnMove

    @property
    def seat(self) -> Seat:
        """The seat whose player has arranged it."""
        return self.move.seat


@dataclass(frozen=True, slots=True)
class BySubstitute:
    """Make a move that a computer of that level chose as the substitute of the seat's player.

    Allowed whenever the move is, and never listed.
    """

    move: OwnMove
    level: str

    @property
    def seat(self) -> Seat:
        """The seat whose player has the substitute."""
        return self.move.seat


OwnMove: TypeAlias = (
    CutForFirstDeal
    | Deal
    | Discard
    | CutStarter
    | ClaimHeels
    | PlayCard
    | SayGo
    | CountAloud
    | CallMuggins
    | LetStand
    | ClaimGame
    | Resign
)
"""A move that players make for themselves."""

Move: TypeAlias = OwnMove | StandIn | PreArranged | BySubstitute | ComeBack | ChangeComputer
