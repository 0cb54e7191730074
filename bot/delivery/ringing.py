"""When a player's message by DM is posted once more, so that their phone rings.

That is when it has been their turn for a while and they have pressed nothing meanwhile. In rapid play nothing
rings, nor in a game in which only computers wait.

A turn calls its player once, by a mention in the channel (`mentions`) or by a message that rings: the mention
of slow play comes as the turn begins, and one call three minutes later would only say the same. So both look
here whether a player has been called. The clock's reminder is no such call: it says when the clock moves, and
comes after either.

What is known of presses and turns is kept in memory: after a restart all times begin again, but a mention
that stands is still known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine import Seat


@dataclass(slots=True)
class _Turn:
    """One player's turn."""

    number: int
    since: float
    """When it came to them, or when they pressed something last."""
    is_taken: bool = False
    """Whether the time was up, and that was answered."""
    is_called: bool = False
    """Whether they were called, by DM or by a mention."""


class Ringing:
    """Knows who has not pressed anything for too long."""

    def __init__(self, after: float, clock: Callable[[], float]) -> None:
        """`after` is in seconds of `clock`."""
        self._after = after
        self._clock = clock
        self._games: dict[str, dict[Seat, _Turn]] = {}

    def waits_for(self, game: str, turns: Mapping[Seat, int]) -> None:
        """The game waits for these people. Each one's turn has a number, which their next does not have."""
        if not turns:
            self.forget(game)
            return
        before, now = self._games.get(game, {}), self._clock()
        self._games[game] = {
            seat: turn if (turn := before.get(seat)) and turn.number == number else _Turn(number, now)
            for seat, number in turns.items()
        }

    def pressed(self, game: str, seat: Seat) -> None:
        """That player has pressed something, and is looking."""
        turn = self._turn(game, seat)
        if turn is not None:
            turn.since = self._clock()

    def called(self, game: str, seat: Seat) -> None:
        """That player was called to this turn."""
        turn = self._turn(game, seat)
        if turn is not None:
            turn.is_called = True

    def has_called(self, game: str, seat: Seat) -> bool:
        """Whether that player was called to this turn."""
        turn = self._turn(game, seat)
        return turn is not None and turn.is_called

    def take(self, game: str) -> frozenset[Seat]:
        """Who is to be called now by DM, if they can be: each once a turn."""
        latest, due = self._clock() - self._after, set()
        for seat, turn in self._games.get(game, {}).items():
            if turn.since <= latest and not turn.is_taken and not turn.is_called:
                turn.is_taken = True
                due.add(seat)
        return frozenset(due)

    def due_in(self, game: str) -> float | None:
        """Seconds until somebody is to be called, if nobody moves or presses."""
        turns = self._games.get(game, {}).values()
        since = [turn.since for turn in turns if not turn.is_taken and not turn.is_called]
        return max(min(since) + self._after - self._clock(), 0.0) if since else None

    def forget(self, game: str) -> None:
        """That game has ended, or nobody is waited for."""
        self._games.pop(game, None)

    def _turn(self, game: str, seat: Seat) -> _Turn | None:
        return self._games.get(game, {}).get(seat)
