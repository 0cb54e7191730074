"""The gate of all interactions: it drops those that Discord has already reported as failed.

Discord waits three seconds for an answer, then says that the interaction failed. It may deliver one later all
the same: after a lost connection it replays missed events, from RESUME to RESUMED. Played then, a card would
be one that its player has given up.

An interaction's delay is its arrival by the monotonic clock minus the time in its id. By how much that
exceeds the smallest delay of the last ones is its age. The host's clock and Discord's `Date` headers, which
have whole seconds, play no part.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from bot.concurrency.waited import ANSWER_WITHIN

log = logging.getLogger(__name__)

REPLAYED_WITHIN: Final = 2.0
"""Maximum age (s) of a replayed interaction that is carried out."""

MISTRUST_AFTER: Final = 60.0
"""Time (s) after which the clock is wrong if all interactions have seemed old for so long."""

_DELAYS: Final = 100
"""Number of interactions whose smallest delay counts."""

_DRIFT: Final = 1e-4
"""Drift of the monotonic clock that is allowed for, in seconds a second."""

_KNOWN: Final = 4_096
"""Number of latest interactions that are recognised when they come again."""


class PressGate:
    """Decides which interactions are carried out."""

    def __init__(self) -> None:
        self.dropped = 0
        """Number of interactions dropped so far."""
        self._known: dict[int, None] = {}
        """Ids of the latest interactions, oldest first."""
        self._delays: deque[tuple[float, float]] = deque(maxlen=_DELAYS)
        """Arrival and delay (s) of the latest interactions that were not late."""
        self._late_since: float | None = None
        """Arrival of the first of the late interactions since one that was not."""

    def admit(self, interaction: int, arrived: float, *, is_replayed: bool) -> float | None:
        """The age (s) of the interaction with that id, or `None` if it must not be carried out.

        `arrived` is by the monotonic clock, in seconds.
        """
        is_known = interaction in self._known
        self._known[interaction] = None
        if len(self._known) > _KNOWN:
            del self._known[next(iter(self._known))]
        age = None if is_known else self._age(interaction, arrived, is_replayed=is_replayed)
        if age is None:
            self.dropped += 1
            log.debug("dropped an interaction that came %s", "again" if is_known else "too late")
        return age

    def _age(self, interaction: int, arrived: float, *, is_replayed: bool) -> float | None:
        delay = arrived - (interaction >> 22) / 1000  # from Discord's epoch, which cancels out
        smallest = min((each + _DRIFT * (arrived - at) for at, each in self._delays), default=None)
        age = 0.0 if smallest is None else delay - smallest
        if is_replayed:
            # A delay far below all others tells that the clock has stood still since, so the age is unknown.
            is_fresh = smallest is not None and abs(age) <= REPLAYED_WITHIN
            return max(0.0, age) if is_fresh else None
        if age > ANSWER_WITHIN:
            if self._trusts_clock(arrived):
                return None
            age = 0.0
        self._late_since = None
        self._delays.append((arrived, delay))
        return max(0.0, age)

    def _trusts_clock(self, arrived: float) -> bool:
        """True unless all interactions have been late for long; then all delays are forgotten."""
        if self._late_since is None:
            self._late_since = arrived
        if arrived - self._late_since < MISTRUST_AFTER:
            return True
        log.error("all interactions seemed late for a minute, so the clock is wrong: they are handled again")
        self._delays.clear()
        return False
