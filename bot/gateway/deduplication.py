"""Deduplicates presses between two processes that are connected to the same shard.

The process that holds the shard's lease when it receives a press handles it. During a hand-over the new
process queues presses, and handles them when it has the lease: all but those in the old process's list of
handled ones. A connection may lag and deliver such a press later, so the list is remembered for a while and
passed on to the next holder. No press is handled twice, and none is lost.

A holder that cannot reach the database for long does not know if it still has the lease. It delays each press
for a moment, in favour of another holder, and then handles it: if nobody can reach the database, somebody
must tell the player, and if another process has the shard, this one cannot write, and Discord takes the first
answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from bot.concurrency.waited import WAITED
from bot.model.shards import shard_of

log = logging.getLogger(__name__)

KEPT = 2.6
"""Seconds for which a press is kept: Discord waits three for its answer."""

_LEFT_TO_ANOTHER = 1.0
"""Seconds for which a press is left to another process that may hold the shard by now."""

_REMEMBERED = 15.0
"""Seconds for which a press that was taken, here or by the holder before, is remembered."""


class InteractionDeduplicator:
    """Lets presses in that are this process's to answer."""

    def __init__(self, shards: int, let_in: Callable[[Any], None], clock: Callable[[], float]) -> None:
        """Passes presses to handle to `let_in`; `clock` is in seconds."""
        self._shards = shards
        self._let_in = let_in
        self._clock = clock
        self._open: set[int] = set()
        self._doubted: set[int] = set()
        """Shards of which this process does not know whether it holds them still."""
        self._kept: dict[int, deque[tuple[float, Mapping[str, Any]]]] = {}
        """By shard."""
        self._taken: dict[int, dict[int, float]] = {}
        """By shard: the presses that were answered lately, with when that was known here, in that order."""

    def receive(self, press: Mapping[str, Any]) -> None:
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
        if shard in self._doubted:
            asyncio.get_running_loop().call_later(_LEFT_TO_ANOTHER, self._take_in_doubt, shard, press)

    def open(self, shard: int, taken: frozenset[int]) -> None:
        """This process has the lease; the holder before it has answered the presses `taken`."""
        self._open.add(shard)
        self._doubted.discard(shard)
        now = self._clock()
        self._lately(shard).update(dict.fromkeys(sorted(taken), now))
        for when, press in self._kept.pop(shard, ()):
            if now - when <= KEPT:
                self._take(shard, press, now - when)

    def close(self, shard: int) -> frozenset[int]:
        """It has the lease no more: the presses that were answered lately. A second time it is the same."""
        self._open.discard(shard)
        self._doubted.discard(shard)
        return frozenset(self._lately(shard))

    def doubt(self, shard: int) -> None:
        """Another process may have the lease by now. Where the gate is not open it stays closed."""
        if shard in self._open:
            self._open.discard(shard)
            self._doubted.add(shard)

    def _take_in_doubt(self, shard: int, press: Mapping[str, Any]) -> None:
        if shard in self._doubted:
            self._take(shard, press, _LEFT_TO_ANOTHER)

    def _take(self, shard: int, press: Mapping[str, Any], waited: float = 0.0) -> None:
        taken, number = self._lately(shard), int(press["id"])
        if number not in taken:
            taken[number] = self._clock()
            before = WAITED.set(waited)  # its answer is due so much sooner
            try:
                self._let_in(press)
            finally:
                WAITED.reset(before)

    def _lately(self, shard: int) -> dict[int, float]:
        """The presses that were answered lately; what is older is forgotten."""
        taken, now = self._taken.setdefault(shard, {}), self._clock()
        while taken and now - taken[oldest := next(iter(taken))] > _REMEMBERED:
            del taken[oldest]
        return taken
