"""Which of two processes answers a press that both hear of, as they are connected to the same shard.

That is the one that holds the shard's lease when it hears it. While the lease is on its way from one to the
other, the new one keeps the presses that it hears, and answers them when it has the lease: all but those that
the old one says it has taken. A connection may lag, so it may hear of one of those only later: they are
remembered for a while, and the holder after it is told of them too. So none is answered twice, and none is
lost.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from bot.model.shards import shard_of

log = logging.getLogger(__name__)

KEPT = 2.6
"""Seconds for which a press is kept: Discord waits three for its answer."""

_REMEMBERED = 15.0
"""Seconds for which a press that was taken, here or by the holder before, is remembered."""


class PressGate:
    """Lets presses in that are this process's to answer."""

    def __init__(self, shards: int, let_in: Callable[[Any], None], clock: Callable[[], float]) -> None:
        """What may come in is `let_in`; `clock` is in seconds."""
        self._shards = shards
        self._let_in = let_in
        self._clock = clock
        self._open: set[int] = set()
        self._kept: dict[int, deque[tuple[float, Mapping[str, Any]]]] = {}
        """By shard."""
        self._taken: dict[int, dict[int, float]] = {}
        """By shard: the presses that were answered lately, with when that was known here, in that order."""

    def heard(self, press: Mapping[str, Any]) -> None:
        """Discord tells of an interaction, in its own form."""
        guild = press.get("guild_id")
        shard = shard_of(None if guild is None else int(guild), self._shards)
        if shard in self._open:
            self._take(shard, press)
            return
        kept = self._kept.setdefault(shard, deque())
        now = self._clock()
        while kept and now - kept[0][0] > KEPT:
            kept.popleft()
        kept.append((now, press))

    def open(self, shard: int, taken: frozenset[int]) -> None:
        """This process has the lease; the holder before it has answered the presses `taken`."""
        self._open.add(shard)
        now = self._clock()
        self._lately(shard).update(dict.fromkeys(sorted(taken), now))
        for when, press in self._kept.pop(shard, ()):
            if now - when <= KEPT:
                self._take(shard, press)

    def close(self, shard: int) -> frozenset[int]:
        """It has the lease no more: the presses that were answered lately. A second time it is the same."""
        self._open.discard(shard)
        return frozenset(self._lately(shard))

    def _take(self, shard: int, press: Mapping[str, Any]) -> None:
        taken, number = self._lately(shard), int(press["id"])
        if number not in taken:
            taken[number] = self._clock()
            self._let_in(press)

    def _lately(self, shard: int) -> dict[int, float]:
        """The presses that were answered lately; what is older is forgotten."""
        taken, now = self._taken.setdefault(shard, {}), self._clock()
        while taken and now - taken[oldest := next(iter(taken))] > _REMEMBERED:
            del taken[oldest]
        return taken
