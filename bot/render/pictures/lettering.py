"""Our own letters for pictures: digits with their signs, and the ranks A, J, Q and K.

Each is a skeleton of lines, drawn with a round pen. A narrower letter has a narrower skeleton and the same
pen, so that strokes stay even, which no scaled font can do. There are no other letters, because pictures
contain no words; people's names are in `names`.
"""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]
Stroke: TypeAlias = tuple[Point, ...]

SAMPLING: Final = 4
"""Oversampling factor of shapes, for smooth edges."""

_GAP: Final = 0.11
"""Space between two letters, as a share of the height, without the pen."""


@cache
def lettering(text: str, *, height: int, pen: float, width: float = 1.0) -> Image.Image:
    """`text` as a mask (mode L), cropped to its ink: `height` pixels high, its strokes `pen` pixels thick.

    `width` narrows the letters; 1.0 is their natural width. Raises `KeyError` for an unknown character.
    """
    size, thick = height * SAMPLING, pen * SAMPLING
    inner = size - thick
    left = thick / 2
    strokes: list[Stroke] = []
    for character in text:
        natural, skeleton = _SKELETONS[character]
        broad = natural * inner * width
        strokes += [tuple((left + x * broad, thick / 2 + y * inner) for x, y in line) for line in skeleton]
        left += broad + thick + _GAP * size * width
    full = round(left - thick / 2 - _GAP * size * width)
    mask = Image.new("L", (full + -full % SAMPLING, size))
    draw = ImageDraw.Draw(mask)
    for stroke in strokes:
        _trace(draw, stroke, thick)
    return mask.resize((mask.width // SAMPLING, height), Image.Resampling.BOX)


def _trace(draw: ImageDraw.ImageDraw, stroke: Stroke, thick: float) -> None:
    draw.line(stroke, fill=255, width=round(thick))
    reach = thick / 2 - 0.5
    for x, y in stroke:
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)


def _arc(centre: Point, reach: Point, start: float, end: float) -> Stroke:
    """Part of an ellipse between two angles in degrees; 0 is right and 90 is down."""
    steps = 28
    angles = (radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((centre[0] + reach[0] * cos(at), centre[1] + reach[1] * sin(at)) for at in angles)


_RING: Final = (
    *_arc((0.5, 0.34), (0.5, 0.34), 180, 360),
    *_arc((0.5, 0.66), (0.5, 0.34), 0, 180),
    (0.0, 0.34),
)
_SKELETONS: Final[dict[str, tuple[float, tuple[Stroke, ...]]]] = {
    "0": (0.60, (_RING,)),
    "1": (0.26, (((0.0, 0.20), (1.0, 0.0), (1.0, 1.0)),)),
    "2": (
        0.58,
        ((*_arc((0.5, 0.29), (0.48, 0.29), 195, 385), (0.02, 1.0), (1.0, 1.0)),),
    ),
    "3": (
        0.58,
        (
            (*_arc((0.46, 0.25), (0.46, 0.25), 205, 450), (0.36, 0.5)),
            (*_arc((0.48, 0.72), (0.52, 0.28), 275, 515),),
        ),
    ),
    "4": (0.66, (((0.76, 1.0), (0.76, 0.0), (0.0, 0.70), (1.0, 0.70)),)),
    "5": (
        0.58,
        (((0.92, 0.0), (0.14, 0.0), (0.08, 0.47), *_arc((0.48, 0.675), (0.52, 0.325), 222, 515)),),
    ),
    "6": (
        0.60,
        (
            _arc((0.5, 0.675), (0.5, 0.325), 0, 360),
            (*_arc((0.94, 0.69), (0.94, 0.69), 182, 262),),
        ),
    ),
    "7": (0.56, (((0.0, 0.0), (1.0, 0.0), (0.32, 1.0)),)),
    "8": (
        0.60,
        (_arc((0.5, 0.245), (0.43, 0.245), 0, 360), _arc((0.5, 0.745), (0.5, 0.255), 0, 360)),
    ),
    "9": (
        0.60,
        (
            _arc((0.5, 0.325), (0.5, 0.325), 0, 360),
            (*_arc((0.06, 0.31), (0.94, 0.69), 2, 82),),
        ),
    ),
    "A": (0.74, (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), ((0.17, 0.66), (0.83, 0.66)))),
    "J": (0.46, (((1.0, 0.0), *_arc((0.5, 0.69), (0.5, 0.31), 0, 165)),)),
    "Q": (0.68, (_RING, ((0.58, 0.72), (1.0, 1.0)))),
    "K": (0.62, (((0.0, 0.0), (0.0, 1.0)), ((0.94, 0.0), (0.0, 0.62)), ((0.34, 0.40), (1.0, 1.0)))),
    ".": (0.0, (((0.0, 1.0), (0.0, 1.0)),)),
    ",": (0.06, (((1.0, 0.94), (0.0, 1.0)),)),
    "−": (0.56, (((0.0, 0.52), (1.0, 0.52)),)),
    "+": (0.56, (((0.0, 0.52), (1.0, 0.52)), ((0.5, 0.24), (0.5, 0.80)))),
}
"""Width of the skeleton (in heights) and its strokes in a unit square with y downwards, by character."""
