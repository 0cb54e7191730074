"""The shapes of the sides as polygons in a unit square, with y downwards.

They can be filled at any size, and are designed for the smallest, nine pixels: each fills its square without
details that would be lost there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, pi, sin, tau
from typing import assert_never

from bot.model.colours import Shape
from bot.render.pictures.suits import Polygon, outline
from engine import Suit

_STEPS = 120


@cache
def shape_outline(shape: Shape) -> Polygon:
    """The polygon of `shape`."""
    match shape:
        case Shape.CIRCLE:
            return _radial(lambda _: 0.5)
        case Shape.DIAMOND:
            return ((0.5, 0.0), (0.97, 0.5), (0.5, 1.0), (0.03, 0.5))
        case Shape.SQUARE:
            return ((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92))
        case Shape.STAR:
            return tuple(
                (0.5 + reach * sin(step * pi / 5), 0.53 - reach * cos(step * pi / 5))
                for step in range(10)
                for reach in [0.27 if step % 2 else 0.53]
            )
        case Shape.HEART:
            (heart,) = outline(Suit.HEARTS)
            return heart
        case Shape.FLOWER:
            return _radial(lambda angle: 0.31 + 0.19 * abs(cos(2.5 * angle)) ** 0.6)
        case _:
            assert_never(shape)


def _radial(reach: Callable[[float], float]) -> Polygon:
    """The curve at the distance `reach` from the centre in each direction, clockwise from the top."""
    angles = [step * tau / _STEPS for step in range(_STEPS)]
    return tuple((0.5 + reach(each) * sin(each), 0.5 - reach(each) * cos(each)) for each in angles)
