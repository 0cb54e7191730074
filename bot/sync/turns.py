"""The turns of one table's players: since when each has lasted, and whether its player was called.

A message by DM is posted once more, so that its player's phone rings, when it has been their turn for a while
and they have pressed nothing meanwhile. In rapid play nothing rings, nor in a game in which only computers
wait.

A turn calls its player once, by a mention in the channel or by a message that rings: the mention of slow play
comes as the turn begins, and one call three minutes later would only say the same. The clock's reminder is no
such call: it says when the clock moves, and comes after either.

Turns are kept in memory: after a restart all times begin again, but a mention that stands is still known.
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
    """When it came to them, or when they pressed something last."""
    is_taken: bool = False
    """True once the time was up, and that was answered."""
    is_called: bool = False
    """True once they were called, by DM or by a mention."""


class Turns:
    """The turns of those whom people wait for; all times are in seconds of one clock."""

    def __init__(self) -> None:
        self._turns: dict[Seat, _Turn] = {}

    def waits_for(self, turns: Mapping[Seat, int], now: float) -> None:
        """Note whose turn it is. A turn has a number, which the same player's next does not have."""
        before = self._turns
        self._turns = {
            seat: turn if (turn := before.get(seat)) and turn.number == number else _Turn(number, now)
            for seat, number in turns.items()
        }

    def pressed(self, seat: Seat, now: float) -> None:
        """Note that the player has pressed something, and is looking."""
        if (turn := self._turns.get(seat)) is not None:
            turn.since = now

    def called(self, seat: Seat) -> None:
        """Note that the player was called to this turn."""
        if (turn := self._turns.get(seat)) is not None:
            turn.is_called = True

    @property
    def all_called(self) -> frozenset[Seat]:
        """The seats that were called to their turn."""
        return frozenset(seat for seat, turn in self._turns.items() if turn.is_called)

    def take(self, after: float, now: float) -> frozenset[Seat]:
        """The seats that are to be called now by DM, `after` so many seconds: each once a turn."""
        due = {
            seat
            for seat, turn in self._turns.items()
            if turn.since + after <= now and not turn.is_taken and not turn.is_called
        }
        for seat in due:
            self._turns[seat].is_taken = True
        return frozenset(due)

    def due_in(self, after: float, now: float) -> float | None:
        """Delay (s) before somebody is to be called, if nobody moves or presses; `None` if nobody is."""
        since = [turn.since for turn in self._turns.values() if not turn.is_taken and not turn.is_called]
        return max(min(since) + after - now, 0.0) if since else None
