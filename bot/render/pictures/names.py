"""People's names in pictures, in Pillow's own font and with accents of our own.

That font has the letters of ASCII and no others. A letter with marks, such as é, is its base letter and a
mark drawn with a pen; letters like ß and œ are written with two. What then still has no letters (another
script, an emoji) is left out, and the text below the picture has the whole name.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageDraw, ImageFont

_SIZE: Final = 96
"""Height (pixels) at which a name is drawn, before it is scaled down."""

_ELLIPSIS: Final = "…"
_SPELLED: Final = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ı": "i",
    "þ": "th",
    "Þ": "Th",
    "ð": "d",
    "Ð": "D",
    "‘": "'",
    "’": "'",
}
"""Letters that are no letter with a mark, in letters of ASCII."""

_MARKS: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {
    "\u0300": (((-0.13, -0.14), (0.06, 0.0)),),  # grave
    "\u0301": (((0.13, -0.14), (-0.06, 0.0)),),  # acute
    "\u0302": (((-0.15, 0.0), (0.0, -0.14), (0.15, 0.0)),),  # circumflex
    "\u0303": (((-0.16, -0.02), (-0.08, -0.1), (0.07, -0.02), (0.16, -0.1)),),  # tilde
    "\u0304": (((-0.14, -0.05), (0.14, -0.05)),),  # macron
    "\u0306": (((-0.14, -0.12), (-0.06, -0.02), (0.06, -0.02), (0.14, -0.12)),),  # breve
    "\u0307": (((0.0, -0.07), (0.0, -0.06)),),  # dot
    "\u0308": (((-0.12, -0.07), (-0.12, -0.06)), ((0.12, -0.07), (0.12, -0.06))),  # diaeresis
    "\u030a": (
        tuple((0.085 * cos(each * pi / 8), 0.085 * sin(each * pi / 8) - 0.04) for each in range(17)),
    ),  # ring
    "\u030b": (((0.0, -0.14), (-0.1, 0.0)), ((0.16, -0.14), (0.06, 0.0))),  # double acute
    "\u030c": (((-0.15, -0.14), (0.0, 0.0), (0.15, -0.14)),),  # caron
    "\u0327": (((0.03, 0.03), (0.06, 0.11), (-0.07, 0.17)),),  # cedilla, below
    "\u0328": (((0.06, 0.02), (-0.01, 0.12), (0.1, 0.17)),),  # ogonek, below
}
"""Strokes of each mark, in shares of the size, from the middle of its letter's top or, below, of its foot."""

_BELOW: Final = frozenset({"\u0327", "\u0328"})
_GAP: Final = 0.07
"""Space between a letter and the mark above it, as a share of the size."""
_STACK: Final = 0.13
"""Height of a mark above which another stands, as a share of the size."""
_PEN: Final = 0.075


def name_mask(name: str, *, height: int, width: int) -> Image.Image | None:
    """The name as a mask (mode L) of that height, cut off with an ellipsis at `width`.

    `None` for a name without letters. The height (pixels) is from a capital's accent to the foot of a g.
    """
    letters = _letters(name)
    if not any(letter.strip() for letter, _ in letters):
        return None
    room = width * _SIZE / height
    kept = letters
    while _length(kept) > room and len(kept) > 1:
        letters = letters[:-1]
        kept = (*letters, (_ELLIPSIS, ""))
    mask = _drawn(kept)
    return mask.resize((max(1, round(mask.width * height / _SIZE)), height), Image.Resampling.LANCZOS)


def _letters(name: str) -> tuple[tuple[str, str], ...]:
    """The letters of ASCII, each with its marks; those without are left out."""
    found: list[tuple[str, str]] = []
    was_kept = False
    for each in unicodedata.normalize("NFKD", "".join(_SPELLED.get(each, each) for each in name)):
        if each.isascii() and each.isprintable():
            found.append((each, ""))
            was_kept = True
        elif not unicodedata.combining(each):
            was_kept = False  # so are the marks of a letter that is left out
        elif was_kept and each in _MARKS:
            letter, marks = found[-1]
            found[-1] = (letter, marks + each)
    while found and not found[0][0].strip():
        found.pop(0)
    return tuple(found)


@cache
def _font() -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(_SIZE * 0.7)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow has FreeType"
    return font


def _length(letters: tuple[tuple[str, str], ...]) -> float:
    return float(sum(_font().getlength(letter) for letter, _ in letters))


def _drawn(letters: tuple[tuple[str, str], ...]) -> Image.Image:
    mask = Image.new("L", (round(_length(letters)) + _SIZE // 4, _SIZE))
    draw, foot, x = ImageDraw.Draw(mask), _SIZE * 0.76, _SIZE / 16
    for letter, marks in letters:
        draw.text((x, foot), letter, fill=255, font=_font(), anchor="ls")
        left, top, right, _ = draw.textbbox((x, foot), letter, font=_font(), anchor="ls")
        if letter in "ij" and set(marks) - _BELOW:  # the mark takes the place of the dot
            top = draw.textbbox((x, foot), "x", font=_font(), anchor="ls")[1]
            draw.rectangle((left, 0, right, top - 1), fill=0)
        for mark in marks:
            high = foot if mark in _BELOW else top - _GAP * _SIZE
            top -= 0 if mark in _BELOW else round(_STACK * _SIZE)
            for stroke in _MARKS[mark]:
                _trace(draw, [((left + right) / 2 + a * _SIZE, high + b * _SIZE) for a, b in stroke])
        x += _font().getlength(letter)
    return mask


def _trace(draw: ImageDraw.ImageDraw, points: list[tuple[float, float]]) -> None:
    thick = _PEN * _SIZE
    draw.line(points, fill=255, width=round(thick))
    for x, y in points:
        draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=255)
