"""Deduplicates presses between two processes that are connected to the same shard.

The process that holds the shard's lease when it receives a press handles it. During a hand-over the new
process queues presses, and handles them when it has the lease: all but those in the old process's list of
handled ones. A connection may lag and deliver such a press later, so the list is remembered for a while and
passed on to the next holder. No press is handled twice, and none is lost.

A holder that cannot reach the database for long does not know if it still has the lease. It delays each press
for a moment, in favour of another holder, and then handles it: if nobody can reach the database, somebody
must tell the player, and if another process has the shard, this one cannot write, and Discord takes the first
answer.

A server without the bot has no shard: its presses come to any process. They belong to the first shard, as
those in direct messages do, and a process without that one passes them on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from bot.concurrency.waited import WAITED, waited
from bot.model.shards import shard_of

log = logging.getLogger(__name__)

KEPT = 2.6
"""Time (s) for which a press is queued; Discord waits 3 s for its answer."""

_YIELD = 1.0
"""Delay (s) of a press while the lease is uncertain, so that another process which may hold it is first."""

_WINDOW = 15.0
"""Deduplication window (s): the time for which a handled press is remembered, here or by the last holder."""


class InteractionDeduplicator:
    """Passes on each press that this process should handle, once."""

    def __init__(
        self,
        shards: int,
        handle: Callable[[Any], None],
        clock: Callable[[], float],
        *,
        is_in: Callable[[int], bool],
        pass_on: Callable[[Mapping[str, Any]], None],
    ) -> None:
        """`handle` takes a press's payload; `clock` is in seconds.

        `is_in` is true for the id of a server that the bot is in, if that server's shard is connected here.
        `pass_on` sends the press of another server to all processes, which `receive_passed` it.
        """
        self._shards = shards
        self._handle_press = handle
        self._clock = clock
        self._is_in = is_in
        self._pass_on = pass_on
        self._open: set[int] = set()
        """Shards whose lease this process has."""
        self._uncertain: set[int] = set()
        """Shards whose lease this process had and may have lost."""
        self._queued: dict[int, deque[tuple[float, Mapping[str, Any]]]] = {}
        """Per shard: presses that wait for the lease, and since when, oldest first."""
        self._handled: dict[int, dict[int, float]] = {}
        """Per shard: ids of recently handled presses with receive time, oldest first."""

    @property
    def waiting(self) -> int:
        """The number of presses that wait for the lease of their shard."""
        return sum(map(len, self._queued.values()))

    def receive(self, press: Mapping[str, Any]) -> None:
        """Handle, queue or pass on an interaction, given as its gateway payload."""
        guild = press.get("guild_id")
        if guild is None or self._is_in(int(guild)):
            self._receive(shard_of(None if guild is None else int(guild), self._shards), press)
            return
        self._receive(0, press)
        if 0 not in self._open:
            self._pass_on(press)

    def receive_passed(self, press: Mapping[str, Any]) -> None:
        """Handle or queue a press that another process has passed on."""
        self._receive(0, press)

    def _receive(self, shard: int, press: Mapping[str, Any]) -> None:
        if shard in self._open:
            self._handle(shard, press, WAITED.get())
            return
        queued = self._queued.setdefault(shard, deque())
        now = self._clock()
        while queued and now - queued[0][0] > KEPT:
            queued.popleft()
        queued.append((now - WAITED.get(), press))
        if shard in self._uncertain:
            asyncio.get_running_loop().call_later(_YIELD, self._handle_uncertain, shard, press)

    def open(self, shard: int, handled: frozenset[int]) -> None:
        """Start to handle the shard's presses: this process has the lease.

        Queued presses are handled at once, all but `handled`, which the holder before has handled.
        """
        self._open.add(shard)
        self._uncertain.discard(shard)
        now = self._clock()
        self._recent(shard).update(dict.fromkeys(sorted(handled), now))
        for when, press in self._queued.pop(shard, ()):
            if now - when <= KEPT:
                self._handle(shard, press, now - when)

    def close(self, shard: int) -> frozenset[int]:
        """Queue the shard's presses from now on: the lease is given up. Idempotent.

        Returns the ids of recently handled presses, for the next holder.
        """
        self._open.discard(shard)
        self._uncertain.discard(shard)
        return frozenset(self._recent(shard))

    def mark_uncertain(self, shard: int) -> None:
        """Delay the shard's presses: another process may have the lease by now. No effect if it is closed."""
        if shard in self._open:
            self._open.discard(shard)
            self._uncertain.add(shard)

    def _handle_uncertain(self, shard: int, press: Mapping[str, Any]) -> None:
        if shard in self._uncertain:
            self._handle(shard, press, WAITED.get() + _YIELD)

    def _handle(self, shard: int, press: Mapping[str, Any], seconds: float) -> None:
        """Handle the press, which has waited for so long, unless it was handled before."""
        handled, number = self._recent(shard), int(press["id"])
        if number not in handled:
            handled[number] = self._clock()
            with waited(seconds):
                self._handle_press(press)

    def _recent(self, shard: int) -> dict[int, float]:
        """Recently handled presses of the shard; those before the window are dropped."""
        handled, now = self._handled.setdefault(shard, {}), self._clock()
        while handled and now - handled[oldest := next(iter(handled))] > _WINDOW:
            del handled[oldest]
        return handled
