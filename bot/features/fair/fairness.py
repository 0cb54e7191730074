"""What may be told of a game's honest deck: nothing of its secret before the game has ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fair import Checked, Finding, Proof

__all__ = ["Checked", "Fairness", "Finding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """What one person may know of the deck of one game."""

    message: str | None = None
    """Where the first message stands that showed the commitment."""
    own_word: str | None = None
    """What they have given to the deck themselves, while the table gathers."""
    can_give_word: bool = False
    """Whether they sit at a table that gathers."""
    seal: str | None = None
    """Of the terms, once the game has begun."""
    proof: Proof | None = field(default=None, repr=False)
    """Once it has ended."""
    findings: tuple[Finding, ...] = ()
    """What the proof came to."""
