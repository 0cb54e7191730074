"""The wood of the boards, with its holes and metal discs."""

from __future__ import annotations

from math import ceil
from typing import Final

import numpy as np
from PIL import Image

from bot.model.colours import Rgb
from bot.render.pictures.canvas import Field
from bot.render.pictures.sprites import slope

EDGE: Final[Rgb] = (58, 33, 18)
"""Colour of a board's edge."""
CORNER: Final = 34
"""Radius of a board's corners, in pixels."""

_WOOD: Final[Rgb] = (122, 74, 42)


def wood(x: Field, y: Field, *, is_fine: bool = True) -> Field:
    """Planed wood at those places of a picture, three numbers a pixel."""
    picture: Field = np.array(_WOOD, np.float32) * (1 + 0.16 * _grain(x, y, is_fine=is_fine))[..., None]
    return picture


def edged(body: Field) -> Field:
    """Brightness factor of a board's bevelled edge, by the distance from the edge."""
    light: Field = 1 + 0.42 * slope(body, 9)
    return light


def _grain(x: Field, y: Field, *, is_fine: bool) -> Field:
    """The grain of the board, nearly level, -1 to 1 in few steps: real noise would not compress."""
    bent = y + (5 if is_fine else 2) * np.sin(x / 260 + y / 200)
    broad = np.sin(bent / 9 + 2.2 * np.sin(bent / 31))
    tone: Field = np.round(broad * 1.1) / 1.5
    if is_fine:
        tone = np.round((broad * 0.6 + np.sin(bent / 3.7 + 1.3) * 0.25) * 2) / 2
    return tone


def hole(radius: float) -> Image.Image:
    """A hole, dark in the shade, with the lit edge of the wood around it."""
    size = 2 * ceil(radius + 3) + 1
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) - size // 2
    dark = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)[..., None]
    light = np.hypot(x - 0.8, y - 1.0) < radius + 1.4
    depth = np.clip(0.55 + 0.45 * (x + y) / (1.6 * radius), 0, 1)[..., None]
    inside = np.array((20, 10, 6), np.float32) * (1 - depth) + np.array((74, 44, 26), np.float32) * depth
    colour = inside * dark + np.array((226, 184, 132), np.float32) * (1 - dark)
    # Equal pixels in every track compress better than a smooth edge on each stain.
    opaque = (light | (dark[..., 0] > 0.5)) * 255
    return Image.fromarray(np.dstack([colour, opaque]).astype(np.uint8), "RGBA")


def disc(radius: float, rgb: Rgb) -> Image.Image:
    """A flat disc of metal."""
    size = 2 * ceil(radius + 1) + 1
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) - size // 2
    alpha = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    shade = 1 - 0.22 * (x + y) / radius
    colour = np.clip(np.array(rgb, np.float32) * shade[..., None], 0, 255)
    return Image.fromarray(np.dstack([colour, alpha * 255]).astype(np.uint8), "RGBA")
