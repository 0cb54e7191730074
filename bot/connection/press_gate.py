"""Which of two processes answers a press that both hear of, as they are connected to the same shard.

That is the one that holds the shard's lease when it hears it. While the lease is on its way from one to the
other, the new one keeps the presses that it hears, and answers them when it has the lease: all but those that
the old one says it has taken. So none is answered twice, and none is lost.
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
"""Seconds for which a press that was taken is remembered, for the next holder."""


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
        self._taken: dict[int, deque[tuple[float, int]]] = {}

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
        for when, press in self._kept.pop(shard, ()):
            if now - when <= KEPT and int(press["id"]) not in taken:
                self._take(shard, press)

    def close(self, shard: int) -> frozenset[int]:
        """It has the lease no more: what it has taken lately.

        That stays remembered, as the lease may come back at once, and go again.
        """
        self._open.discard(shard)
        return frozenset(press for _, press in self._taken.get(shard, ()))

    def _take(self, shard: int, press: Mapping[str, Any]) -> None:
        taken, now = self._taken.setdefault(shard, deque()), self._clock()
        while taken and now - taken[0][0] > _REMEMBERED:
            taken.popleft()
        taken.append((now, int(press["id"])))
        self._let_in(press)
