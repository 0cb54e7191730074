"""When a player's message by DM is posted once more, so that their phone rings.

That is when it has been their turn for a while and they have pressed nothing meanwhile; once a turn. In rapid
play nothing rings. What is known of presses and turns is kept in memory: after a restart all times begin
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine import Seat


@dataclass(slots=True)
class _Turns:
    """Whom one game waits for."""

    since: dict[Seat, float] = field(default_factory=dict)
    """When the turn came to each, or when they pressed something last."""
    rung: set[Seat] = field(default_factory=set)
    """Those who were called in this turn."""


class Ringing:
    """Knows who has not pressed anything for too long."""

    def __init__(self, after: float, clock: Callable[[], float]) -> None:
        """`after` is in seconds of `clock`."""
        self._after = after
        self._clock = clock
        self._games: dict[str, _Turns] = {}

    def waits_for(self, game: str, seats: Iterable[Seat]) -> None:
        """The game waits for these people."""
        waiting = set(seats)
        if not waiting:
            self.forget(game)
            return
        turns, now = self._games.setdefault(game, _Turns()), self._clock()
        turns.since = {seat: turns.since.get(seat, now) for seat in waiting}
        turns.rung &= waiting

    def pressed(self, game: str, seat: Seat) -> None:
        """That player has pressed something, and is looking."""
        turns = self._games.get(game)
        if turns is not None and seat in turns.since:
            turns.since[seat] = self._clock()

    def take(self, game: str) -> frozenset[Seat]:
        """Who is to be called now. Nobody is told twice of one turn."""
        turns = self._games.get(game)
        if turns is None:
            return frozenset()
        latest = self._clock() - self._after
        due = {seat for seat, since in turns.since.items() if since <= latest} - turns.rung
        turns.rung |= due
        return frozenset(due)

    def due_in(self, game: str) -> float | None:
        """Seconds until somebody is to be called, if nobody moves or presses."""
        turns = self._games.get(game)
        if turns is None:
            return None
        since = [since for seat, since in turns.since.items() if seat not in turns.rung]
        return max(min(since) + self._after - self._clock(), 0.0) if since else None

    def forget(self, game: str) -> None:
        """That game has ended, or nobody is waited for."""
        self._games.pop(game, None)
