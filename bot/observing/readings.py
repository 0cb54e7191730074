"""What is read off the running bot each time that somebody asks for its metrics."""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.announcer import Behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """How much there is to do, and in memory."""

    sessions: int
    """Games in memory."""
    behind: Behind
    shards: int | None = None
    """The shards that this process is to connect, where it need not connect all."""
    leases: int = 0
    """The shards of which it holds the lease, where several processes share them."""
