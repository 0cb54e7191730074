"""How much each benchmark does: enough for steady figures, or next to nothing for trying it out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of one run."""

    hands: int = 20_000
    """Hands counted in each repetition."""
    repetitions: int = 5
    """How often what takes no Discord is measured; the median counts."""
    games: int = 2
    """Whole games played one move at a time."""
    length: int = 121
    """Holes to the end of those games."""
    commands: int = 300
    """Commands that do next to nothing, to compare a card with."""
    tables: int = 200
    """Tables that play at once."""
    seconds: float = 30.0
    """How long tables play while presses are timed."""
    pause: float = 4.0
    """Seconds for which a player looks at his hand before he moves, on the average."""
    computer_tables: int = 50
    """Tables at which the computer moves constantly."""
    live_tables: int = 1_000
    """Tables kept in memory at once."""


SMALL = Sizes(
    hands=50,
    repetitions=1,
    games=1,
    length=61,
    commands=3,
    tables=2,
    seconds=1.0,
    pause=0.05,
    computer_tables=2,
    live_tables=2,
)
"""For finding out whether everything runs."""
