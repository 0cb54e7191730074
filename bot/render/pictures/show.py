"""What the picture of the show says: each hand and the crib, face up in the order in which they count.

There are no words here: the names of the players stand in the text beside the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.colours import Colour
from engine import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInPicture:
    """A hand or the crib."""

    colour: Colour
    """The colour of the side that counts it."""
    cards: tuple[Card, ...]
    """Four or five cards, without the starter."""
    points: int | None
    """What it counts, or nothing while it has not been counted."""
    is_crib: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowFacts:
    """Everything that the picture of a show says; equal facts give equal pictures."""

    starter: Card
    hands: tuple[HandInPicture, ...]
    """In counting order, at most four hands and the crib."""
