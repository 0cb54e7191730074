"""How a game ends: pegged out, resigned or claimed, and won; public events like those of `events`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.seats import Seat, Side


class Ending(Enum):
    """How a game came to its end."""

    PEGGED_OUT = "pegged_out"
    RESIGNED = "resigned"
    CLAIMED = "claimed"


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave the game up for its side."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameClaimed:
    """A seat claimed the game from a side that had been away too long."""

    seat: Seat
    absent: Side


@dataclass(frozen=True, slots=True)
class GameWon:
    """The game is over. The last event of every log that has an end."""

    side: Side
    ending: Ending
