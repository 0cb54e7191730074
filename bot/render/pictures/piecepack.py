"""The picture of a cribbage board made of a piecepack, for tables with that preset (document 001).

A player's twelve tiles, six of each of two suits, lie in six groups of two. A point of a tile is a hole, so a
group has five along each side; pawns go up one side and back down the other, 60 holes a circuit, and the pawn
that goes off the end of the last circuit has won. The coins on the middle of the tiles are a reminder only.
Here the board is turned on its side: both players go from left to right along their upper row and back along
their lower one. From the second circuit on a pawn wears a crown. The brass die beside a score counts the
circuits that its front pawn has made, the other one the games won.

It has no words: the players' names are in the text beside the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from math import atan2, cos, hypot, pi, radians, sin, tau
from typing import Final, assert_never

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from bot.model.colours import Colour, Rgb
from bot.render.pictures.board import BoardFacts, SideOnBoard
from bot.render.pictures.brush import Brush, mixed
from bot.render.pictures.canvas import Backdrop, Canvas, backdrop
from bot.render.pictures.panels import (
    PANEL_HEIGHT,
    PANEL_TOP,
    WIDTH,
    Panel,
    Span,
    centred,
    panel_boxes,
    panel_colours,
    put_panel,
    put_plate,
    put_starter,
)
from bot.render.pictures.sprites import BRASS, DARK, WHITE, digits, ink_on, rounded_box
from bot.render.pictures.suits import Point, Polygon
from bot.render.pictures.wood import CORNER, EDGE, disc, edged, hole, wood

HOLES: Final = 60
"""Holes of one circuit."""

HEIGHT: Final = 412
"""Height of the picture, in pixels."""

FOOT: Final = 28
"""Width of a pawn's foot in pixels; more than 9 when the picture is shown 340 wide."""

_CELL: Final = 29
"""Distance between two holes of a group; half a tile's width."""
_GAP: Final = 31
"""Distance between the last hole of a group and the first of the next."""
_FIRST: Final = 104
"""Horizontal position of the first hole."""
_OUTSIDE: Final = 58
"""Horizontal position of pawns beside the tiles."""
_ROWS: Final = ((196, 254), (314, 372))
"""Vertical positions of each side's rows: the one to the right, and the one back."""
_IN_ROW: Final = HOLES // 2
_IN_GROUP: Final = 5
_GROUPS: Final = _IN_ROW // _IN_GROUP
_AROUND: Final = 40
"""Margin above and below a player's tiles for their shadows."""
_DIE: Final = 52
_BY_DIE: Final = 8
"""Margin beside and below a die."""
_IVORY: Final[Rgb] = (250, 238, 212)
_CROWN: Final[Rgb] = (255, 236, 168)


class PiecepackSuit(Enum):
    """A suit of a piecepack."""

    SUNS = "suns"
    CROWNS = "crowns"
    ARMS = "arms"
    MOONS = "moons"


_SUITS: Final = (
    (PiecepackSuit.SUNS, PiecepackSuit.CROWNS),
    (PiecepackSuit.ARMS, PiecepackSuit.MOONS),
)
"""Suits of each side's tiles and coins, in the colour that the side chose."""


@dataclass(frozen=True, slots=True)
class Place:
    """Position of a pawn: the middle of its foot, in pixels, and its circuit, from 0."""

    x: int
    y: int
    circuit: int


def place_of(score: int, *, target: int, side: int) -> Place:
    """Place of `score` for the upper side, 0, or the lower one, 1, in a game to `target`.

    Before the first point pawns are to the left of the board. The winning hole is off the end of the last
    circuit if the target allows, as it does at 61 and 121; scores beyond it count as the target.
    """
    out, back = _ROWS[side]
    if score <= 0:
        return Place(_OUTSIDE, out, 0)
    circuit, number = divmod(min(score, target) - 1, HOLES)
    if score >= target and number == 0:
        return Place(_OUTSIDE, back, circuit - 1)
    if number < _IN_ROW:
        return Place(_along(number), out, circuit)
    return Place(_along(HOLES - 1 - number), back, circuit)


def circuits_made(score: int, *, target: int) -> int:
    """Number of circuits that a pawn on `score` has completed: one from 61, two at 121."""
    return max(min(score, target) - 1, 0) // HOLES


def _along(number: int) -> int:
    """Horizontal position of a row's hole with this number, from 0."""
    return _FIRST + number * _CELL + number // _IN_GROUP * (_GAP - _CELL)


def draw_piecepack_board(facts: BoardFacts) -> bytes:
    """The board as a PNG, 1,100 pixels wide, with transparent corners.

    Raises `ValueError` unless there are two sides.
    """
    canvas = Canvas(empty_piecepack_board(facts))
    put_piecepack_position(canvas, facts)
    return canvas.png(compression=5)


def empty_piecepack_board(facts: BoardFacts) -> Backdrop:
    """The board of `facts` without the moving parts. Raises `ValueError` unless there are two sides."""
    if len(facts.sides) != len(_ROWS):
        raise ValueError(f"a piecepack board is for two sides, not {len(facts.sides)}")
    return _empty(tuple(side.colour for side in facts.sides), facts.target)


def put_piecepack_position(canvas: Canvas, facts: BoardFacts) -> None:
    """Put pawns, scores, dice and starter onto a canvas that begins with the empty board."""
    for number, (side, box) in enumerate(zip(facts.sides, panel_boxes(len(facts.sides)), strict=True)):
        _put_score(canvas, side, box, facts.target)
        _put_pawns(canvas, number, side, facts.target)
    put_starter(canvas, facts.starter)


def _put_score(canvas: Canvas, side: SideOnBoard, box: Span, target: int) -> None:
    """Put the panel, and to its right the dice: circuits above, games won below."""
    panel = Panel(colour=side.colour, score=side.front, games_won=0, has_crib=side.has_crib)
    put_panel(canvas, panel, _plate_box(box))
    dice = [_die(side.games_won, side.colour.rgb, ink_on(side.colour))]
    if target > HOLES + 1:
        dice.insert(0, _die(circuits_made(side.front, target=target), BRASS, DARK))
    top = PANEL_TOP + (PANEL_HEIGHT - len(dice) * (_DIE + _BY_DIE) + _BY_DIE) // 2
    for number, die in enumerate(dice):
        canvas.put(die, (box[1] - _DIE, top + number * (_DIE + _BY_DIE)))


def _put_pawns(canvas: Canvas, number: int, side: SideOnBoard, target: int) -> None:
    front, back = (place_of(score, target=target, side=number) for score in (side.front, side.back))
    if side.front <= 0:
        # At the start of a game one pawn is behind the other.
        back = Place(_OUTSIDE - _GAP, back.y, 0)
    # A pawn hides a part of the one behind it, so the nearer one comes last.
    for place in sorted((back, front), key=lambda each: each.y):
        pawn = _pawn(side.colour, has_crown=place.circuit > 0)
        canvas.put(pawn, (place.x - pawn.width // 2, place.y - _PAWN_FOOT))


@lru_cache(maxsize=16)  # less than 0.5 MB each
def _empty(colours: tuple[Colour, ...], target: int) -> Backdrop:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32) + 0.5
    body = rounded_box(x, y, (0, 0, WIDTH, HEIGHT), CORNER)
    planed = np.clip(wood(x, y) * edged(body), 0, 255)
    picture = Image.fromarray(planed.astype(np.uint8), "RGB")
    for number, colour in enumerate(colours):
        _lay_tiles(picture, number, colour)
        _bore_holes(picture, number, target)
    others = (*panel_colours(colours), _IVORY, _CROWN)
    opacity = np.clip(0.5 - body, 0, 1)
    canvas = Canvas(backdrop(picture, own=80, others=others, opacity=opacity, edge=EDGE))
    for colour, box in zip(colours, panel_boxes(len(colours)), strict=True):
        put_plate(canvas, colour, _plate_box(box))
    return canvas.as_backdrop()


def _plate_box(box: Span) -> Span:
    """Space of the plate in a side's room, beside its dice."""
    return (box[0], box[1] - _DIE - _BY_DIE)


def _lay_tiles(picture: Image.Image, number: int, colour: Colour) -> None:
    out, back = _ROWS[number]
    size = (WIDTH, back - out + 2 * _AROUND)
    groove = _groove(size)
    picture.paste(groove, (0, out - _AROUND), groove)

    shadow = Image.new("L", size)
    for group in range(_GROUPS):
        left = _along(group * _IN_GROUP)
        edges = (left + 1, _AROUND + 4, left + 4 * _CELL + 5, _AROUND + 2 * _CELL + 6)
        ImageDraw.Draw(shadow).rectangle(edges, fill=150)
    picture.paste(DARK, (0, out - _AROUND), shadow.filter(ImageFilter.GaussianBlur(2.5)))

    for group in range(_GROUPS):
        is_second = group >= _GROUPS // 2
        tile = _tile(_SUITS[number][is_second], colour, is_darker=is_second)
        for half in (0, 1):
            picture.paste(tile, (_along(group * _IN_GROUP) + half * 2 * _CELL, out), tile)


def _groove(size: tuple[int, int]) -> Image.Image:
    """The pawns' track, visible between the tiles and at its turn."""
    end, middle = _along(_IN_ROW - 1), _AROUND + _CELL
    angles = (step * pi / 24 for step in range(25))
    turn = [(end + _CELL * sin(angle), middle - _CELL * cos(angle)) for angle in angles]
    brush = Brush(size)
    brush.line([(_OUTSIDE, _AROUND), *turn, (_OUTSIDE, _AROUND + 2 * _CELL)], (*DARK, 90), 7)
    return brush.finished()


def _tile(suit: PiecepackSuit, colour: Colour, *, is_darker: bool) -> Image.Image:
    """A tile of four cells, with its suit faint in each, and a coin of that suit on its middle."""
    size, rgb, outline = 2 * _CELL, colour.rgb, suit_outline(suit)
    face, rim = mixed(_IVORY, rgb, 0.26 if is_darker else 0.07), mixed(rgb, DARK, 0.45)
    brush = Brush((size, size))
    brush.box((0, 0, size, size), rim, radius=6)
    brush.box((1.5, 1.5, size - 1.5, size - 1.5), mixed(face, DARK, 0.22), radius=5)
    brush.box((1.5, 1.5, size - 3, size - 3), mixed(face, WHITE, 0.75), radius=5)
    brush.box((3, 3, size - 3, size - 3), face, radius=4)
    for x in (_CELL / 2, _CELL * 3 / 2):
        for y in (_CELL / 2, _CELL * 3 / 2):
            brush.mark(outline, (x, y), 15, mixed(face, rgb, 0.3))
    for line in (((3, _CELL), (size - 3, _CELL)), ((_CELL, 3), (_CELL, size - 3))):
        brush.line(line, mixed(face, rim, 0.4), 1.3)
    brush.disc((_CELL + 1.5, _CELL + 3), 17, mixed(face, DARK, 0.38))
    # A coin is pale, so that only pawns are large spots of their side's colour.
    brush.disc((_CELL, _CELL), 17, rim)
    brush.disc((_CELL, _CELL), 15.5, rgb)
    brush.disc((_CELL, _CELL), 13, _IVORY)
    brush.mark(outline, (_CELL, _CELL), 19, mixed(rgb, DARK, 0.35))
    return brush.finished()


def _bore_holes(picture: Image.Image, number: int, target: int) -> None:
    out, back = _ROWS[number]
    small = hole(4.5)
    holes = [(small, _along(each), row) for each in range(_IN_ROW) for row in (out, back)]
    holes += [(small, _OUTSIDE, out), (small, _OUTSIDE - _GAP, out)]
    goal = place_of(target, target=target, side=number)
    holes += [(disc(14, BRASS), goal.x, goal.y), (hole(8), goal.x, goal.y)]
    for sprite, x, y in holes:
        picture.paste(sprite, centred(sprite, (x, y)), sprite)


_PAWN: Final = (46, 74)
"""Width and height of a pawn's sprite."""
_PAWN_FOOT: Final = 60
"""Distance from the top of the sprite to the middle of the pawn's foot."""
_HEAD: Final = 26
"""Distance from the foot up to the middle of the head."""
_HEAD_RADIUS: Final = 10.5


@cache
def _pawn(colour: Colour, *, has_crown: bool) -> Image.Image:
    """An upright pawn, with its shadow."""
    outer, inner = (np.asarray(_silhouette(wider), np.float32) / 255 for wider in (3.4, 0.0))
    shadow = Brush(_PAWN)
    shadow.disc((_PAWN[0] / 2 + 4, _PAWN_FOOT + 3), 16, DARK, height=8)
    blurred = shadow.finished().getchannel("A").filter(ImageFilter.GaussianBlur(1.8))
    fallen = np.asarray(blurred, np.float32) / 255 * 0.55

    y, x = np.mgrid[0 : _PAWN[1], 0 : _PAWN[0]].astype(np.float32) + 0.5
    x, y = x - _PAWN[0] / 2, y - _PAWN_FOOT
    half = np.where(y < -16, _HEAD_RADIUS, np.clip(14 + y / 2, 5, FOOT / 2))
    lit = np.clip(0.97 - 0.42 * x / half - (y + _HEAD) / 200, 0.5, 1.5)
    lit *= 1 - 0.45 * np.exp(-(((y + 17 - x * x / 50) / 1.4) ** 2))
    lit *= 1 - 0.35 * np.exp(-(((y + 4 + x * x / 80) / 1.5) ** 2))
    base = np.array(colour.rgb, np.float32)
    light = lit[..., None]
    face = np.where(light > 1, base + (255 - base) * (light - 1) * 0.9, base * light)
    shine = np.exp(-(((x + 3.5) / 3.2) ** 2 + ((y + 30) / 2.6) ** 2))[..., None] * 0.9
    face = face * (1 - shine) + 255 * shine

    inside = inner[..., None]
    opacity = outer + fallen * (1 - outer)
    colours = (face * inside + base * 0.15 * (1 - inside)) * (outer / np.maximum(opacity, 1e-6))[..., None]
    parts = np.dstack([np.clip(colours, 0, 255), opacity * 255])
    pawn = Image.fromarray(parts.astype(np.uint8), "RGBA")
    if has_crown:
        pawn.alpha_composite(_crown())
    return pawn


def _silhouette(wider: float) -> Image.Image:
    """Mask of a pawn, `wider` by that many pixels on all sides."""
    brush = Brush(_PAWN)
    x, y = _PAWN[0] / 2, _PAWN_FOOT
    brush.disc((x, y), FOOT / 2 + wider, WHITE, height=7.5 + wider)
    body = ((4, -20), (5.5, -13), (8.5, -7), (14, -1))
    right = [(x + across + wider, y + down) for across, down in body]
    brush.polygon([*right, *((2 * x - across, down) for across, down in reversed(right))], WHITE)
    brush.disc((x, y - _HEAD), _HEAD_RADIUS + wider, WHITE)
    return brush.finished().getchannel("A")


def _crown() -> Image.Image:
    brush = Brush(_PAWN)
    outline, x, y = suit_outline(PiecepackSuit.CROWNS), _PAWN[0] / 2, _PAWN_FOOT - _HEAD - 16
    brush.mark(outline, (x, y), 29, DARK)
    brush.mark(outline, (x, y + 1), 22, _CROWN)
    return brush.finished()


_PIPS: Final[tuple[tuple[Point, ...], ...]] = (
    (),
    ((0, 0),),
    ((-1, 1), (1, -1)),
    ((-1, 1), (0, 0), (1, -1)),
    ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)
"""Pips of a die by number, relative to its middle."""


@lru_cache(maxsize=128)
def _die(number: int, rgb: Rgb, ink: Rgb) -> Image.Image:
    """A die, with its number in digits if it has too few pips."""
    brush = Brush((_DIE + 4, _DIE + 4))
    brush.box((3, 4, _DIE + 3, _DIE + 4), (*DARK, 120), radius=12)
    brush.box((0, 0, _DIE, _DIE), mixed(rgb, DARK, 0.6), radius=12)
    brush.box((2, 2, _DIE - 2, _DIE - 2), mixed(rgb, DARK, 0.18), radius=10)
    brush.box((2, 2, _DIE - 4, _DIE - 4), mixed(rgb, WHITE, 0.45), radius=10)
    brush.box((4, 4, _DIE - 4, _DIE - 4), rgb, radius=9)
    for x, y in _PIPS[number] if number < len(_PIPS) else ():
        brush.disc((_DIE / 2 + 13 * x, _DIE / 2 + 13 * y), 5.5, ink)
    die = brush.finished()
    if number >= len(_PIPS):
        figure = digits(str(number), height=28, ink=ink)
        figure.thumbnail((_DIE - 12, 28))
        die.alpha_composite(figure, ((_DIE - figure.width) // 2, (_DIE - figure.height) // 2))
    return die


@cache
def suit_outline(suit: PiecepackSuit) -> Polygon:
    """The polygon of `suit` in a unit square, with y downwards."""
    match suit:
        case PiecepackSuit.SUNS:
            return tuple(
                (0.5 + reach * sin(step * pi / 8), 0.5 - reach * cos(step * pi / 8))
                for step in range(16)
                for reach in [0.32 if step % 2 else 0.5]
            )
        case PiecepackSuit.CROWNS:
            return ((0.08, 0.9), (0.0, 0.22), (0.27, 0.5), (0.5, 0.08), (0.73, 0.5), (1.0, 0.22), (0.92, 0.9))
        case PiecepackSuit.ARMS:
            angles = (step * pi / 24 for step in range(13))
            right = [(0.5, 0.02), (0.7, 0.1), (0.93, 0.1)]
            right += [(0.5 + 0.43 * cos(angle), 0.44 + 0.56 * sin(angle)) for angle in angles]
            return (*right, *((1 - x, y) for x, y in reversed(right)))
        case PiecepackSuit.MOONS:
            return _crescent()
        case _:
            assert_never(suit)


def _crescent() -> Polygon:
    """A disc minus another one on its right."""
    opening, middle, steps = radians(52), 0.3, 40
    tip = (0.5 * cos(opening), 0.5 * sin(opening))
    reach, start = hypot(tip[0] - middle, tip[1]), atan2(tip[1], tip[0] - middle)
    outer = [opening + step * (tau - 2 * opening) / steps for step in range(steps + 1)]
    inner = [tau - start - step * (tau - 2 * start) / steps for step in range(steps + 1)]
    return (
        *((0.58 + 0.5 * cos(angle), 0.5 + 0.5 * sin(angle)) for angle in outer),
        *((0.58 + middle + reach * cos(angle), 0.5 + reach * sin(angle)) for angle in inner),
    )
