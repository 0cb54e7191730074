"""Sprites of the pictures: heads of pegs, plates for numbers, a crib, studs for games won.

Each sprite (mode RGBA) is drawn once and cached. `board` and `show` have their positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from bot.model.colours import Colour, Rgb, Shape
from bot.render.pictures.canvas import Field
from bot.render.pictures.lettering import SAMPLING, lettering
from bot.render.pictures.shapes import shape_outline

PEG: Final = 28
"""Width of a peg's head; 28 pixels of 1,000 are 9 when a picture is shown 340 wide."""

WHITE: Final = (255, 255, 255)
DARK: Final = (30, 20, 14)
BRASS: Final = (240, 204, 120)
BACK: Final = (52, 69, 159)
"""Colour of the cards' backs."""

GREYS: Final = (WHITE, (225, 225, 225), (180, 182, 186))
"""Greys in the palette of a picture with cards."""

_SHADOW: Final = 6
_FULLER: Final = {
    Shape.DIAMOND: 1.14,
    Shape.STAR: 1.22,
    Shape.SQUARE: 1.2,
    Shape.HEART: 1.1,
    Shape.FLOWER: 1.1,
}
"""Factors that enlarge shapes which fill less of their square than a disc does."""


def ink_on(colour: Colour) -> Rgb:
    """White or nearly black: the one with more contrast on a plate of `colour`."""
    red, green, blue = ((part / 255) ** 2.2 for part in colour.rgb)
    return WHITE if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.3 else DARK


def shades(rgb: Rgb) -> Iterator[Rgb]:
    """Palette colours for sprites of one colour, from dark to light."""
    base = np.array(rgb)
    for part in (0.25, 0.42, 0.65, 0.85, 1.0):
        yield _rgb(base * part)
    for part in (0.3, 0.65):
        yield _rgb(base + (255 - base) * part)


@cache
def peg(colour: Colour, size: int = PEG) -> Image.Image:
    """The head of a peg from above, with its shadow; the sprite's middle is the hole's."""
    size = round(size * _FULLER.get(colour.shape, 1))
    full = size + 2 * _SHADOW
    is_light = ink_on(colour) == DARK  # like the wood, and even more like a lane stained in its colour
    outer, inner = _filled(colour, size, full), _filled(colour, size * (0.76 if is_light else 0.84), full)
    y, x = (np.mgrid[0:full, 0:full].astype(np.float32) - full / 2 + 0.5) / (size / 2)
    lit = np.clip(1.05 - 0.38 * (x + y), 0.55, 1.5)[..., None]
    base = np.array(colour.rgb, np.float32)
    face = np.where(lit > 1, base + (255 - base) * (lit - 1) * 0.9, base * lit)
    inside = np.asarray(inner, np.float32)[..., None] / 255
    body = face * inside + base * (0.16 if is_light else 0.42) * (1 - inside)
    shine = np.exp(-(((x + 0.28) / 0.26) ** 2 + ((y + 0.30) / 0.20) ** 2))[..., None] * inside * 0.85
    return _with_shadow(body * (1 - shine) + 255 * shine, outer)


@cache
def badge(colour: Colour, size: int) -> Image.Image:
    """The head of a peg on a contrasting patch of its own shape, for a plate of its colour."""
    head = peg(colour, round(size * 0.76))
    patch = _filled(colour, size * _FULLER.get(colour.shape, 1), head.width + 2 * _SHADOW)
    whole = Image.new("RGBA", patch.size, (*ink_on(colour), 0))
    whole.putalpha(patch)
    whole.alpha_composite(head, (_SHADOW, _SHADOW))
    return whole


@cache
def mark(colour: Colour, size: int) -> Image.Image:
    """The shape of `colour`, flat, in the ink that contrasts with its plate."""
    mask = _filled(colour, size, round(size * 1.1))
    sprite = Image.new("RGBA", mask.size, (*ink_on(colour), 0))
    sprite.putalpha(mask)
    return sprite


@lru_cache(maxsize=64)
def plate(colour: Colour, size: tuple[int, int]) -> Image.Image:
    """An enamelled plate in `colour`, with light on its edges, and its shadow."""
    width, height = size
    full = (width + _SHADOW, height + _SHADOW)
    y, x = np.mgrid[0 : full[1], 0 : full[0]].astype(np.float32) + 0.5
    distance = rounded_box(x, y, (0, 0, width, height), 18)
    light = slope(distance, 5) * 0.45
    base = np.array(colour.rgb, np.float32)
    body = base + np.where(light > 0, (255 - base) * light, base * light)
    rim = np.clip(distance + 1.5, 0, 1)[..., None]
    mask = Image.fromarray((np.clip(0.5 - distance, 0, 1) * 255).astype(np.uint8), "L")
    return _with_shadow(body * (1 - rim) + base * 0.42 * rim, mask)


@cache
def crib(height: int) -> Image.Image:
    """Four cards face down, fanned: the crib."""
    tall, wide = height * SAMPLING, height * SAMPLING * 3 // 2
    fan = Image.new("RGBA", (wide, tall))
    card_height, card_width = round(tall * 0.82), round(tall * 0.56)
    for number in range(4):
        one = Image.new("RGBA", (card_width * 2, card_height * 2))
        draw = ImageDraw.Draw(one)
        box = (card_width // 2, card_height // 2, card_width * 3 // 2, card_height * 3 // 2)
        draw.rounded_rectangle(box, radius=card_width // 7, fill=WHITE, outline=DARK, width=SAMPLING)
        border = card_width // 7
        draw.rounded_rectangle(
            (box[0] + border, box[1] + border, box[2] - border, box[3] - border), radius=border, fill=BACK
        )
        turned = one.rotate(15 - 10 * number, Image.Resampling.BICUBIC)
        left = round((wide - card_width) * (0.16 + 0.68 * number / 3)) + card_width // 2 - card_width
        fan.alpha_composite(_within(turned, fan.size, (left, round(tall * 0.5) - card_height)))
    return fan.resize((wide // SAMPLING, height), Image.Resampling.BOX)


@cache
def stud(size: int) -> Image.Image:
    """A brass stud, one for each game won."""
    full = size + 4
    y, x = (np.mgrid[0:full, 0:full].astype(np.float32) - full / 2 + 0.5) / (size / 2)
    mask = Image.fromarray((np.clip((1 - np.hypot(x, y)) * size / 2 + 0.5, 0, 1) * 255).astype(np.uint8), "L")
    lit = np.clip(0.9 - 0.25 * (x + y), 0.5, 1.0) * np.where(np.hypot(x, y) > 1 - 3 / size, 0.5, 1)
    return _with_shadow(np.array(BRASS, np.float32) * lit[..., None], mask)


@lru_cache(maxsize=1024)
def digits(text: str, *, height: int, ink: Rgb) -> Image.Image:
    """A number in `ink`, `height` pixels high."""
    mask = lettering(text, height=height, pen=height * 0.15)
    sprite = Image.new("RGBA", mask.size, (*ink, 0))
    sprite.putalpha(mask)
    return sprite


def rounded_box(x: Field, y: Field, box: tuple[float, float, float, float], radius: float) -> Field:
    """Distance of each pixel from the edge of a box with round corners, negative inside."""
    across = np.abs(x - (box[0] + box[2]) / 2) - (box[2] - box[0]) / 2 + radius
    down = np.abs(y - (box[1] + box[3]) / 2) - (box[3] - box[1]) / 2 + radius
    outside: Field = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    inside: Field = np.minimum(np.maximum(across, down), 0)
    return outside + inside - np.float32(radius)


def slope(distance: Field, width: float) -> Field:
    """Light on a slope along the inside of an edge: 1 at the top left, -1 opposite."""
    down, across = np.gradient(distance)
    depth = np.clip(1 + distance / width, 0, 1) * (distance < 1)
    light: Field = (-0.6 * across - 0.8 * down) * depth
    return light[..., None]


def with_shadow(sprite: Image.Image) -> Image.Image:
    """`sprite` with its shadow at the right and below."""
    larger = _within(sprite, (sprite.width + _SHADOW, sprite.height + _SHADOW), (0, 0))
    return _with_shadow(np.asarray(larger, np.float32)[..., :3], larger.getchannel("A"))


def _filled(colour: Colour, size: float, full: int) -> Image.Image:
    """The shape of `colour`, `size` pixels wide, in the middle of a mask of `full` pixels."""
    mask = Image.new("L", (full * SAMPLING, full * SAMPLING))
    start = (full - size) / 2
    outline = shape_outline(colour.shape)
    ImageDraw.Draw(mask).polygon(
        [((start + x * size) * SAMPLING, (start + y * size) * SAMPLING) for x, y in outline], fill=255
    )
    return mask.resize((full, full), Image.Resampling.BOX)


def _with_shadow(body: Field, mask: Image.Image) -> Image.Image:
    """`body` (three numbers a pixel) inside `mask`, with its shadow to the right and below."""
    alpha = np.asarray(mask, np.float32) / 255
    fallen = _within(mask, mask.size, (2, 3)).filter(ImageFilter.GaussianBlur(1.6))
    total = alpha + np.asarray(fallen, np.float32) / 255 * 0.5 * (1 - alpha)
    mixed = body * (alpha / np.maximum(total, 1e-6))[..., None]
    return Image.fromarray(np.dstack([np.clip(mixed, 0, 255), total * 255]).astype(np.uint8), "RGBA")


def _within(image: Image.Image, size: tuple[int, int], at: tuple[int, int]) -> Image.Image:
    moved = Image.new(image.mode, size)
    moved.paste(image, at)
    return moved


def _rgb(parts: Field) -> Rgb:
    red, green, blue = (round(float(each)) for each in parts)
    return (red, green, blue)
