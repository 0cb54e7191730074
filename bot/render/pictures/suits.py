"""The four suits as vector shapes: polygons in a unit square, with y downwards.

They can be filled at any size, and are designed for the smallest, nine pixels high: the lobes of a club are
apart, a spade has broad shoulders, and a diamond fills its height.
"""

from __future__ import annotations

from functools import cache
from math import cos, sin, tau
from typing import TypeAlias, assert_never

from engine import Suit

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]

_STEPS = 24
"""Number of points of a curve; at the sizes drawn, its corners are too flat to see."""


@cache
def outline(suit: Suit) -> tuple[Polygon, ...]:
    """The polygons that together fill a pip of `suit`; they may overlap."""
    match suit:
        case Suit.HEARTS:
            return (_heart(),)
        case Suit.DIAMONDS:
            return (_diamond(),)
        case Suit.SPADES:
            return (_spade(), _stem())
        case Suit.CLUBS:
            return (*_club(), _stem())
        case _:
            assert_never(suit)


def _heart() -> Polygon:
    return _mirrored(
        _curve((0.5, 0.20), (0.55, 0.07), (0.64, 0.02), (0.75, 0.02))
        + _curve((0.75, 0.02), (0.90, 0.02), (1.0, 0.13), (1.0, 0.30))
        + _curve((1.0, 0.30), (1.0, 0.60), (0.66, 0.72), (0.5, 1.0))
    )


def _diamond() -> Polygon:
    return _mirrored(
        _curve((0.5, 0.0), (0.62, 0.18), (0.78, 0.37), (0.97, 0.5))
        + _curve((0.97, 0.5), (0.78, 0.63), (0.62, 0.82), (0.5, 1.0))
    )


def _spade() -> Polygon:
    return _mirrored(
        _curve((0.5, 0.0), (0.60, 0.22), (1.0, 0.40), (1.0, 0.64))
        + _curve((1.0, 0.64), (1.0, 0.78), (0.91, 0.85), (0.80, 0.85))
        + _curve((0.80, 0.85), (0.68, 0.85), (0.58, 0.78), (0.54, 0.68))
    )


def _club() -> tuple[Polygon, ...]:
    # The three lobes do not touch, so the middle of the leaf is filled separately.
    leaf = _mirrored(((0.5, 0.2), (0.56, 0.2), (0.59, 0.47), (0.72, 0.55), (0.72, 0.66), (0.5, 0.66)))
    return (_circle((0.5, 0.235)), _circle((0.235, 0.62)), _circle((0.765, 0.62)), leaf)


def _stem() -> Polygon:
    return _mirrored(
        _curve((0.5, 0.5), (0.53, 0.5), (0.53, 0.5), (0.54, 0.62))
        + _curve((0.54, 0.62), (0.55, 0.84), (0.60, 0.93), (0.74, 1.0))
    )


def _circle(centre: Point) -> Polygon:
    radius = 0.235
    angles = (step * tau / (3 * _STEPS) for step in range(3 * _STEPS))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def _curve(start: Point, leaving: Point, arriving: Point, end: Point) -> Polygon:
    """A cubic Bézier curve from `start` to `end`."""

    def along(part: float, axis: int) -> float:
        rest = 1 - part
        return (
            rest**3 * start[axis]
            + 3 * rest**2 * part * leaving[axis]
            + 3 * rest * part**2 * arriving[axis]
            + part**3 * end[axis]
        )

    parts = [step / _STEPS for step in range(_STEPS + 1)]
    return tuple((along(part, 0), along(part, 1)) for part in parts)


def _mirrored(right: Polygon) -> Polygon:
    """The closed shape whose right half runs from the top to the bottom of the middle line."""
    return right + tuple((1 - x, y) for x, y in reversed(right))
