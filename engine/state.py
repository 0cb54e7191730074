"""The whole truth about a game at one moment.

The package does not export `State`, which has every card. Only `evolution` makes a new state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from engine.errors import LogError
from engine.events import CutForDeal, GameBegan
from engine.phases import Dealing, Layout, Phase
from engine.rules import Rules
from engine.seats import Seat, Side
from engine.secret_events import LoggedEvent

_P = TypeVar("_P")


ABSENCES_TO_CLAIM = 3
"""Turns in a row made for a seat after which its opponents can claim the game."""


@dataclass(frozen=True, slots=True)
class Pegs:
    """One side's two pegs: the front one shows the score, the back one the previous score.

    Before the first points both are where the game began.
    """

    front: int = 0
    back: int = 0

    def moved(self, points: int) -> Pegs:
        """The back peg jumps ahead of the front one by `points`."""
        return Pegs(self.front + points, self.front)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A game at one moment."""

    rules: Rules
    pegs: tuple[Pegs, ...]
    """By side. The winning peg may be past the last hole."""
    cuts: tuple[CutForDeal, ...] = ()
    first_dealer: Seat | None = None
    """The first dealer; `None` until the players have cut."""
    dealer: Seat
    deal_number: int = 0
    """The number of this deal, or of the last one between deals, from 1; 0 before the first."""
    phase: Phase
    absences: tuple[int, ...] = ()
    """By seat: turns in a row made for it; empty while nobody is away."""

    @classmethod
    def begin(cls, event: LoggedEvent) -> State:
        """The state after the first event of a log. Raises `LogError` if it is no `GameBegan`."""
        if not isinstance(event, GameBegan):
            raise LogError(f"a log begins with GameBegan, not {type(event).__name__}")
        return cls(
            rules=event.rules,
            pegs=(Pegs(event.rules.start, event.rules.start),) * event.rules.sides,
            dealer=Seat(0),
            phase=Dealing(),
        )

    def expect(self, phase: type[_P]) -> _P:
        """The current phase, if it is of that class. Raises `LogError` otherwise."""
        if isinstance(self.phase, phase):
            return self.phase
        raise LogError(f"{phase.__name__} expected, not {type(self.phase).__name__}")

    def owes_to_crib(self, layout: Layout, seat: Seat) -> bool:
        """True if the seat has still to give its cards to the crib."""
        return len(layout.discarded[seat]) < self.rules.discards_of(seat, self.dealer)

    def absences_of(self, seat: Seat) -> int:
        """The number of turns in a row made for the seat."""
        return self.absences[seat] if self.absences else 0

    @property
    def absent_sides(self) -> tuple[Side, ...]:
        """The sides with a seat that has been away for `ABSENCES_TO_CLAIM` turns in a row."""
        return tuple(
            dict.fromkeys(
                self.rules.side_of(Seat(seat))
                for seat, absences in enumerate(self.absences)
                if absences >= ABSENCES_TO_CLAIM
            )
        )

    @property
    def winner(self) -> Side | None:
        """The side that has won by the pegs, if one has.

        It has reached its target; where low wins, the other of two has.
        """
        for side, pegs in enumerate(self.pegs):
            if pegs.front >= self.rules.target_of(Side(side)):
                return Side(1 - side if self.rules.low_wins else side)
        return None
