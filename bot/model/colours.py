"""The colours that sides play in: of their pegs, of their scores and beside their names.

The six stay apart under protanopia, deuteranopia and tritanopia, and each has a shape of its own, in
pictures and in its emoji, so that nobody needs the colour. Nothing is drawn here; the colours' names for
people are in `bot/render`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue in sRGB, each 0 to 255."""


class Shape(Enum):
    """What the head of a peg looks like from above."""

    CIRCLE = "circle"
    DIAMOND = "diamond"
    STAR = "star"
    SQUARE = "square"
    HEART = "heart"
    FLOWER = "flower"


class Colour(Enum):
    """A colour for one side; its value is the word under which it is stored."""

    RED = "red"
    BLUE = "blue"
    YELLOW = "yellow"
    GREEN = "green"
    PURPLE = "purple"
    PINK = "pink"

    @property
    def emoji(self) -> str:
        """A character of this colour and shape, which stands in text beside a name."""
        return _LOOKS[self].emoji

    @property
    def rgb(self) -> Rgb:
        """The colour itself, for pegs and scores."""
        return _LOOKS[self].rgb

    @property
    def shape(self) -> Shape:
        """What no other colour's pegs look like."""
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

_STANDARD: Final = (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN)
"""Of all sets of four, the two opponents of most games first: red and blue differ for everybody."""


def standard_colours(sides: int) -> tuple[Colour, ...]:
    """The colours of 2, 3 or 4 sides that have chosen none, in the order of the sides.

    Raises `ValueError` for any other number.
    """
    if sides not in {2, 3, 4}:
        raise ValueError(f"a game has 2, 3 or 4 sides, not {sides}")
    return _STANDARD[:sides]
