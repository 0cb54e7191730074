"""The playing cards and their back as small square pictures, legible at 22 pixels.

Discord shows an emoji 22 pixels high in a line of text and 48 pixels high on its own, so a card is reduced to
its rank, as tall as the square allows, and its suit. Hearts and diamonds are red, spades and clubs dark, as
in every pack; the diamond's red leans to vermilion and the club is a dark green, because at nine pixels the
shapes alone are hard to tell apart.

The picture is drawn large and scaled down. It depends on nothing but this code and Pillow; no font file is
needed.
"""

from __future__ import annotations

from io import BytesIO
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from bot.render.pictures.suits import outline
from engine import Card, Rank, Suit

EDITION = 1
"""The version of the drawing: raise it when a card should look different, so that the emojis are replaced.

It is a number and not a digest of the picture, because another version of Pillow may round a pixel
differently, which is no reason to upload 53 pictures again.
"""

SIZE = 128
"""Width and height of every picture, in pixels."""

FACE = "#ffffff"
INK = {
    Suit.HEARTS: "#c8102e",
    Suit.DIAMONDS: "#d03a06",
    Suit.SPADES: "#101216",
    Suit.CLUBS: "#0b5a38",
}
"""The colour of rank and suit."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of the scaled-down picture."""

_SCALE = 4
"""The factor by which the picture is drawn larger than its final size."""

_CARD: Box = (0, 3, 128, 125)
_CORNER = 22
_EDGE = "#8b9099"  # seen on white as well as on Discord's dark pages
_EDGE_WIDTH = 4

_RANK: Box = (10, 15, 63, 113)
_PIP: Box = (67, 36, 121, 93)
_TEN: Box = (9, 15, 74, 113)
_PIP_BY_TEN: Box = (77, 40, 121, 88)

_BACK = "#34459f"
_BACK_PANEL: Box = (14, 17, 114, 111)
_BACK_RHOMBS = ((40, FACE), (26, _BACK), (12, FACE))
"""Half the width of each rhombus on the back, from the outermost to the innermost, and its colour."""


def draw_card(card: Card) -> bytes:
    """`card` face up, as a PNG with transparent corners."""
    is_ten = card.rank is Rank.TEN
    picture = _blank_card()
    _print_rank(picture, card, _TEN if is_ten else _RANK)
    _print_pip(picture, card.suit, _PIP_BY_TEN if is_ten else _PIP)
    return _finished(picture)


def draw_back() -> bytes:
    """Any card face down, as a PNG with transparent corners."""
    picture = _blank_card()
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(_enlarged(_BACK_PANEL), radius=14 * _SCALE, fill=_BACK)
    # A few broad shapes: the fine lattice of a real back would be a grey blur at 22 pixels.
    middle = SIZE * _SCALE / 2
    for reach, colour in _BACK_RHOMBS:
        draw.regular_polygon((middle, middle, reach * _SCALE), 4, rotation=45, fill=colour)
    return _finished(picture)


def _blank_card() -> Image.Image:
    picture = Image.new("RGBA", (SIZE * _SCALE, SIZE * _SCALE))
    draw = ImageDraw.Draw(picture)
    left, top, right, bottom = _enlarged(_CARD)
    # Pillow includes the right and bottom edge in a rectangle.
    draw.rounded_rectangle(
        (left, top, right - 1, bottom - 1),
        radius=_CORNER * _SCALE,
        fill=FACE,
        outline=_EDGE,
        width=_EDGE_WIDTH * _SCALE,
    )
    return picture


def _print_rank(picture: Image.Image, card: Card, box: Box) -> None:
    """Draw the rank as tall as `box`, and at most as wide."""
    left, top, right, bottom = _enlarged(box)
    stencil = _letters("10" if card.rank is Rank.TEN else card.rank.letter)
    height = bottom - top
    width = min(right - left, stencil.width * height // stencil.height)
    stencil = stencil.resize((width, height), Image.Resampling.LANCZOS)
    picture.paste(INK[card.suit], (left + (right - left - width) // 2, top), stencil)


def _print_pip(picture: Image.Image, suit: Suit, box: Box) -> None:
    left, top, right, bottom = _enlarged(box)
    draw = ImageDraw.Draw(picture)
    for polygon in outline(suit):
        there = [(left + x * (right - left), top + y * (bottom - top)) for x, y in polygon]
        draw.polygon(there, fill=INK[suit])


def _letters(text: str) -> Image.Image:
    """A bold stencil of `text`, cropped to its ink; letters are drawn separately to set a ten closely."""
    # The ten is squeezed to half its width; with the stroke of the others its 0 would fill up.
    drawn = [_letter(each, stroke=13 if len(text) > 1 else 20) for each in text]
    gap = 27
    stencil = Image.new("L", (sum(each.width for each in drawn) + gap * (len(drawn) - 1), drawn[0].height))
    left = 0
    for each in drawn:
        stencil.paste(each.resize((each.width, stencil.height)), (left, 0))
        left += each.width + gap
    return stencil


def _letter(letter: str, *, stroke: int) -> Image.Image:
    # Pillow's own font has one weight; a stroke around the letter makes it bold.
    font = ImageFont.load_default(size=400)
    sheet = Image.new("L", (600, 700))
    ImageDraw.Draw(sheet).text((100, 70), letter, fill=255, font=font, stroke_width=stroke)
    return sheet.crop(sheet.getbbox())


def _enlarged(box: Box) -> Box:
    left, top, right, bottom = box
    return (left * _SCALE, top * _SCALE, right * _SCALE, bottom * _SCALE)


def _finished(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()
