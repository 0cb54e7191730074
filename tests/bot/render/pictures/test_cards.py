"""Measurable properties of cards, suits and shapes; `edition.png` beside this file shows how they look."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from itertools import combinations, cycle, pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageStat

from bot.model.colours import Colour, Shape
from bot.render.pictures.cards import (
    EDITION,
    FACE,
    INK,
    PROPORTION,
    SIZE,
    card_back,
    card_colours,
    card_face,
    draw_back,
    draw_card,
    plain_card,
)
from bot.render.pictures.shapes import shape_outline
from bot.render.pictures.sprites import badge, ink_on, mark
from bot.render.pictures.suits import Polygon, outline
from engine import PACK, Card, Rank, Suit, card

EDITION_SHEET = Path(__file__).with_name("edition.png")
SHEET_EDITION = 2
CELL = 24
INLINE = 22  # pixels that Discord gives an emoji in a line of text
PAGES = {"dark": "#313338", "darkest": "#1a1a1e", "light": "#ffffff"}


NAMES = (*map(str, PACK), "back")
"""The pictures in the order of the sheet."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(PACK[::13], id="some"), pytest.param(PACK, id="all", marks=pytest.mark.deep)],
)
def pictures(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """Small pictures of cards, and of the back."""
    return {**{str(each): draw_card(each) for each in request.param}, "back": draw_back()}


def test_every_picture_is_a_small_square_png(pictures: dict[str, bytes]) -> None:
    for name, picture in pictures.items():
        opened = _opened(picture)
        assert (opened.format, opened.size, opened.mode) == ("PNG", (SIZE, SIZE), "RGBA"), name
        assert len(picture) < 20_000, name


def test_corners_are_transparent_and_the_middle_is_not(pictures: dict[str, bytes]) -> None:
    last = SIZE - 1
    for name, picture in pictures.items():
        alpha = _opened(picture).getchannel("A")
        assert [alpha.getpixel(at) for at in ((0, 0), (last, 0), (0, last), (last, last))] == [0] * 4, name
        assert alpha.getpixel((SIZE // 2, SIZE // 2)) == 255, name


def test_a_card_uses_the_whole_width_of_its_square(pictures: dict[str, bytes]) -> None:
    for name, picture in pictures.items():
        left, top, right, bottom = _opened(picture).getbbox() or (0, 0, 0, 0)
        assert (right - left, bottom - top) >= (SIZE - 4, SIZE - 12), name


@pytest.mark.parametrize("those", [card("5H"), card("TD"), card("QC"), None], ids=str)
def test_drawing_twice_gives_the_same_bytes(those: Card | None) -> None:
    def draw() -> bytes:
        return draw_card(those) if those else draw_back()

    assert draw() == draw()


def test_at_22_pixels_every_two_cards_differ_where_it_counts(pictures: dict[str, bytes]) -> None:
    """The nearest two, 5S and 6S or QS and QC, still differ in a patch of strongly different pixels."""
    small = {
        name: _on_page(picture, PAGES["dark"], INLINE).convert("L") for name, picture in pictures.items()
    }

    for (name, one), (other, two) in combinations(small.items(), 2):
        histogram = ImageChops.difference(one, two).histogram()
        assert sum(histogram[48:]) >= 8, (name, other)


def test_ink_stands_out_from_the_face() -> None:
    for suit in Suit:
        assert _contrast(INK[suit], FACE) >= 4.5, f"WCAG's least contrast for text: {suit}"


def test_rank_and_pip_are_printed_in_the_ink_of_the_suit(pictures: dict[str, bytes]) -> None:
    for each in map(card, list(pictures)[:-1]):
        shown = _opened(pictures[str(each)]).convert("RGB")
        ink = ImageColor.getrgb(INK[each.suit])
        rank, pip = shown.crop((0, 0, 64, SIZE)), shown.crop((78, 0, SIZE, SIZE))

        for part, least in ((rank, 1000), (pip, 500)):
            inked = sum(count for count, colour in part.getcolors(SIZE * SIZE) or [] if colour == ink)
            assert inked > least, each


def test_a_rank_is_as_tall_as_three_quarters_of_the_square(pictures: dict[str, bytes]) -> None:
    for rank in list(pictures)[:-1]:
        shown = _opened(pictures[rank]).convert("L").crop((9, 9, 63, SIZE - 9))
        left, top, right, bottom = shown.point(lambda light: 255 * (light < 128)).getbbox() or (0, 0, 0, 0)

        assert bottom - top >= 0.75 * SIZE, rank
        assert right - left >= 0.25 * SIZE, rank


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_the_edge_of_a_card_is_seen_on_every_page(page: str, pictures: dict[str, bytes]) -> None:
    for name, picture in pictures.items():
        shown = _on_page(picture, page, SIZE)
        assert _contrast_of(shown.getpixel((1, SIZE // 2)), ImageColor.getrgb(page)) >= 3, name


def test_a_changed_drawing_has_a_new_edition(pictures: dict[str, bytes]) -> None:
    """If this failure is intended, raise `EDITION`, and set WRITE_GOLDEN=1 to write the sheet again."""
    if os.environ.get("WRITE_GOLDEN") == "1" and len(pictures) == len(NAMES):
        _sheet(pictures).save(EDITION_SHEET)
    assert SHEET_EDITION == EDITION, "edition.png shows another edition"
    with Image.open(EDITION_SHEET) as saved:
        released = saved.convert("RGB")
    assert released.size == (13 * CELL, 5 * CELL)

    for name, picture in pictures.items():
        drawn = _on_page(picture, PAGES["dark"], CELL)
        difference = ImageChops.difference(drawn, released.crop(_cell(NAMES.index(name))))
        # Two versions of Pillow may round otherwise; a stroke moved by one pixel of 128 is far more.
        assert max(ImageStat.Stat(difference).mean) < 1, name


@pytest.mark.parametrize("draw", [card_face, plain_card])
def test_whole_cards_are_all_different(draw: Callable[[Card, int], Image.Image]) -> None:
    sprites = [draw(each, 110) for each in PACK] + [card_back(110)]

    assert {each.size for each in sprites} == {(110, round(110 * PROPORTION))}
    assert len({each.tobytes() for each in sprites}) == 53


def test_a_whole_card_has_as_many_pips_as_its_rank() -> None:
    for rank, suit in zip(list(Rank)[:10], cycle(Suit), strict=False):
        each = Card(rank, suit)
        width = 200
        face = card_face(each, width).convert("L").point(lambda light: 255 * (light < 190))
        part = face.crop((width * 48 // 100, 12, width - 12, face.height - 12))

        assert _islands(part) == each.rank.value, each


@pytest.mark.parametrize("rank", [Rank.JACK, Rank.QUEEN, Rank.KING])
def test_a_court_looks_the_same_on_its_head(rank: Rank) -> None:
    sprite = card_face(Card(rank, Suit.HEARTS), 200).convert("RGB")
    court = sprite.crop((100, 24, 180, 248))
    difference = ImageChops.difference(court, court.rotate(180))

    assert max(ImageStat.Stat(difference).mean) < 3


def test_the_colours_for_a_palette_are_those_of_the_cards() -> None:
    asked = set(card_colours())
    for each in PACK[::5]:
        sprite = card_face(each, 130)
        counted = sprite.crop((10, 10, 120, sprite.height - 10)).convert("RGB").getcolors(1 << 20) or []
        assert {colour for count, colour in counted if count > 200} <= asked, each


def _islands(mask: Image.Image) -> int:
    """Number of connected patches of 255."""
    mask = mask.copy()
    found = 0
    while (box := mask.point(lambda ink: 255 * (ink == 255)).getbbox()) is not None:
        across = next(x for x in range(box[0], box[2]) if mask.getpixel((x, box[1])) == 255)
        ImageDraw.floodfill(mask, (across, box[1]), 1)
        found += 1
    return found


def _sheet(pictures: dict[str, bytes]) -> Image.Image:
    """All pictures at `CELL` pixels, one suit per row and the back below."""
    sheet = Image.new("RGB", (13 * CELL, 5 * CELL), PAGES["dark"])
    for index, picture in enumerate(pictures.values()):
        sheet.paste(_on_page(picture, PAGES["dark"], CELL), _cell(index))
    return sheet


def _cell(index: int) -> tuple[int, int, int, int]:
    left, top = index % 13 * CELL, index // 13 * CELL
    return (left, top, left + CELL, top + CELL)


def _opened(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture))


def _on_page(picture: bytes, page: str, size: int) -> Image.Image:
    shown = Image.new("RGB", (size, size), page)
    reduced = _opened(picture).resize((size, size), Image.Resampling.LANCZOS)
    shown.paste(reduced, (0, 0), reduced)
    return shown


def _contrast(one: str, other: str) -> float:
    return _contrast_of(ImageColor.getrgb(one), ImageColor.getrgb(other))


def _contrast_of(one: object, other: object) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2.2 defines it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: object) -> float:
    assert isinstance(colour, tuple)
    red, green, blue = (_linear(part / 255) for part in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


EVERY_SUIT = pytest.mark.parametrize("suit", Suit)


@EVERY_SUIT
def test_a_pip_fills_its_square_and_stays_within_it(suit: Suit) -> None:
    across = [x for polygon in outline(suit) for x, _ in polygon]
    down = [y for polygon in outline(suit) for _, y in polygon]

    assert 0 <= min(across) < 0.05
    assert 0.95 < max(across) <= 1
    assert 0 <= min(down) < 0.05
    assert 0.95 < max(down) <= 1


@EVERY_SUIT
def test_a_pip_is_the_same_on_both_sides(suit: Suit) -> None:
    def rounded(points: Polygon, *, mirrored: bool) -> set[tuple[float, float]]:
        return {(round(1 - x if mirrored else x, 6), round(y, 6)) for x, y in points}

    points = tuple(point for polygon in outline(suit) for point in polygon)
    assert rounded(points, mirrored=True) == rounded(points, mirrored=False)


def test_the_suits_cover_the_square_each_in_its_own_way() -> None:
    bodies = {suit: outline(suit)[0] for suit in Suit}
    areas = [abs(_area(body)) for body in bodies.values()]

    assert len({round(area, 3) for area in areas}) == 4
    assert [len(outline(suit)) for suit in Suit] == [5, 1, 1, 2], "clubs, diamonds, hearts, spades"


def _area(polygon: Polygon) -> float:
    return sum(x * below - next_x * y for (x, y), (next_x, below) in pairwise((*polygon, polygon[0]))) / 2


@pytest.mark.parametrize("shape", Shape)
def test_a_shape_fills_its_square_and_stays_within(shape: Shape) -> None:
    across, down = zip(*shape_outline(shape), strict=True)

    assert min(across) >= -0.005
    assert max(across) <= 1.005
    assert min(down) >= -0.005
    assert max(down) <= 1.005
    assert max(across) - min(across) >= 0.8
    assert max(down) - min(down) >= 0.8


def test_at_ten_pixels_every_two_shapes_differ() -> None:
    masks = {shape: _mask(shape, 10) for shape in Shape}

    for one, other in combinations(Shape, 2):
        difference = ImageChops.difference(masks[one], masks[other])
        assert ImageStat.Stat(difference).sum[0] >= 255 * 12, (one, other)


@pytest.mark.parametrize("colour", Colour)
def test_a_badge_and_a_mark_stand_out_from_a_plate_of_their_colour(colour: Colour) -> None:
    ink = ink_on(colour)
    for sprite in (badge(colour, 50), mark(colour, 50)):
        inked = {pixel: count for count, pixel in sprite.getcolors(1 << 16) or []}
        assert inked[(*ink, 255)] > 100


def _mask(shape: Shape, size: int) -> Image.Image:
    large = Image.new("L", (size * 8, size * 8))
    ImageDraw.Draw(large).polygon([(x * size * 8, y * size * 8) for x, y in shape_outline(shape)], fill=255)
    return large.resize((size, size), Image.Resampling.BOX)
