"""Heights on a phone of 390 pixels, in rows of text (22 pixels).

They are estimates by columns; the figures were measured on the sandbox's page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bot.render.drawing import DrawnFile
from bot.render.layouts import Part
from bot.render.text.names import width

_ROW, _SMALL_ROW, _LARGE_ROW = 33, 43, 25
"""Columns in a row of text, of small print, and of a headline."""
_SMALL, _LARGE, _BUTTONS = 0.83, 1.44, 2.33
"""Height of a row of small print, of a headline, and of buttons, in rows of text."""
_ROOM, _EDGES, _LETTER, _ARROW = 292, 40, 7, 34
"""Pixels of a row of buttons, a button's edges with the gap after it, a letter on it, and a link's arrow."""
_PIXELS: Final = 22
"""Height of a row."""
_MARKUP: Final = re.compile(r"\*\*|`|^-# |^## |<:\w+:\d+>|<(?=/)|(?<=\w):\d+>|\[|\]\(<[^>]*>\)")
"""Signs of markup, and addresses; and emojis, which stand in a line of their own."""
_CHANNEL: Final = re.compile(r"<#\d+>")
_CHANNEL_NAME: Final = "#" + 10 * "_"
"""A link to a channel, whose name is not known here."""


def rows_in(lines: Iterable[str]) -> float:
    """Height of the lines."""
    return sum(map(_rows, filter(None, lines)))


def _rows(line: str) -> float:
    said = _MARKUP.sub("", _CHANNEL.sub(_CHANNEL_NAME, line))
    if line.startswith("## "):
        return _LARGE * _wrapped(said, _LARGE_ROW)
    if line.startswith("-# "):
        return _SMALL * _wrapped(said, _SMALL_ROW)
    return _wrapped(said, _ROW)


def _wrapped(said: str, columns: int) -> int:
    """Number of rows of a text that breaks at its spaces, and in words that are longer than a row."""
    rows, left = 1, columns
    for word in said.split(" "):
        wide = width(word)
        if left < columns and wide < left:
            left -= wide + 1
        else:
            rows += (left < columns) + max(wide - 1, 0) // columns
            left = columns - (wide - 1) % columns - 1 if wide else columns
    return rows


def rows_of(part: Part | None) -> float:
    """Height of a text, or of a row of buttons, which wraps where they are wider than a phone."""
    if part is None:
        return 0
    if "content" in part:
        return rows_in(part["content"].split("\n"))
    rows, left = 0, 0
    for each in part.get("components", ()):
        wide = _EDGES + _LETTER * width(each.get("label", "")) + _ARROW * ("url" in each)
        rows, left = (rows, left - wide) if wide <= left else (rows + 1, _ROOM - wide)
    return _BUTTONS * rows


def picture_rows(picture: DrawnFile) -> float:
    """Height of a PNG as wide as a phone's message: its header has the pixels of both sides."""
    wide, high = (int.from_bytes(picture.content[at : at + 4]) for at in (16, 20))
    return _ROOM * high / (wide or _ROOM) / _PIXELS
