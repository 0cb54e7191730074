"""The picture of a cribbage board: wood, one track that turns at the ends of its streets, pegs and scores.

A street is thirty holes, as cribbage players count: five groups of five along a straight, and five around the
bend. The last street is straight and runs into the finish. It has no words: the players' names are in the
text beside the picture.

The empty board is cached by target, number of sides, colours and skunk lines; a position adds pegs, scores
and starter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, hypot, pi, sin
from typing import Final, TypeAlias

import numpy as np
from PIL import Image, ImageDraw

from bot.model.colours import Colour, Rgb
from bot.render.pictures.canvas import Backdrop, Canvas, Field, backdrop, lay
from bot.render.pictures.lettering import SAMPLING
from bot.render.pictures.panels import (
    MARGIN,
    PANEL_HEIGHT,
    PANEL_TOP,
    WIDTH,
    Panel,
    centred,
    panel_boxes,
    panel_colours,
    put_panel,
    put_plate,
    put_starter,
)
from bot.render.pictures.sprites import BRASS, DARK, ink_on, peg, rounded_box, slope
from bot.render.pictures.wood import CORNER, EDGE, disc, edged, hole, wood
from engine import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOnBoard:
    """One side's track and score."""

    colour: Colour
    front: int
    """Score, and hole of the front peg, from 0; beyond the target the peg is in the finish."""
    back: int
    """Score before the last points, and hole of the back peg."""
    games_won: int
    """Games won in this match, from 0."""
    has_crib: bool
    """True if the crib of this deal is this side's."""
    ahead: int = 0
    """Holes of the track that it need not go, as a captain's side: its pegs begin there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """Everything that the picture of a board shows; equal facts give equal pictures."""

    target: int
    """Score that wins, 31 or more; also the number of holes of each track, finish included."""
    sides: tuple[SideOnBoard, ...]
    """Two to five sides, in the order of their tracks, from the top of the first street."""
    starter: Card | None
    """The starter; None until it is cut."""
    skunk_lines: tuple[int, ...]
    """Scores below which a loser is skunked: 91 and 61 for 121."""


_BELOW_PANELS: Final = 18
"""Distance between the panels and the track."""
_SPACING: Final = {2: 32, 3: 30, 4: 29, 5: 28}
"""Distance between neighbouring tracks, by the number of sides; wider than a peg."""
_RIM: Final = 8
"""Distance between the outermost holes' lane and the edge of the track."""
_BETWEEN_STREETS: Final = 16

_BY_BEND: Final = 5
"""Holes around a bend."""
_STREET: Final = 30
_MOST_STREETS: Final = 6
_AFTER_FINISH: Final = 40
"""Distance between the finish and the end of the track."""

_Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """Geometry of a game's board, in pixels of the picture."""

    target: int
    sides: int

    @property
    def height(self) -> int:
        """Height of the picture."""
        return self.top + (self.streets - 1) * self.pitch + self.breadth + MARGIN

    @property
    def top(self) -> int:
        """Upper edge of the first street."""
        return PANEL_TOP + PANEL_HEIGHT + _BELOW_PANELS

    @property
    def streets(self) -> int:
        """Number of streets."""
        return min(ceil((self.target - 1) / _STREET), _MOST_STREETS)

    @property
    def by_street(self) -> int:
        """Holes on each street but the last."""
        return max(_STREET, 5 * ceil((self.target - 1) / (5 * _MOST_STREETS)))

    @property
    def spacing(self) -> int:
        """Distance between two tracks."""
        return _SPACING[self.sides]

    @property
    def breadth(self) -> int:
        """Width of all tracks together."""
        return self.sides * self.spacing + 2 * _RIM

    @property
    def pitch(self) -> int:
        """Distance between the middles of two streets, twice the radius of a bend."""
        return self.breadth + _BETWEEN_STREETS

    @property
    def left(self) -> float:
        """Horizontal position of the left bends' beginning."""
        return MARGIN + self.pitch / 2 + self.breadth / 2

    @property
    def right(self) -> float:
        """Horizontal position of the right bends' beginning."""
        return WIDTH - self.left

    @property
    def step(self) -> int:
        """Distance between two holes of a group on a straight; whole pixels, which compress well."""
        return int((self.right - self.left) / (_reach(self._on_straight - 1, 2) / 2 + 1.3))

    @property
    def last_step(self) -> int:
        """`step` on the last street, which has more holes and the finish on one straight."""
        longest = self.right - self.lead - MARGIN - _AFTER_FINISH
        return min(self.step, int(longest / (_reach(self._on_last - 1, 2) / 2 + 1.9)))

    @property
    def lead(self) -> int:
        """Distance between the end of a bend and the first hole of a street."""
        return int((self.right - self.left - _reach(self._on_straight - 1, self.step)) / 2)

    @property
    def _on_last(self) -> int:
        return self.target - 1 - (self.streets - 1) * self.by_street

    def middle(self, street: int) -> float:
        """Height of a street's middle line."""
        return self.top + self.breadth / 2 + street * self.pitch

    def at(self, side: int, place: int) -> _Point:
        """Centre of a hole of a side's track: 1 is the first, the target is the finish.

        0 and -1 are the holes before the start, where the two pegs begin.
        """
        if place >= self.target:
            return self.along(self.streets - 1, self._reach_of_finish, 0)
        offset = (side - (self.sides - 1) / 2) * self.spacing
        if place < 1:
            return self.along(0, (place - 1.3) * self.step, offset)
        street, number = self._on_street(place)
        step = self.last_step if street == self.streets - 1 else self.step
        if not self._is_on_bend(street, number):
            return self.along(street, _reach(number, step), offset)
        return self._around(street, (number - self._on_straight + 0.5) / _BY_BEND, offset)

    def before(self, place: int) -> tuple[_Point, _Point]:
        """Both ends of a line across the track just before a hole."""
        street, number = self._on_street(place)
        step = self.last_step if street == self.streets - 1 else self.step
        ends = (-self.breadth / 2, self.breadth / 2)
        if self._is_on_bend(street, number):
            share = (number - self._on_straight) / _BY_BEND
            start, end = (self._around(street, share, offset) for offset in ends)
        else:
            far = (_reach(number, step) + _reach(number - 1, step)) / 2 if number else -0.55 * self.lead
            start, end = (self.along(street, far, offset) for offset in ends)
        return (start, end)

    def along(self, street: int, far: float, offset: float) -> _Point:
        """The point at the distance `far` from a street's first hole, `offset` from the middle line."""
        if street % 2 == 0:
            return (self.left + self.lead + far, self.middle(street) + offset)
        return (self.right - self.lead - far, self.middle(street) - offset)

    def _around(self, street: int, share: float, offset: float) -> _Point:
        """The point at a share of the bend after a street, `offset` from the middle line."""
        sign, centre = (1, self.right) if street % 2 == 0 else (-1, self.left)
        radius = self.pitch / 2 - sign * offset
        below = self.pitch / 2 - radius * cos(share * pi)
        return (centre + sign * radius * sin(share * pi), self.middle(street) + below)

    def _on_street(self, place: int) -> tuple[int, int]:
        street = min((place - 1) // self.by_street, self.streets - 1)
        return (street, place - 1 - street * self.by_street)

    def _is_on_bend(self, street: int, number: int) -> bool:
        return number >= self._on_straight and street < self.streets - 1

    @property
    def _on_straight(self) -> int:
        return self.by_street - _BY_BEND

    @property
    def _reach_of_finish(self) -> float:
        return _reach(self._on_last - 1, self.last_step) + 1.9 * self.last_step


def _reach(number: int, step: int) -> int:
    """Distance of the hole with this number (from 0) from the first."""
    return number * step + number // 5 * (step // 2)


def draw_board(facts: BoardFacts) -> bytes:
    """The board as a PNG, 1,000 pixels wide, with transparent corners."""
    canvas = Canvas(empty_board(facts))
    put_position(canvas, facts)
    return canvas.png(compression={2: 4, 3: 5}.get(len(facts.sides), 6))


def empty_board(facts: BoardFacts) -> Backdrop:
    """The board of `facts` without the parts that move in a game."""
    board = Board(facts.target, len(facts.sides))
    return wooden_board(board, facts.skunk_lines, tuple(side.colour for side in facts.sides))


def put_position(canvas: Canvas, facts: BoardFacts) -> None:
    """Put pegs, scores and starter onto a canvas that begins with the empty board."""
    board = Board(facts.target, len(facts.sides))
    for number, (side, box) in enumerate(zip(facts.sides, panel_boxes(len(facts.sides)), strict=True)):
        _put_pegs(canvas, board, number, side)
        panel = Panel(colour=side.colour, score=side.front, games_won=side.games_won, has_crib=side.has_crib)
        put_panel(canvas, panel, box, is_narrow=len(facts.sides) > 2)
    put_starter(canvas, facts.starter)


def _put_pegs(canvas: Canvas, board: Board, number: int, side: SideOnBoard) -> None:
    # At the start of a game both pegs are in one place, mostly before the first hole, one behind the other.
    front, back = (min(each + side.ahead, board.target) for each in (side.front, side.back))
    back = back - 1 if back == front else back
    head = peg(side.colour)
    for place in (back or -1, front):
        canvas.put(head, centred(head, board.at(number, place)))


_TRACK: Final = (201, 152, 98)


@lru_cache(maxsize=32)  # 0.75 MB each
def wooden_board(board: Board, skunk_lines: tuple[int, ...], colours: tuple[Colour, ...]) -> Backdrop:
    """The empty board of these colours, which all its positions share."""
    size = (WIDTH, board.height)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32) + 0.5
    body = rounded_box(x, y, (0, 0, WIDTH, board.height), CORNER)
    track, across = _track(board, x, y)

    # More tracks have more edges, which leaves less of the file's size for the rest.
    fine, coarse = board.sides == 2, board.sides == 4
    picture = wood(x, y, is_fine=fine)
    lane = np.array(_TRACK, np.float32) * (1 + 0.05 * _strips(across) * fine)[..., None]
    _stain(board, lane, across, colours)
    covered = np.clip(0.5 - track, 0, 1)[..., None]
    lay(lane, picture, covered)

    picture *= edged(body)
    picture *= 1 - 0.55 * slope(track, 3 if coarse else 5)
    if not coarse:
        picture *= (1 + 0.30 * _outer(track))[..., None]

    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8), "RGB")
    _lines(image, board, skunk_lines)
    _holes(image, board)
    bare = backdrop(
        image,
        own=48 if fine else 26 if coarse else 40,
        others=panel_colours(colours),
        opacity=np.clip(0.5 - body, 0, 1),
        edge=EDGE,
    )
    canvas = Canvas(bare)
    for colour, box in zip(colours, panel_boxes(board.sides), strict=True):
        put_plate(canvas, colour, box, is_narrow=board.sides > 2)
    return canvas.as_backdrop()


def _strips(across: Field) -> Field:
    """The grain of the track, which runs along it."""
    tone = np.sin(across / 2.9 + 2 * np.sin(across / 13)) + 0.6 * np.sin(across / 1.7)
    steps: Field = np.round(tone * 1.5) / 1.5
    return steps


def _track(board: Board, x: Field, y: Field) -> tuple[Field, Field]:
    """Distance from the edge of the track (negative inside), and offset from its middle line."""
    distance: Field = np.full_like(x, 1e3)
    offset: Field = np.zeros_like(x)
    half = board.breadth / 2
    last = board.streets - 1
    for street in range(board.streets):
        middle = board.middle(street)
        sign = 1 if street % 2 == 0 else -1
        begin, end = (board.left, board.right)[::sign]
        seam = end
        if street == 0:
            begin = board.along(0, -3.1 * board.step, 0)[0]
        if street == last:
            end = board.at(0, board.target)[0] + sign * _AFTER_FINISH
        near, far = sorted((begin, end))
        # Before a bend, the straight extends under it, so that the seam has no edge.
        over = [200 * (street > 0), 200 * (street < last)][::sign]
        own = rounded_box(x, y, (near - over[0], middle - half, far + over[1], middle + half), 26)
        here = ((x >= near) | (not over[0])) & ((x <= far) | (not over[1])) & (own < distance)
        distance[here] = own[here]
        offset[here] = sign * (y - middle)[here]
        if street < last:
            radius = np.hypot(x - seam, y - middle - board.pitch / 2)
            own = np.abs(radius - board.pitch / 2) - half
            here = ((x - seam) * sign > 0) & (own < distance)
            distance[here] = own[here]
            offset[here] = sign * (board.pitch / 2 - radius)[here]
    return distance, offset


def _stain(board: Board, lane: Field, across: Field, colours: tuple[Colour, ...]) -> None:
    """Stain the wood of the track in the colour of each side, with a dark line between two."""
    number = across / board.spacing + board.sides / 2
    for side, colour in enumerate(colours):
        here = (number >= side) & (number < side + 1)
        lane[here] = lane[here] * 0.8 + np.array(_stain_of(colour), np.float32) * 0.2
    from_line = np.abs(number - np.round(number)) * board.spacing
    # Three tracks have so many edges that smooth ones exceed the file's size.
    drawn = from_line < 0.9 if board.sides > 2 else np.clip(1.6 - from_line, 0, 1)
    dark = drawn * ((number > -0.5) & (number < board.sides + 0.5))
    lane *= (1 - 0.4 * dark)[..., None]


def _stain_of(colour: Colour) -> Rgb:
    """The colour's stain; a light colour's is darker, so that its pegs contrast with the light wood."""
    red, green, blue = colour.rgb
    return (red // 2, green // 2, blue // 2) if ink_on(colour) == DARK else colour.rgb


def _outer(distance: Field) -> Field:
    """Light on the wood's own edge around the track, at the right and below."""
    down, across = np.gradient(distance)
    light: Field = (0.6 * across + 0.8 * down) * np.clip(1 - np.abs(distance - 1.5) / 2, 0, 1)
    return light


def _holes(image: Image.Image, board: Board) -> None:
    radius = min(6.6, board.step * 0.3)
    small = hole(radius)
    for side in range(board.sides):
        for place in range(-1, board.target):
            x, y = board.at(side, place)
            image.paste(small, centred(small, (x, y)), small)
    finish = board.at(0, board.target)
    for sprite in (disc(19, BRASS), hole(10)):
        image.paste(sprite, centred(sprite, finish), sprite)


def _lines(image: Image.Image, board: Board, skunk_lines: tuple[int, ...]) -> None:
    """Brass bars across the track: one below the highest skunk line, two below the next."""
    for bars, line in enumerate(sorted(skunk_lines, reverse=True), start=1):
        start, end = board.before(line)
        long = hypot(end[0] - start[0], end[1] - start[1])
        beside = ((end[1] - start[1]) / long, (start[0] - end[0]) / long)
        for bar in range(bars):
            shift = (bar - (bars - 1) / 2) * 8
            here = [(x + beside[0] * shift, y + beside[1] * shift) for x, y in (start, end)]
            _bar(image, here[0], here[1])


def _bar(image: Image.Image, start: _Point, end: _Point) -> None:
    left, top = (int(min(pair)) - 4 for pair in zip(start, end, strict=True))
    right, bottom = (int(max(pair)) + 5 for pair in zip(start, end, strict=True))
    for width, rgb in ((6, EDGE), (4, BRASS)):
        mask = Image.new("L", ((right - left) * SAMPLING, (bottom - top) * SAMPLING))
        there = [((x - left) * SAMPLING, (y - top) * SAMPLING) for x, y in (start, end)]
        ImageDraw.Draw(mask).line(there, fill=255, width=width * SAMPLING)
        image.paste(rgb, (left, top), mask.resize((right - left, bottom - top), Image.Resampling.BOX))
