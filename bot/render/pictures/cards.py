"""The playing cards and their back: small square pictures for emojis, and whole cards for pictures.

Discord shows an emoji 22 pixels high in a line of text and 48 pixels high on its own, so an emoji has only
the card's rank, as tall as the square allows, and its suit. Hearts and diamonds are red, spades and clubs
dark, as in every pack; the diamond's red leans to vermilion and the club is a dark green, because at nine
pixels the shapes alone are hard to tell apart.

A whole card has a large rank for phones, its pips as on a real card, and simple courts of our own; a plain
one has only rank and suit. Everything is drawn large and scaled down, once, by this code and Pillow without
any font file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Final, TypeAlias

from PIL import Image, ImageColor, ImageDraw

from bot.model.colours import Rgb
from bot.render.pictures.lettering import lettering
from bot.render.pictures.suits import Polygon, outline
from engine import Card, Rank, Suit

EDITION: Final = 2
"""Version of the emojis; raise it to replace all of them after a change of their look.

It is a number instead of a digest of the picture, because another version of Pillow may round a pixel
differently, which is no reason to upload 53 pictures again.
"""

SIZE: Final = 128
"""Width and height of every emoji, in pixels."""

FACE: Final = "#ffffff"
INK: Final = {
    Suit.HEARTS: "#c8102e",
    Suit.DIAMONDS: "#d03a06",
    Suit.SPADES: "#101216",
    Suit.CLUBS: "#0b5a38",
}
"""Colour of rank and suit."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of the scaled-down picture."""

_SCALE: Final = 4
"""Oversampling factor of drawings."""

_EDGE: Final = "#8b9099"  # visible on white as well as on Discord's dark pages
_BACK: Final = "#34459f"

# Emojis.

_CARD: Box = (0, 3, 128, 125)
_CORNER = 22
_EDGE_WIDTH = 4

_RANK: Box = (11, 15, 65, 113)
_PIP: Box = (67, 36, 121, 93)
_TEN: Box = (9, 15, 77, 113)
_PIP_BY_TEN: Box = (80, 42, 122, 86)
_PEN = 15
_PEN_OF_TEN = 13

_BACK_PANEL: Box = (14, 17, 114, 111)
_BACK_RHOMBS = ((40, FACE), (26, _BACK), (12, FACE))
"""Half the width and the colour of each rhombus on the back, from the outermost."""


def draw_card(card: Card) -> bytes:
    """`card` face up as an emoji, a PNG with transparent corners."""
    is_ten = card.rank is Rank.TEN
    picture = _blank_emoji()
    _print_rank(picture, card, _TEN if is_ten else _RANK)
    _print_pip(picture, card.suit, _PIP_BY_TEN if is_ten else _PIP)
    return _finished(picture)


def draw_back() -> bytes:
    """Any card face down as an emoji, a PNG with transparent corners."""
    picture = _blank_emoji()
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(_enlarged(_BACK_PANEL), radius=14 * _SCALE, fill=_BACK)
    # A few broad shapes: the fine lattice of a real back would be a grey blur at 22 pixels.
    middle = SIZE * _SCALE / 2
    for reach, colour in _BACK_RHOMBS:
        draw.regular_polygon((middle, middle, reach * _SCALE), 4, rotation=45, fill=colour)
    return _finished(picture)


def _blank_emoji() -> Image.Image:
    picture = Image.new("RGBA", (SIZE * _SCALE, SIZE * _SCALE))
    left, top, right, bottom = _enlarged(_CARD)
    # Pillow includes the right and bottom edge in a rectangle.
    ImageDraw.Draw(picture).rounded_rectangle(
        (left, top, right - 1, bottom - 1),
        radius=_CORNER * _SCALE,
        fill=FACE,
        outline=_EDGE,
        width=_EDGE_WIDTH * _SCALE,
    )
    return picture


def _print_rank(picture: Image.Image, card: Card, box: Box) -> None:
    """Draw the rank as tall as `box`, and at most as wide: with narrower letters, not thinner strokes."""
    left, top, right, bottom = _enlarged(box)
    pen = _PEN_OF_TEN if card.rank is Rank.TEN else _PEN
    mask = _fitting(rank_text(card.rank), right - left, bottom - top, pen * _SCALE)
    picture.paste(INK[card.suit], (left + (right - left - mask.width) // 2, top), mask)


def _print_pip(picture: Image.Image, suit: Suit, box: Box) -> None:
    left, top, right, bottom = _enlarged(box)
    draw = ImageDraw.Draw(picture)
    for polygon in outline(suit):
        there = [(left + x * (right - left), top + y * (bottom - top)) for x, y in polygon]
        draw.polygon(there, fill=INK[suit])


def _enlarged(box: Box) -> Box:
    left, top, right, bottom = box
    return (left * _SCALE, top * _SCALE, right * _SCALE, bottom * _SCALE)


def _finished(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


# Whole cards.

PROPORTION: Final = 1.36
"""Height of a whole card divided by its width."""

_PAPER: Final = "#fbf3df"
_GOLD: Final = "#e8b848"
_SKIN: Final = "#f6d6b6"
_HAIR: Final = {Rank.JACK: "#b4742c", Rank.QUEEN: "#7c4420", Rank.KING: "#8c8c94"}

_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
_CORNERS: Final = ((_LEFT, 0.0), (_RIGHT, 0.0), (_LEFT, 1.0), (_RIGHT, 1.0))
_SIDES: Final = (*_CORNERS, (_LEFT, 0.5), (_RIGHT, 0.5))
_EIGHT: Final = (*_CORNERS, (_LEFT, 1 / 3), (_RIGHT, 1 / 3), (_LEFT, 2 / 3), (_RIGHT, 2 / 3))
_PIPS: Final[dict[Rank, tuple[tuple[float, float], ...]]] = {
    Rank.ACE: ((_MIDDLE, 0.5),),
    Rank.TWO: ((_MIDDLE, 0.0), (_MIDDLE, 1.0)),
    Rank.THREE: ((_MIDDLE, 0.0), (_MIDDLE, 0.5), (_MIDDLE, 1.0)),
    Rank.FOUR: _CORNERS,
    Rank.FIVE: (*_CORNERS, (_MIDDLE, 0.5)),
    Rank.SIX: _SIDES,
    Rank.SEVEN: (*_SIDES, (_MIDDLE, 0.25)),
    Rank.EIGHT: (*_SIDES, (_MIDDLE, 0.25), (_MIDDLE, 0.75)),
    Rank.NINE: (*_EIGHT, (_MIDDLE, 0.5)),
    Rank.TEN: (*_EIGHT, (_MIDDLE, 1 / 6), (_MIDDLE, 5 / 6)),
}
"""Positions of each rank's pips, across and down; those below the middle are upside down."""


@cache
def card_face(card: Card, width: int) -> Image.Image:
    """`card` face up, `width` pixels wide, as a sprite (mode RGBA)."""
    picture = _blank_card(width)
    ink = INK[card.suit]
    rank = _fitting(rank_text(card.rank), round(0.36 * width), round(0.44 * width), 0.072 * width)
    centre = round(0.245 * width)
    picture.paste(ink, (centre - rank.width // 2, round(0.09 * width)), rank)
    size = round(0.32 * width)
    picture.paste(ink, (centre - size // 2, round(0.59 * width)), _pip(card.suit, size))
    box = (round(0.50 * width), round(0.12 * width), round(0.90 * width), round((PROPORTION - 0.12) * width))
    if card.rank in _PIPS:
        _print_pips(picture, card, box)
    else:
        picture.paste(_court(card, (box[2] - box[0], box[3] - box[1])), box)
    return picture


@cache
def plain_card(card: Card, width: int) -> Image.Image:
    """`card` with only rank and suit, as large as possible, as a sprite (mode RGBA): for many cards."""
    picture = _blank_card(width)
    ink = INK[card.suit]
    rank = _fitting(rank_text(card.rank), round(0.74 * width), round(0.58 * width), 0.094 * width)
    picture.paste(ink, ((width - rank.width) // 2, round(0.11 * width)), rank)
    size = round(0.46 * width)
    picture.paste(ink, ((width - size) // 2, round(0.79 * width)), _pip(card.suit, size))
    return picture


@cache
def card_back(width: int) -> Image.Image:
    """Any card face down, `width` pixels wide, as a sprite (mode RGBA)."""
    picture = _blank_card(width)
    size = (picture.width * _SCALE, picture.height * _SCALE)
    panel = Image.new("RGBA", size)
    draw = ImageDraw.Draw(panel)
    border = 0.08 * size[0]
    box = (border, border, size[0] - border, size[1] - border)
    draw.rounded_rectangle(box, radius=0.07 * size[0], fill=_BACK)
    for reach, colour in ((0.36, FACE), (0.29, _BACK), (0.20, FACE), (0.13, _BACK), (0.06, FACE)):
        corners = ((-1, 0), (0, -1), (1, 0), (0, 1))
        draw.polygon(
            [(size[0] * (0.5 + reach * x), size[1] * (0.5 + reach * y)) for x, y in corners], fill=colour
        )
    picture.alpha_composite(panel.resize(picture.size, Image.Resampling.BOX))
    return picture


def card_colours() -> Iterator[Rgb]:
    """Palette colours for pictures with whole cards: every ink, and its shades towards white."""
    for ink in (*INK.values(), _BACK):
        red, green, blue = ImageColor.getrgb(ink)[:3]
        for part in (1.0, 0.7, 0.4, 0.15):
            yield (_faded(red, part), _faded(green, part), _faded(blue, part))
    for other in (FACE, _EDGE, _PAPER, _GOLD, _SKIN, *_HAIR.values()):
        red, green, blue = ImageColor.getrgb(other)[:3]
        yield (red, green, blue)


def _faded(ink: int, part: float) -> int:
    return round(255 - (255 - ink) * part)


def rank_text(rank: Rank) -> str:
    """Text of `rank` on a card."""
    return "10" if rank is Rank.TEN else rank.letter


def _blank_card(width: int) -> Image.Image:
    height = round(width * PROPORTION)
    picture = Image.new("RGBA", (width * _SCALE, height * _SCALE))
    ImageDraw.Draw(picture).rounded_rectangle(
        (0, 0, picture.width - 1, picture.height - 1),
        radius=0.09 * picture.width,
        fill=FACE,
        outline=_EDGE,
        width=_SCALE * 3 // 2,
    )
    return picture.resize((width, height), Image.Resampling.BOX)


def _fitting(text: str, width: int, height: int, pen: float) -> Image.Image:
    """`text` in its natural width, or narrowed to `width`."""
    natural = lettering(text, height=height, pen=pen)
    if natural.width <= width:
        return natural
    narrow = next(part for part in range(99, 0, -1) if _width(text, height, pen, part / 100) <= width)
    return lettering(text, height=height, pen=pen, width=narrow / 100)


def _width(text: str, height: int, pen: float, width: float) -> int:
    return lettering(text, height=height, pen=pen, width=width).width


def _print_pips(picture: Image.Image, card: Card, box: Box) -> None:
    left, top, right, bottom = box
    part = 0.86 if card.rank is Rank.ACE else 0.38 if card.rank >= Rank.NINE else 0.44
    size = round((right - left) * part)
    across, down = (right - left) - size, (bottom - top) - size
    for x, y in _PIPS[card.rank]:
        pip = _pip(card.suit, size)
        if y > 0.5:
            pip = pip.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        # Whole pixels, because equal pips compress better.
        picture.paste(INK[card.suit], (left + round(x * across), top + round(y * down)), pip)


@cache
def _pip(suit: Suit, size: int) -> Image.Image:
    """A pip as a mask (mode L)."""
    mask = Image.new("L", (size * _SCALE, size * _SCALE))
    draw = ImageDraw.Draw(mask)
    for polygon in outline(suit):
        draw.polygon([(x * mask.width, y * mask.height) for x, y in polygon], fill=255)
    return mask.resize((size, size), Image.Resampling.BOX)


def _court(card: Card, size: tuple[int, int]) -> Image.Image:
    """A jack, queen or king: half a figure, and its copy turned around."""
    width, height = size[0] * _SCALE, size[1] * _SCALE
    half = Image.new("RGBA", (width, height // 2), _PAPER)
    draw = ImageDraw.Draw(half)
    ink = INK[card.suit]

    def fill(polygon: Polygon, colour: str) -> None:
        draw.polygon([(x * width, y * width) for x, y in polygon], fill=colour)

    def disc(x: float, y: float, reach: float, colour: str) -> None:
        box = (x - reach, y - reach, x + reach, y + reach)
        draw.ellipse(tuple(part * width for part in box), fill=colour)

    floor = height / 2 / width
    # Robe, collar and hair, then the face, then the rank's attributes.
    fill(((0.0, floor), (0.08, 1.02), (0.36, 0.86), (0.64, 0.86), (0.92, 1.02), (1.0, floor)), ink)
    fill(((0.30, 0.86), (0.70, 0.86), (0.5, 1.22)), _GOLD)
    fill(((0.39, 0.84), (0.61, 0.84), (0.5, 1.06)), FACE)
    hair = _HAIR[card.rank]
    if card.rank is Rank.QUEEN:
        fill(((0.18, 0.50), (0.82, 0.50), (0.90, 0.98), (0.66, 0.92), (0.34, 0.92), (0.10, 0.98)), hair)
    disc(0.5, 0.56, 0.31, hair)
    disc(0.5, 0.62, 0.225, _SKIN)
    if card.rank is Rank.KING:
        fill(
            ((0.27, 0.66), (0.42, 0.72), (0.58, 0.72), (0.73, 0.66), (0.64, 0.98), (0.5, 1.08), (0.36, 0.98)),
            hair,
        )
    for x in (0.42, 0.58):
        disc(x, 0.60, 0.035, "#30201a")
    fill(((0.44, 0.735), (0.56, 0.735), (0.5, 0.775)), "#b03030")
    match card.rank:
        case Rank.KING:
            fill(
                (
                    (0.20, 0.44),
                    (0.16, 0.06),
                    (0.35, 0.24),
                    (0.5, 0.0),
                    (0.65, 0.24),
                    (0.84, 0.06),
                    (0.80, 0.44),
                ),
                _GOLD,
            )
            fill(((0.20, 0.44), (0.20, 0.36), (0.80, 0.36), (0.80, 0.44)), ink)
        case Rank.QUEEN:
            fill(((0.24, 0.40), (0.20, 0.20), (0.80, 0.20), (0.76, 0.40)), _GOLD)
            for x in (0.22, 0.41, 0.59, 0.78):
                disc(x, 0.17, 0.085, _GOLD)
            fill(((0.24, 0.40), (0.235, 0.33), (0.765, 0.33), (0.76, 0.40)), ink)
        case _:
            fill(((0.16, 0.44), (0.22, 0.20), (0.70, 0.14), (0.84, 0.44)), ink)
            fill(((0.62, 0.40), (0.74, 0.02), (0.96, 0.0), (0.86, 0.22)), _GOLD)
            fill(((0.16, 0.44), (0.17, 0.36), (0.83, 0.36), (0.84, 0.44)), _GOLD)
    whole = Image.new("RGBA", (width, height), _PAPER)
    whole.paste(half, (0, 0))
    whole.paste(half.rotate(180), (0, height - half.height))
    frame = ImageDraw.Draw(whole)
    frame.line((0, height // 2, width, height // 2), fill=_GOLD, width=width // 14)
    frame.rectangle((0, 0, width - 1, height - 1), outline=ink, width=_SCALE)
    return whole.resize(size, Image.Resampling.BOX)
