"""Places at the table, numbered clockwise from 0, and the sides that own a score.

Turns, deals and shows all pass to the left, which is the next higher number. Partners sit opposite
each other and share a side.
"""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, clockwise from 0."""

Side = NewType("Side", int)
"""The owner of a score: one seat, or two partners."""


def left_of(seat: Seat, seats: int) -> Seat:
    """The next seat clockwise at a table of `seats`."""
    return Seat((seat + 1) % seats)


def from_left_of(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """Every seat once, clockwise, beginning to the left of `seat` and ending with `seat` itself."""
    return tuple(Seat((seat + step) % seats) for step in range(1, seats + 1))
