"""The picture of a club event's standings: a track for each entrant, as long as their points.

The name stands above the track, the place at its head, the points at its end. The message lists the same in
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from PIL import Image

from bot.model.colours import Rgb
from bot.render.pictures.brush import Brush, mixed
from bot.render.pictures.lettering import lettering
from bot.render.pictures.names import name_mask
from bot.render.pictures.panels import MARGIN, WIDTH
from bot.render.pictures.sprites import BRASS, DARK

MOST_ROWS: Final = 12
"""Limit of entrants drawn, from the top."""

_PAPER: Final[Rgb] = (246, 236, 212)
_SILVER: Final[Rgb] = (168, 172, 178)
_BRONZE: Final[Rgb] = (176, 112, 64)
_FELT: Final[Rgb] = (47, 143, 91)
_ROW: Final = 96
_NAME: Final = 52
"""Height of a name (pixels): on a phone, a third of that."""
_BAR: Final = 32
_FIGURE: Final = 30
_LEFT: Final = MARGIN + 64
_RIGHT: Final = WIDTH - MARGIN - 88
_HOLE: Final = 4
_MOST_HOLES: Final = 40
"""Above this number of points, only every fifth has a hole."""


def draw_club_table(rows: Sequence[tuple[int, int, str]]) -> bytes:
    """A PNG of the rows: place (from 1), points and name, the best first.

    Raises `ValueError` without rows.
    """
    if not rows:
        raise ValueError("no rows")
    shown = rows[:MOST_ROWS]
    brush = Brush((WIDTH, 2 * MARGIN + _ROW * len(shown)), paper=_PAPER, sampling=2)
    most = max(1, *(points for _, points, _ in shown))
    for number, (place, points, _) in enumerate(shown):
        middle = _middle(number)
        end = _LEFT + _BAR + (_RIGHT - _LEFT - _BAR) * points / most
        track = (_LEFT, middle - _BAR / 2, _RIGHT, middle + _BAR / 2)
        brush.box(track, mixed(_PAPER, DARK, 0.1), radius=_BAR / 2)
        brush.box((_LEFT, track[1], end, track[3]), _paint(place), radius=_BAR / 2)
        for hole in range(0, most + 1, 1 if most <= _MOST_HOLES else 5):
            x = _LEFT + _BAR / 2 + (_RIGHT - _LEFT - _BAR) * hole / most
            brush.disc((x, middle), _HOLE, mixed(_PAPER, DARK, 0.45))
        brush.disc((end - _BAR / 2, middle), _BAR / 2 - 5, DARK)
    picture = brush.finished()
    for number, (place, points, name) in enumerate(shown):
        middle = _middle(number)
        if (mask := name_mask(name, height=_NAME, width=_RIGHT - _LEFT)) is not None:
            ink = Image.new("RGB", mask.size, DARK)
            picture.paste(ink, (_LEFT, middle - _BAR // 2 - _NAME), mask)
        _write(picture, str(place), MARGIN + 24, middle)
        _write(picture, str(points), WIDTH - MARGIN - 40, middle)
    file = BytesIO()
    reduced = picture.quantize(32, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    reduced.save(file, "PNG", compress_level=7)
    return file.getvalue()


def _middle(number: int) -> int:
    """The height of the middle of a row's track."""
    return MARGIN + _ROW * number + _ROW - _BAR // 2 - 6


def _paint(place: int) -> Rgb:
    """The colour of a place: gold, silver, bronze, then that of the felt."""
    podium = {1: BRASS, 2: _SILVER, 3: _BRONZE}
    return podium.get(place, _FELT)


def _write(picture: Image.Image, figure: str, x: int, y: int) -> None:
    """Write a figure, centred on a point."""
    mask = lettering(figure, height=_FIGURE, pen=5)
    ink = Image.new("RGB", mask.size, DARK)
    picture.paste(ink, (x - mask.width // 2, y - mask.height // 2), mask)
