"""Measurable properties of the picture of a show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import product
from random import Random

import pytest
from PIL import Image, ImageChops

from bot.model.colours import Colour, standard_colours
from bot.render.pictures import canvas
from bot.render.pictures.show import WIDTH, HandInPicture, Layout, ShowFacts, draw_show, empty_show
from bot.render.pictures.sprites import BACK
from engine import PACK, card, cards

RED, BLUE = standard_colours(2)
SHOW = ShowFacts(
    starter=card("5D"),
    hands=(
        HandInPicture(colour=BLUE, cards=cards("5H 5C JD QS"), points=21, is_crib=False),
        HandInPicture(colour=RED, cards=cards("2D 3S 4H 8C"), points=8, is_crib=False),
        HandInPicture(colour=RED, cards=cards("9D 9C KH AS"), points=8, is_crib=True),
    ),
)
SHAPES = [(rows, long) for rows in (2, 3, 4, 5) for long in (4, 5)]


def drawn(facts: ShowFacts) -> Image.Image:
    return Image.open(BytesIO(draw_show(facts))).convert("RGBA").convert("RGB")


def changed(one: ShowFacts, other: ShowFacts) -> tuple[int, int, int, int]:
    """Bounding box of the difference between two shows."""
    box = ImageChops.difference(drawn(one), drawn(other)).getbbox()
    assert box is not None, "the two pictures are equal"
    return box


def with_hand(row: int, **changes: object) -> ShowFacts:
    hands = list(SHOW.hands)
    hands[row] = replace(hands[row], **changes)  # type: ignore[arg-type]
    return replace(SHOW, hands=tuple(hands))


def test_each_card_lies_in_its_place_of_its_row() -> None:
    for row, number in product(range(3), (0, 3)):
        place = Layout(3, 4)
        hand = list(SHOW.hands[row].cards)
        hand[number] = card("7S")
        left, top, right, bottom = changed(SHOW, with_hand(row, cards=tuple(hand)))

        start = place.left + number * place.step
        assert start <= left < right <= start + place.card_width, (row, number)
        assert place.top(row) <= top < bottom <= place.top(row) + place.card_height, (row, number)


def test_nothing_overlaps() -> None:
    for rows, long in SHAPES:
        place = Layout(rows, long)

        assert place.step > place.card_width
        assert place.starter[0] + place.card_width < place.left
        assert place.left + long * place.step <= place.panel
        assert all(place.top(row) + place.card_height < place.top(row + 1) for row in range(rows - 1))
        assert place.top(rows - 1) + place.card_height < place.height


def test_the_starter_lies_apart() -> None:
    place = Layout(3, 4)
    left, _, right, _ = changed(SHOW, replace(SHOW, starter=card("AH")))

    assert 0 < left < right < place.left


@pytest.mark.parametrize("change", [{"points": 12}, {"points": 29}, {"points": None}, {"is_crib": True}])
def test_points_and_crib_stand_beside_the_cards(change: dict[str, object]) -> None:
    place = Layout(3, 4)
    left, top, right, bottom = changed(SHOW, with_hand(1, **change))

    assert place.panel <= left < right < WIDTH
    assert place.top(1) <= top < bottom <= place.top(1) + place.card_height


def test_the_crib_is_marked_by_cards_face_down() -> None:
    place = Layout(3, 4)
    shown = drawn(SHOW)

    for row, hand in enumerate(SHOW.hands):
        panel = shown.crop((place.panel, place.top(row), WIDTH - 20, place.top(row) + place.card_height))
        backs = sum(count for count, colour in panel.getcolors(1 << 16) or [] if colour == BACK)
        assert (backs > 200) == hand.is_crib


def test_points_stand_on_the_colour_of_the_side() -> None:
    for colour in Colour:
        place = Layout(3, 4)
        shown = drawn(with_hand(0, colour=colour))

        assert shown.getpixel((place.panel + 20, place.top(0) + place.card_height // 2)) == colour.rgb


def test_all_points_look_different() -> None:
    assert len({draw_show(with_hand(0, points=points)) for points in (None, *range(30))}) == 31


def test_a_show_is_small_enough() -> None:
    for rows, long in SHAPES[1::2]:
        for facts in some_shows(rows, long, 1):
            picture = draw_show(facts)
            opened = Image.open(BytesIO(picture))
            assert len(picture) <= 30 * 1024
            assert (opened.format, opened.mode) == ("PNG", "P")
            assert opened.width == WIDTH <= 1100
            assert opened.height <= 800


def test_equal_facts_give_equal_pictures() -> None:
    first = draw_show(SHOW)
    draw_show(with_hand(0, points=3))
    empty_show.cache_clear()

    assert draw_show(SHOW) == first


def test_corners_are_transparent_and_nothing_else_is() -> None:
    alpha = Image.open(BytesIO(draw_show(SHOW))).convert("RGBA").getchannel("A")
    last = (alpha.width - 1, alpha.height - 1)

    assert [alpha.getpixel(at) for at in ((0, 0), (last[0], 0), (0, last[1]), last)] == [0] * 4
    assert alpha.crop((12, 12, alpha.width - 12, alpha.height - 12)).getextrema() == (255, 255)


def some_shows(rows: int, long: int, number: int) -> Iterator[ShowFacts]:
    random = Random(rows * 10 + long)
    for _ in range(number):
        starter, *rest = random.sample(PACK, rows * long + 1)
        colours = random.sample(list(Colour), 4)
        yield ShowFacts(
            starter=starter,
            hands=tuple(
                HandInPicture(
                    colour=colours[row % 4],
                    cards=tuple(rest[row * long : (row + 1) * long]),
                    points=random.randrange(30),
                    is_crib=row == rows - 1,
                )
                for row in range(rows)
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
