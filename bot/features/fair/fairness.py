"""The facts about a game's honest deck that a person may see; they include its secret only after the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fair import Checked, Finding
from engine.fair.ft1 import Proof

__all__ = ["Checked", "Fairness", "Finding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """The facts about one game's deck that one person may see."""

    message: str | None = None
    """Link to the first message that showed the commitment."""
    own_word: str | None = None
    """The person's own word for the deck, while the table gathers."""
    can_give_word: bool = False
    """True if the person sits at a table that gathers."""
    seal: str | None = None
    """Seal of the terms, once the game has begun."""
    proof: Proof | None = field(default=None, repr=False)
    """Proof of the deck, once the game has ended."""
    findings: tuple[Finding, ...] = ()
    """Results of checking the proof."""
