"""The facts about a game's honest deck that a person may see; they include its secret only after the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fair import Checked, Finding, Proof

__all__ = ["Checked", "Fairness", "Finding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """The facts about one game's deck that one person may see."""

    own_word: str | None = field(default=None, repr=False)
    """The person's own word for the deck, while the table gathers."""
    can_give_word: bool = False
    """True if the person sits at a table that gathers."""
    waits_for_word: bool = False
    """True if no game at the person's table begins by itself."""
    seal: str | None = None
    """Seal of the terms, once the game has begun."""
    proof: Proof | None = field(default=None, repr=False)
    """Proof of the deck, once the game has ended."""
    findings: tuple[Finding, ...] = ()
    """Results of checking the proof."""

    @property
    def is_without_words(self) -> bool:
        """True for a game to whose deck nobody gave a word."""
        return self.proof is not None and not self.proof.terms.words

    @property
    def is_word_deleted(self) -> bool:
        """True if somebody had their word deleted."""
        return self.proof is not None and None in self.proof.words
