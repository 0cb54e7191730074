"""What the picture of a cribbage board shows.

There are no words here: the names of the players stand in the text beside the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.colours import Colour
from engine import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOnBoard:
    """One side's track and score."""

    colour: Colour
    front: int
    """The score, where the front peg stands, from 0; whatever passes the target stands in the finish."""
    back: int
    """The score before the last points, where the back peg stands."""
    games_won: int
    """Games won in this match, from 0."""
    has_crib: bool
    """Whether the crib of this deal is this side's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """Everything that the picture of a board shows; equal facts give equal pictures."""

    target: int
    """The score that wins, 31 or more: as many holes has each track, the finish included."""
    sides: tuple[SideOnBoard, ...]
    """Two, three or four sides, from the outermost track inwards."""
    starter: Card | None
    """The starter, or nothing while the pack has not been cut."""
    skunk_lines: tuple[int, ...]
    """Scores below which a loser is skunked: 91 and 61 for 121."""
