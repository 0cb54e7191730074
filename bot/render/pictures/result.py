"""The picture of a finished game: its final board, and beneath it the chance to win as a curve.

Two sides share one curve: above the middle the first side was ahead, below it the second. More sides have a
line each, with a chance of 1 at the top. A dot is the end of a deal; a band marks the deal of the turning
point. It has no words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from PIL import Image

from bot.model.colours import Colour, Rgb
from bot.render.pictures.board import BoardFacts, draw_board, empty_board, put_position
from bot.render.pictures.brush import Brush, mixed
from bot.render.pictures.canvas import Backdrop, Canvas, extended
from bot.render.pictures.panels import MARGIN, WIDTH, centred
from bot.render.pictures.piecepack import draw_piecepack_board, empty_piecepack_board, put_piecepack_position
from bot.render.pictures.sprites import BRASS, DARK, WHITE, badge, rounded_box
from bot.render.pictures.suits import Point
from bot.render.pictures.wood import CORNER, EDGE, edged, wood

Chances = tuple[float, ...]
"""Chances by side, each 0 to 1 and together 1."""

PLAQUE_HEIGHT: Final = 220
"""Height of the wooden plaque with the curve, in pixels."""
BETWEEN: Final = 8
"""Transparent distance between board and plaque."""

_PAPER: Final[Rgb] = (246, 236, 212)
_SHEET: Final = (WIDTH - 2 * MARGIN, PLAQUE_HEIGHT - 2 * MARGIN)
"""Width and height of the paper on the plaque."""
_REACH: Final = 72
"""Distance from the middle of the paper to a chance of 0 or 1."""
_BY_EDGE: Final = 30
_BY_SHAPES: Final = 84
"""Distance from an edge of the paper to the first or last moment. The shapes of two sides are on the left,
those of more at the right ends of their lines.
"""
_FAINT: Final = mixed(_PAPER, DARK, 0.14)
_CLEAR: Final = mixed(_PAPER, DARK, 0.35)
_BAND: Final = mixed(_PAPER, BRASS, 0.8)
_DOT: Final = 8
_SHAPE: Final = 42
_SMALL_SHAPE: Final = 34
_SAMPLING: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFacts:
    """Everything that the picture of a result shows; equal facts give equal pictures."""

    board: BoardFacts
    is_piecepack: bool
    """True for a game on a piecepack board."""
    chances: tuple[Chances, ...]
    """By moment (before the first deal, after each, at the end) and side; no curve below two moments."""
    turn: int | None = None
    """Deal of the turning point, from 1; None to mark none."""


def draw_result(facts: ResultFacts) -> bytes:
    """The result as a PNG, as wide as the board, transparent around board and plaque.

    Raises `ValueError` for a piecepack board that is not for two sides.
    """
    if len(facts.chances) < 2:
        return draw_piecepack_board(facts.board) if facts.is_piecepack else draw_board(facts.board)
    backdrop = _above_plaque(_still(facts))
    canvas = Canvas(backdrop)
    if facts.is_piecepack:
        put_piecepack_position(canvas, facts.board)
    else:
        put_position(canvas, facts.board)
    top = backdrop.reduced.height - PLAQUE_HEIGHT + MARGIN
    colours = tuple(side.colour for side in facts.board.sides)
    canvas.put(_curve(facts.chances, colours, facts.turn), (MARGIN, top))
    for colour, (x, y) in zip(colours, _shapes(facts.chances), strict=True):
        shape = badge(colour, _SHAPE if len(colours) == 2 else _SMALL_SHAPE)
        canvas.put(shape, centred(shape, (MARGIN + x, top + y)))
    return canvas.png(compression=7)


def point_of(moment: int, chance: float, *, facts: ResultFacts) -> Point:
    """Point in the picture of a side's chance at a moment (from 0); for two sides, the first one's."""
    x, y = _point(moment, chance, facts.chances)
    return (MARGIN + x, _empty(facts).reduced.height + BETWEEN + MARGIN + y)


def _point(moment: int, chance: float, chances: Sequence[Chances]) -> Point:
    """`point_of` relative to the paper."""
    first = _BY_SHAPES if len(chances[0]) == 2 else _BY_EDGE
    room = _SHEET[0] - _BY_SHAPES - _BY_EDGE
    return (first + room * moment / (len(chances) - 1), _SHEET[1] / 2 + _REACH * (1 - 2 * chance))


def _empty(facts: ResultFacts) -> Backdrop:
    return empty_piecepack_board(facts.board) if facts.is_piecepack else empty_board(facts.board)


def _shapes(chances: Sequence[Chances]) -> list[Point]:
    """Position of each side's shape: in its half of the paper for two sides, else at its line's end."""
    last = len(chances) - 1
    if len(chances[0]) == 2:
        return [(_BY_SHAPES / 2, _SHEET[1] / 2 + down) for down in (-_REACH / 2 - 8, _REACH / 2 + 8)]
    # At the bottom, shapes stack in the order of their chances before the end.
    order = sorted(range(len(chances[-1])), key=lambda side: (chances[-1][side], chances[last - 1][side]))
    places: dict[int, Point] = {}
    free = float(_SHEET[1] + _SMALL_SHAPE)
    for side in order:
        x, y = _point(last, chances[-1][side], chances)
        free = min(y, free - _SMALL_SHAPE)
        places[side] = (x + 44, free)
    return [places[side] for side in range(len(order))]


def _curve(chances: Sequence[Chances], colours: Sequence[Colour], turn: int | None) -> Image.Image:
    """The paper with the curve, or with a line for each side."""
    brush = Brush(_SHEET, paper=_PAPER, sampling=_SAMPLING)
    _rule(brush, chances, turn)
    if len(colours) == 2:
        _swing(brush, chances, colours)
    else:
        for side, colour in enumerate(colours):
            points = [_point(moment, each[side], chances) for moment, each in enumerate(chances)]
            _trace(brush, points, line=colour.rgb, dot=colour.rgb)
    return brush.finished().convert("RGBA")


def _rule(brush: Brush, chances: Sequence[Chances], turn: int | None) -> None:
    """The lines behind a curve: one for each moment, and for the chances 0, even and 1."""
    moments = len(chances)
    if turn is not None:
        (left, top), (right, bottom) = _point(turn - 1, 1.0, chances), _point(turn, 0.0, chances)
        brush.box((left, top, right, bottom), _BAND)
    for moment in range(moments):
        across = (_point(moment, 1.0, chances), _point(moment, 0.0, chances))
        brush.line(across, _FAINT, 2)
    for chance in (0.0, 0.5, 1.0):
        along = (_point(0, chance, chances), _point(moments - 1, chance, chances))
        brush.line(along, _FAINT if chance == 0.5 else _CLEAR, 2)


def _swing(brush: Brush, chances: Sequence[Chances], colours: Sequence[Colour]) -> None:
    """The shared curve of two sides, filled from the middle in the leader's colour."""
    points = [_point(moment, each[0], chances) for moment, each in enumerate(chances)]
    middle = _SHEET[1] / 2
    start, end = (points[0][0], middle), (points[-1][0], middle)
    for colour, is_within in ((colours[0], min), (colours[1], max)):
        part = [(x, is_within(y, middle)) for x, y in _with_crossings(points, middle)]
        brush.polygon([start, *part, end], colour.rgb)
    brush.line((start, end), DARK, 2)
    _trace(brush, points, line=DARK, dot=WHITE)


def _with_crossings(points: Sequence[Point], height: float) -> list[Point]:
    """The points, and the crossings of their line with a height."""
    every = [points[0]]
    for (x, y), (next_x, next_y) in pairwise(points):
        if (y - height) * (next_y - height) < 0:
            every.append((x + (next_x - x) * (height - y) / (next_y - y), height))
        every.append((next_x, next_y))
    return every


def _trace(brush: Brush, points: Sequence[Point], *, line: Rgb, dot: Rgb) -> None:
    """A line with a dot at each point, all with a dark edge."""
    brush.line(points, DARK, 6 if line == DARK else 9)
    for point in points:
        brush.disc(point, _DOT, DARK)
    brush.line(points, line, 5)
    for point in points:
        brush.disc(point, _DOT - 2.5, dot)


def _still(facts: ResultFacts) -> ResultFacts:
    """The facts without the parts that change between games, so that many pictures share one backdrop."""
    sides = (replace(each, front=0, back=0, games_won=0, has_crib=False) for each in facts.board.sides)
    board = replace(facts.board, sides=tuple(sides), starter=None)
    return replace(facts, board=board, chances=(), turn=None)


@lru_cache(maxsize=8)  # less than 1 MB each
def _above_plaque(still: ResultFacts) -> Backdrop:
    """The empty board, and beneath it the plaque with its paper."""
    above = _empty(still)
    height = BETWEEN + PLAQUE_HEIGHT
    y, x = np.mgrid[0:height, 0:WIDTH].astype(np.float32) + 0.5
    body = rounded_box(x, y, (0, BETWEEN, WIDTH, height), CORNER)
    planed = wood(x, y, is_fine=len(still.board.sides) == 2) * edged(body)
    picture = Image.fromarray(np.clip(planed, 0, 255).astype(np.uint8), "RGB")
    # The paper lies a little deeper than its frame.
    left, top = MARGIN, BETWEEN + MARGIN
    picture.paste(EDGE, (left - 3, top - 3, left + _SHEET[0] + 3, top + _SHEET[1] + 3))
    picture.paste(_PAPER, (left, top, left + _SHEET[0], top + _SHEET[1]))
    others = (_PAPER, _FAINT, _CLEAR, _BAND)
    return extended(above, picture, others=others, opacity=np.clip(0.5 - body, 0, 1), edge=EDGE)
