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
