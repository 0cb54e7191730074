"""The colours of the sides: of their pegs, of their scores and beside their names.

The six differ under protanopia, deuteranopia and tritanopia, and each has a shape of its own, in pictures and
as emoji, so that colour alone tells nothing. This module draws nothing; the colours' names for players are in
`bot/render`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue in sRGB, each 0 to 255."""


class Shape(Enum):
    """Shape of a peg's head from above."""

    CIRCLE = "circle"
    DIAMOND = "diamond"
    STAR = "star"
    SQUARE = "square"
    HEART = "heart"
    FLOWER = "flower"


class Colour(Enum):
    """A colour for one side; its value is the word in the store."""

    RED = "red"
    BLUE = "blue"
    YELLOW = "yellow"
    GREEN = "green"
    PURPLE = "purple"
    PINK = "pink"

    @property
    def emoji(self) -> str:
        """Character of this colour and shape, for text beside a name."""
        return _LOOKS[self].emoji

    @property
    def rgb(self) -> Rgb:
        """The colour of pegs and scores."""
        return _LOOKS[self].rgb

    @property
    def shape(self) -> Shape:
        """The shape of this colour's pegs; no other colour has it."""
        return _LOOKS[self].shape


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    emoji: str
    rgb: Rgb
    shape: Shape


_LOOKS: Final = {
    Colour.RED: _Look(emoji="🔴", rgb=(196, 32, 28), shape=Shape.CIRCLE),
    Colour.BLUE: _Look(emoji="🔷", rgb=(31, 79, 240), shape=Shape.DIAMOND),
    Colour.YELLOW: _Look(emoji="⭐", rgb=(245, 173, 24), shape=Shape.STAR),
    Colour.GREEN: _Look(emoji="🟩", rgb=(47, 160, 124), shape=Shape.SQUARE),
    Colour.PURPLE: _Look(emoji="💜", rgb=(143, 44, 154), shape=Shape.HEART),
    Colour.PINK: _Look(emoji="🌸", rgb=(255, 192, 236), shape=Shape.FLOWER),
}

_STANDARD: Final = (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN, Colour.PURPLE)
"""First five colours; the first two, red and blue, are told apart under every colour blindness."""


def standard_colours(sides: int) -> tuple[Colour, ...]:
    """The colours of two to five sides that have chosen none. Raises `ValueError` for other numbers."""
    if not 2 <= sides <= len(_STANDARD):
        raise ValueError(f"a game has 2 to {len(_STANDARD)} sides, not {sides}")
    return _STANDARD[:sides]
