"""Watches the sessions of a sandbox, and when the database was away: what that explains is no finding."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame

_NOTICED = 1.0
"""Seconds after which the sandbox knows on a busy machine, too, that a process is dead."""


@dataclass(slots=True, eq=False)
class Absence:
    """A time in which the database was away; moments of the loop, in seconds."""

    since: float
    until: float | None = None

    def touches(self, start: float, end: float) -> bool:
        """True if the absence overlaps that time."""
        return self.since <= end and (self.until is None or start <= self.until)


@dataclass(slots=True, eq=False, kw_only=True)
class Outage(Absence):
    """A time in which a shard had no session that hears: from a death, if one has died, to the next READY."""

    shard: int
    by_death: bool


class Outages:
    """An observer of a sandbox, and a listener of its gateway."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.all: list[Outage] = []
        self.is_over = False
        """True once the processes are being stopped, and nothing counts any more."""
        self._sandbox = sandbox
        self.without_database: list[Absence] = []
        self._died_at = float("-inf")
        self._live = self._now_live()
        sandbox.observers.append(self)
        sandbox.gateway.presence_listeners.append(self._look)

    def __call__(self, seen: Exchange | Frame) -> None:
        """Hear of a session that is ready."""
        is_told = isinstance(seen, Frame) and seen.direction is Direction.TO_BOT
        if is_told and isinstance(seen, Frame) and seen.payload.get("t") == "READY":
            self._look()

    @property
    def are_none(self) -> bool:
        """True if every shard has a session."""
        return len(self._now_live()) == self._sandbox.gateway.shards.count

    def died(self) -> None:
        """A process is being killed now."""
        self._died_at = asyncio.get_running_loop().time()

    def takeovers(self) -> list[float]:
        """Of each shard that lost its session by a death: the seconds until its next READY."""
        return [each.until - each.since for each in self.all if each.by_death and each.until is not None]

    def excuse(self, shard: int, start: float, end: float) -> bool:
        """True if a death explains the failure of a press on that shard between those times."""
        deaths = [each for each in self.all if each.by_death and each.shard == shard]
        return any(each.touches(start, end) for each in (*deaths, *self.without_database))

    def _now_live(self) -> set[int]:
        gateway = self._sandbox.gateway
        return {shard for shard in range(gateway.shards.count) if gateway.is_live(shard)}

    def _look(self) -> None:
        now, live = asyncio.get_running_loop().time(), self._now_live()
        is_death = now - self._died_at < _NOTICED
        for shard in sorted(self._live - live):
            if not self.is_over:
                self.all.append(
                    Outage(shard=shard, since=self._died_at if is_death else now, by_death=is_death)
                )
        for outage in self.all:
            if outage.until is None and outage.shard in live:
                outage.until = now
        self._live = live
