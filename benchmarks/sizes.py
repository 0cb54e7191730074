"""The size of each benchmark: large enough for steady figures, or tiny to try it out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.computer import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of one run."""

    hands: int = 20_000
    """Hands counted in each repetition."""
    deals: int = 1_000_000
    """Deals whose cards are held against those of a fair deck."""
    repetitions: int = 5
    """Repetitions of measurements without Discord; the median counts."""
    actions: int = 200
    """Actions of people, one at a time, each way to play."""
    warm_up: int = 100
    """Deals before actions are measured, at most; more than a game has, so that one is played to its end."""
    ways: int = 8
    """Number of ways to play that are measured."""
    tables: int = 200
    """Tables that play at once under Discord's limits."""
    many_tables: int = 500
    """Tables that play at once while presses are timed."""
    pictured_tables: int = 200
    """Tables that play at once with pictures while presses are timed."""
    seconds: float = 30.0
    """Time (s) for which tables play."""
    pause: float = 4.0
    """Seconds for which a player looks at their hand before they move, on average."""
    long_pause: float = 11.0
    """The same at the many tables whose presses are timed."""
    computer_tables: int = 50
    """Tables at which the computer moves constantly."""
    computer_levels: tuple[Level, ...] = tuple(Level)
    """The levels that play there at full speed, after the expert at its own pace."""
    crowd: int = 10_000
    """Live tables in one process, each pressed at now and then."""
    live_tables: int = 1_000
    """Tables kept in memory at once."""
    servers: int = 2_000
    """Servers that the bot is in while its memory is measured."""
    pictures: int = 60
    """Pictures drawn of each kind."""
    games: int = 100_000
    """Finished games in a database as it is after years; there are a tenth as many players."""
    further_games: int = 2_000
    """Games that are counted in addition, to see whether memory grows."""


SMALL = Sizes(
    hands=50,
    deals=300,
    repetitions=1,
    actions=2,
    warm_up=0,
    ways=1,
    tables=2,
    many_tables=3,
    pictured_tables=2,
    seconds=1.0,
    pause=0.05,
    long_pause=0.05,
    computer_tables=2,
    computer_levels=(),
    crowd=3,
    live_tables=2,
    servers=3,
    pictures=3,
    games=60,
    further_games=2,
)
"""Tiny sizes, to check that everything runs."""
