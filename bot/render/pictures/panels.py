"""The row above every board: a panel with each side's score, and the starter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from PIL import Image

from bot.model.colours import Colour, Rgb
from bot.render.pictures.canvas import Canvas
from bot.render.pictures.cards import card_back, card_colours, card_face
from bot.render.pictures.sprites import (
    BRASS,
    DARK,
    GREYS,
    badge,
    crib,
    digits,
    ink_on,
    plate,
    shades,
    stud,
)
from bot.render.pictures.suits import Point
from engine import Card

WIDTH: Final = 1000
"""Width (pixels): nearly 340 on a phone at three times the density, and 550 on a desktop at twice.

Thirty rows fit into the window of 32 kB in which a PNG's compression finds repetition, and so does the row of
holes of the track above: at 1,100 pixels the files are a third larger.
"""
MARGIN: Final = 20
"""Margin between a board's edge and its content."""
PANEL_TOP: Final = 18
PANEL_HEIGHT: Final = 112
_MIDDLE: Final = PANEL_TOP + PANEL_HEIGHT // 2

_CARD_WIDTH: Final = 82
_GAP: Final = 10
"""Distance between two panels."""

Span: TypeAlias = tuple[int, int]
"""Left and right edge, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Content of a side's panel."""

    colour: Colour
    score: int
    games_won: int
    """Shown as studs."""
    has_crib: bool


def panel_boxes(sides: int) -> tuple[Span, ...]:
    """Space of each side's panel."""
    room = (WIDTH - 2 * MARGIN - _CARD_WIDTH) // sides
    return tuple((MARGIN + number * room, MARGIN + (number + 1) * room - _GAP) for number in range(sides))


def panel_colours(colours: Iterable[Colour]) -> Iterator[Rgb]:
    """Palette colours for panels and starter."""
    for rgb in (*(each.rgb for each in colours), BRASS):
        yield from shades(rgb)
    yield from (*card_colours(), *GREYS, DARK)


def put_plate(canvas: Canvas, colour: Colour, box: Span, *, is_narrow: bool = False) -> None:
    """Put the plate with a side's shape, which is constant for these sides."""
    canvas.put(plate(colour, (box[1] - box[0], PANEL_HEIGHT)), (box[0], PANEL_TOP))
    mark = badge(colour, 32 if _is_tiny(box) else 42 if is_narrow else 52)
    canvas.put(mark, centred(mark, (box[0] + (24 if _is_tiny(box) else 36 if is_narrow else 40), _MIDDLE)))


def put_panel(canvas: Canvas, panel: Panel, box: Span, *, is_narrow: bool = False) -> None:
    """Put a side's score, its games won and the crib onto its plate."""
    left, width, middle = box[0], box[1] - box[0], _MIDDLE
    height = 54 if _is_tiny(box) else 58 if is_narrow else 70
    score = digits(str(panel.score), height=height, ink=ink_on(panel.colour))
    centre = (
        (left + 72 + (width - 82) / 2, middle - 16) if is_narrow else (left + 72 + (width - 170) / 2, middle)
    )
    if _is_tiny(box):
        centre = (left + 42 + (width - 48) / 2, middle - 16)
    canvas.put(score, centred(score, centre))
    right = left + width - 14
    if panel.has_crib:
        fan = crib(34 if is_narrow else 54)
        canvas.put(fan, (right - fan.width, middle + (18 if is_narrow else -4)))
    if panel.games_won:
        _put_studs(canvas, panel, (left + 76, middle + 36) if is_narrow else (right - 80, middle - 32))


def _is_tiny(box: Span) -> bool:
    """True if the panel is one of five."""
    return box[1] - box[0] < 180


def put_starter(canvas: Canvas, starter: Card | None) -> None:
    """Put the starter face up, or the back of a card until it is cut."""
    card = card_back(_CARD_WIDTH) if starter is None else starter_face(starter)
    canvas.put(card, (WIDTH - MARGIN - _CARD_WIDTH, PANEL_TOP))


def starter_face(card: Card) -> Image.Image:
    """The starter's sprite beside the panels."""
    return card_face(card, _CARD_WIDTH)


def centred(sprite: Image.Image, at: Point) -> tuple[int, int]:
    """Position of `sprite` that puts its middle at a point."""
    return (round(at[0]) - sprite.width // 2, round(at[1]) - sprite.height // 2)


def _put_studs(canvas: Canvas, panel: Panel, at: Point) -> None:
    """Put a stud for each game won, from `at` to the right; from four games on, a stud and their number."""
    won = stud(18)
    across, down = at
    for place in range(panel.games_won if panel.games_won < 4 else 1):
        canvas.put(won, centred(won, (across + 10 + 22 * place, down)))
    if panel.games_won >= 4:
        number = digits(str(panel.games_won), height=26, ink=ink_on(panel.colour))
        canvas.put(number, (round(across) + 26, round(down) - 13))
