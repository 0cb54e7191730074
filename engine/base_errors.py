"""The root of the engine's errors, and the one error that cards themselves can raise.

They stand below the cards; the whole tree is drawn and found in `errors`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


class EngineError(Exception):
    """Anything that the engine refuses."""


@dataclass(eq=False)
class NotationError(EngineError):
    """A text that is no card, move or game."""

    text: str = field(repr=False)
    """What was written. It may name a private card, so it does not print."""
    expected: str
    """What should have stood there, in the words of the notation."""

    def __str__(self) -> str:
        return f"expected {self.expected}"
