"""The turns of one table's players: each turn's start, and whether its player was called.

A player who has pressed nothing in their turn for a while is overdue: their message by DM is reposted, so
that their phone rings. Nothing rings in a game against computers only.

A player is called once a turn, by a mention in the channel (as a turn of slow play begins) or by a message
that rings. The clock's reminder is not counted as a call: it says when the clock moves, and comes after
either.

Turns are in memory only: after a restart all of them start again, but mentions are recorded messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import Seat


@dataclass(slots=True)
class _Turn:
    """One player's turn."""

    number: int
    since: float
    """Time of its start, or of the player's last press."""
    is_taken: bool = False
    """True once `take` has returned it."""
    is_called: bool = False
    """True once they were called, by DM or by a mention."""


class Turns:
    """The turns of people in turn; all times are on one clock (s)."""

    def __init__(self) -> None:
        self.pressed_at: dict[Seat, float] = {}
        """By seat: time of its player's last press."""
        self._turns: dict[Seat, _Turn] = {}

    def waits_for(self, turns: Mapping[Seat, int], now: float) -> None:
        """Note the turns by seat; their numbers tell a player's turns apart."""
        before = self._turns
        self._turns = {
            seat: turn if (turn := before.get(seat)) and turn.number == number else _Turn(number, now)
            for seat, number in turns.items()
        }

    def pressed(self, seat: Seat, now: float) -> None:
        """Note a press of the player: the time until they are overdue starts again."""
        self.pressed_at[seat] = now
        if (turn := self._turns.get(seat)) is not None:
            turn.since = now

    def called(self, seat: Seat) -> None:
        """Note that the player was called to this turn."""
        if (turn := self._turns.get(seat)) is not None:
            turn.is_called = True

    @property
    def all_called(self) -> frozenset[Seat]:
        """Seats whose player was called to this turn."""
        return frozenset(seat for seat, turn in self._turns.items() if turn.is_called)

    def take(self, after: float, now: float) -> frozenset[Seat]:
        """Seats that became overdue since the last call, `after` (s) in their turn: each once a turn."""
        due = {
            seat
            for seat, turn in self._turns.items()
            if turn.since + after <= now and not turn.is_taken and not turn.is_called
        }
        for seat in due:
            self._turns[seat].is_taken = True
        return frozenset(due)

    def due_in(self, after: float, now: float) -> float | None:
        """Delay (s) before the next player is overdue, `after` (s) in their turn; `None` if none will be."""
        since = [turn.since for turn in self._turns.values() if not turn.is_taken and not turn.is_called]
        return max(min(since) + after - now, 0.0) if since else None
