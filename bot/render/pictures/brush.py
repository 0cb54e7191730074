"""Draws shapes with smooth edges: oversampled, then scaled down.

Sizes and places are in pixels of the finished drawing, and may be fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.model.colours import Rgb
from bot.render.pictures.suits import Point, Polygon

Paint: TypeAlias = tuple[int, ...]
"""Red, green and blue, and for glass also opacity, each 0 to 255."""

_SAMPLING: Final = 4


class Brush:
    """A sheet, with the shapes drawn onto it in order."""

    def __init__(self, size: tuple[int, int], *, paper: Rgb | None = None, sampling: int = _SAMPLING) -> None:
        """The sheet is transparent, or of one colour (`paper`); lower `sampling` is faster and rougher."""
        self._size = size
        self._sampling = sampling
        large = (size[0] * sampling, size[1] * sampling)
        self._sheet = Image.new("RGBA", large) if paper is None else Image.new("RGB", large, paper)
        self._draw = ImageDraw.Draw(self._sheet)

    def box(self, box: Sequence[float], paint: Paint, *, radius: float = 0.0) -> None:
        """Fill a box (left, top, right, bottom) with round corners."""
        left, top, right, bottom = (each * self._sampling for each in box)
        # Pillow includes the right and bottom edge in a rectangle.
        edges = (left, top, right - 1, bottom - 1)
        self._draw.rounded_rectangle(edges, radius * self._sampling, paint)

    def disc(self, centre: Point, radius: float, paint: Paint, *, height: float | None = None) -> None:
        """Fill a disc, or an ellipse whose half height is `height`."""
        (x, y), high = centre, radius if height is None else height
        edges = (x - radius, y - high, x + radius, y + high)
        left, top, right, bottom = (each * self._sampling for each in edges)
        self._draw.ellipse((left, top, right - 1, bottom - 1), paint)

    def polygon(self, points: Iterable[Point], paint: Paint) -> None:
        """Fill a polygon."""
        self._draw.polygon(self._scaled(points), paint)

    def mark(self, outline: Polygon, centre: Point, size: float, paint: Paint) -> None:
        """Fill an outline in a unit square, `size` pixels large, around a centre."""
        x, y = centre
        self.polygon(
            [(x + (across - 0.5) * size, y + (down - 0.5) * size) for across, down in outline], paint
        )

    def line(self, points: Iterable[Point], paint: Paint, width: float) -> None:
        """Draw a line through the points."""
        self._draw.line(self._scaled(points), paint, round(width * self._sampling), joint="curve")

    def finished(self) -> Image.Image:
        """The sheet at its final size: mode RGB with paper, else RGBA."""
        if self._sheet.mode == "RGB":
            return self._sheet.reduce(self._sampling)
        # Opacity weights the colours, or transparent black would darken every edge.
        return self._sheet.convert("RGBa").reduce(self._sampling).convert("RGBA")

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._sampling, y * self._sampling) for x, y in points]


def mixed(one: Rgb, other: Rgb, part: float) -> Rgb:
    """`one`, mixed with `part` (0 to 1) of `other`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return (red, green, blue)
