"""Values read from the running bot for each request of its metrics."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sync.queue import Backlog


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """Current load and memory."""

    sessions: int
    """Games in memory."""
    behind: Backlog
    shards: int | None = None
    """Shards that this process should connect; None for all."""
    is_quarantined: bool = False
    """True while Discord lets the bot write by DM only to people to whom it has written before."""
    leases: int = 0
    """Shard leases that this process holds, if processes share the shards."""
    gone_back: int = 0
    """Tables that have lost moves with the database since the start."""
    dropped: int = 0
    """Interactions that came too late or again, so far; see `bot.gateway.press_gate`."""
