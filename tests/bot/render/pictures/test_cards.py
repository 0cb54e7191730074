"""Cards as emojis, whose edition is in `edition.png` beside this file, and the cost of cards in pictures."""

from __future__ import annotations

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.model.colours import standard_colours
from bot.render.pictures import canvas
from bot.render.pictures.cards import EDITION, SIZE, card_colours, card_face, draw_back, draw_card
from bot.render.pictures.show import WIDTH, HandInPicture, ShowFacts, draw_show, empty_show
from engine import PACK, Card, card, cards

EDITION_SHEET = Path(__file__).with_name("edition.png")
SHEET_EDITION = 2
CELL = 24
PAGE = "#313338"
NAMES = (*map(str, PACK), "back")
"""The pictures in the order of the sheet."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(PACK[::13], id="some"), pytest.param(PACK, id="all", marks=pytest.mark.deep)],
)
def pictures(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """Small pictures of cards, and of the back."""
    return {**{str(each): draw_card(each) for each in request.param}, "back": draw_back()}


@pytest.mark.parametrize("those", [card("5H"), card("QC"), None], ids=str)
def test_drawing_twice_gives_the_same_bytes(those: Card | None) -> None:
    def draw() -> bytes:
        return draw_card(those) if those else draw_back()

    assert draw() == draw()


def test_a_changed_drawing_has_a_new_edition(pictures: dict[str, bytes]) -> None:
    """If this failure is intended, raise `EDITION`, and set WRITE_GOLDEN=1 to write the sheet again."""
    if os.environ.get("WRITE_GOLDEN") == "1" and len(pictures) == len(NAMES):
        _sheet(pictures).save(EDITION_SHEET)
    assert SHEET_EDITION == EDITION, "edition.png shows another edition"
    with Image.open(EDITION_SHEET) as saved:
        released = saved.convert("RGB")
    assert released.size == (13 * CELL, 5 * CELL)

    for name, picture in pictures.items():
        assert len(picture) < 20_000, name
        drawn = _on_page(picture)
        difference = ImageChops.difference(drawn, released.crop(_cell(NAMES.index(name))))
        # Two versions of Pillow may round otherwise; a stroke moved by one pixel of 128 is far more.
        assert max(ImageStat.Stat(difference).mean) < 1, name


def _sheet(pictures: dict[str, bytes]) -> Image.Image:
    """All pictures at `CELL` pixels, one suit per row and the back below."""
    sheet = Image.new("RGB", (13 * CELL, 5 * CELL), PAGE)
    for index, picture in enumerate(pictures.values()):
        sheet.paste(_on_page(picture), _cell(index))
    return sheet


def _cell(index: int) -> tuple[int, int, int, int]:
    left, top = index % 13 * CELL, index // 13 * CELL
    return (left, top, left + CELL, top + CELL)


def _on_page(picture: bytes) -> Image.Image:
    """The picture in the size of a cell, on Discord's page."""
    shown, opened = Image.new("RGB", (CELL, CELL), PAGE), Image.open(BytesIO(picture))
    assert (opened.format, opened.size, opened.mode) == ("PNG", (SIZE, SIZE), "RGBA")
    reduced = opened.resize((CELL, CELL), Image.Resampling.LANCZOS)
    shown.paste(reduced, (0, 0), reduced)
    return shown


def test_the_colours_for_a_palette_are_those_of_the_cards() -> None:
    asked = set(card_colours())
    for each in PACK[::5]:
        sprite = card_face(each, 130)
        counted = sprite.crop((10, 10, 120, sprite.height - 10)).convert("RGB").getcolors(1 << 20) or []
        assert {colour for count, colour in counted if count > 200} <= asked, each


RED, BLUE = standard_colours(2)
SHOW = ShowFacts(
    starter=card("5D"),
    hands=(
        HandInPicture(colour=BLUE, cards=cards("5H 5C JD QS"), points=21, is_crib=False),
        HandInPicture(colour=RED, cards=cards("2D 3S 4H 8C"), points=8, is_crib=False),
        HandInPicture(colour=RED, cards=cards("9D 9C KH AS"), points=8, is_crib=True),
    ),
)


def test_a_card_is_reduced_to_the_palette_once_wherever_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reducing took most of a show's time; the felt has one colour below every card."""
    elsewhere = replace(SHOW, hands=(SHOW.hands[2], SHOW.hands[0], SHOW.hands[1]))
    before = draw_show(elsewhere)
    reduced: list[tuple[int, int]] = []

    def reduce(picture: Image.Image, palette: Image.Image) -> Image.Image:
        reduced.append(picture.size)
        return real(picture, palette)

    real = canvas.reduced_to
    monkeypatch.setattr(canvas, "reduced_to", reduce)
    draw_show(SHOW)
    assert not [size for size in reduced if size[1] > 100], "no card, and no plate"
    empty_show.cache_clear()
    assert draw_show(elsewhere) == before
    assert len([size for size in reduced if size[1] > 100 and size[0] < WIDTH]) == 13 + 2
