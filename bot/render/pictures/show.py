"""The picture of the show: each hand and the crib, face up in counting order, and the starter.

It has no words: the players' names are in the text beside the picture, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from bot.model.colours import Colour
from bot.render.pictures.canvas import Backdrop, Canvas, backdrop, lay
from bot.render.pictures.cards import PROPORTION, card_colours, card_face, plain_card
from bot.render.pictures.panels import starter_face
from bot.render.pictures.sprites import (
    BRASS,
    DARK,
    GREYS,
    crib,
    digits,
    ink_on,
    mark,
    plate,
    rounded_box,
    shades,
    slope,
    with_shadow,
)
from engine import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInPicture:
    """A hand or the crib."""

    colour: Colour
    """Colour of the side that counts it."""
    cards: tuple[Card, ...]
    """At most six cards, without the starter."""
    points: int | None
    """Its points; None until it is counted."""
    is_crib: bool
    played: tuple[Card, ...] = ()
    """The cards among them that were played already, drawn faded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowFacts:
    """Everything that the picture of a show contains; equal facts give equal pictures."""

    starter: Card | None
    """The starter; None until it is cut."""
    hands: tuple[HandInPicture, ...]
    """In counting order, at most four hands and the crib."""
    widest: int = 0
    """Minimum number of cards that each row has room for, so that pictures of one deal look alike."""


WIDTH: Final = 1000
"""Width (pixels), equal to the board's."""

_RIM: Final = 12
_MARGIN: Final = 28
_BETWEEN_ROWS: Final = 14
_STARTER_ROOM: Final = 36
"""Distance between the starter and the hands."""
_PANEL_WIDTH: Final = 156

_FADED: Final = 38
"""Opacity (%) of a card that was played."""

_FELT: Final = (26, 82, 58)
_ROW: Final = (20, 66, 47)
_WOOD: Final = (112, 68, 38)


@dataclass(frozen=True, slots=True)
class Layout:
    """Geometry in pixels of the picture, by number of rows and cards in the longest one."""

    rows: int
    cards: int

    @property
    def card_width(self) -> int:
        """Width of each card; more or longer rows have smaller cards."""
        if self.is_plain:
            return 110 if self.rows <= 4 and self.cards <= 4 else 98 if self.cards <= 4 else 92
        return 130 if self.cards <= 4 else 116

    @property
    def is_plain(self) -> bool:
        """True for cards of rank and suit only: with more than three rows, pips would be too small."""
        return self.rows > 3

    @property
    def card_height(self) -> int:
        """Height of each card."""
        return round(self.card_width * PROPORTION)

    @property
    def height(self) -> int:
        """Height of the picture."""
        return 2 * _MARGIN + self.rows * (self.card_height + _BETWEEN_ROWS) - _BETWEEN_ROWS

    def top(self, row: int) -> int:
        """Top of a row's cards."""
        return _MARGIN + row * (self.card_height + _BETWEEN_ROWS)

    @property
    def starter(self) -> tuple[int, int]:
        """Top left corner of the starter."""
        return (_MARGIN + 4, (self.height - self.card_height) // 2)

    @property
    def left(self) -> int:
        """Left edge of each row's first card."""
        return self.starter[0] + self.card_width + _STARTER_ROOM

    @property
    def panel(self) -> int:
        """Left edge of the points."""
        return WIDTH - _MARGIN - _PANEL_WIDTH

    @property
    def step(self) -> int:
        """Distance from one card of a row to the next."""
        room = self.panel - 8 - self.left
        step = min(room // max(self.cards, 1), self.card_width + 36)
        # If cards overlap, the last one is fully visible beside the points.
        return step if step >= self.card_width else (room - self.card_width) // (self.cards - 1)


def draw_show(facts: ShowFacts) -> bytes:
    """The show as a PNG, 1,000 pixels wide, with transparent corners."""
    widest = max((facts.widest, *(len(hand.cards) for hand in facts.hands)))
    place = Layout(len(facts.hands), widest)
    canvas = Canvas(empty_show(place))
    if facts.starter is not None:
        canvas.put(_lying(facts.starter, place), place.starter)
    for row, hand in enumerate(facts.hands):
        for number, each in enumerate(hand.cards):
            lying = _played(each, place) if each in hand.played else _lying(each, place)
            canvas.put(lying, (place.left + number * place.step, place.top(row)))
        _put_points(canvas, hand, (place.panel, place.top(row)), place.card_height)
    return canvas.png(compression=7)


def prepare_card(card: Card) -> None:
    """Warm the caches of the card's sprites for the show of two and for boards."""
    _lying(card, Layout(rows=3, cards=4))
    starter_face(card)


def _put_points(canvas: Canvas, hand: HandInPicture, at: tuple[int, int], height: int) -> None:
    """Put the plate with the side's shape, its points, and a crib if the cards are the crib."""
    left, top = at
    canvas.put(plate(hand.colour, (_PANEL_WIDTH, height)), at)
    sign = mark(hand.colour, 44 if height > 150 else 34)
    beside = 36 if hand.is_crib else 0
    middle = top + height * 29 // 100
    canvas.put(sign, (left + (_PANEL_WIDTH - sign.width) // 2 - beside, middle - sign.height // 2))
    if hand.is_crib:
        fan = crib(46 if height > 150 else 40)
        canvas.put(fan, (left + _PANEL_WIDTH // 2 - 6, middle - fan.height // 2))
    if hand.points is not None:
        number = digits(f"+{hand.points}", height=62 if height > 150 else 54, ink=ink_on(hand.colour))
        canvas.put(
            number, (left + (_PANEL_WIDTH - number.width) // 2, top + height - number.height - height // 9)
        )


def _lying(card: Card, place: Layout) -> Image.Image:
    return with_its_shadow(card, place.card_width, is_plain=place.is_plain)


def _played(card: Card, place: Layout) -> Image.Image:
    return _faded(card, place.card_width, is_plain=place.is_plain)


@cache
def _faded(card: Card, width: int, *, is_plain: bool) -> Image.Image:
    """The card, translucent to the table below."""
    face = with_its_shadow(card, width, is_plain=is_plain).copy()
    face.putalpha(face.getchannel("A").point(lambda opacity: opacity * _FADED // 100))
    return face


@cache
def with_its_shadow(card: Card, width: int, *, is_plain: bool) -> Image.Image:
    """A card with its shadow, as the show has it."""
    return with_shadow(plain_card(card, width) if is_plain else card_face(card, width))


@lru_cache(maxsize=12)
def empty_show(place: Layout) -> Backdrop:
    """The felt with a rim of wood, and a place for each row: what all shows of that size share."""
    y, x = np.mgrid[0 : place.height, 0:WIDTH].astype(np.float32) + 0.5
    edge = rounded_box(x, y, (0, 0, WIDTH, place.height), 30)
    felt = rounded_box(x, y, (_RIM, _RIM, WIDTH - _RIM, place.height - _RIM), 20)
    covered = np.clip(0.5 - felt, 0, 1)[..., None]
    picture = np.array(_WOOD, np.float32) * (1 + 0.5 * slope(edge, 6))
    lay(np.array(_FELT, np.float32) * (1 - 0.6 * slope(felt, 6)), picture, covered)
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8), "RGB")
    draw = ImageDraw.Draw(image)
    for row in range(place.rows):
        box = (
            place.left - 12,
            place.top(row) - 5,
            WIDTH - _MARGIN + 8,
            place.top(row) + place.card_height + 5,
        )
        draw.rounded_rectangle(box, radius=20, fill=_ROW)
    left, top = place.starter
    frame = (left - 8, top - 8, left + place.card_width + 7, top + place.card_height + 7)
    draw.rounded_rectangle(frame, radius=20, fill=_ROW, outline=BRASS, width=4)
    others = [shade for rgb in (*(each.rgb for each in Colour), BRASS) for shade in shades(rgb)]
    others += [*card_colours(), *GREYS, DARK]
    return backdrop(image, own=32, others=others, opacity=np.clip(0.5 - edge, 0, 1), edge=_WOOD)
