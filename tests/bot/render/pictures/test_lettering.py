"""Letters and names in pictures: their height, evenness, marks, and what is too long."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render.pictures.lettering import lettering
from bot.render.pictures.names import name_mask

CHARACTERS = "0123456789AJQK+"


def test_a_text_fills_its_height_and_nothing_more() -> None:
    for text, height in product([*"0123456789AJQK", "10", "121", "29"], (20, 58, 98)):
        mask = lettering(text, height=height, pen=height * 0.15)

        box = mask.point(lambda ink: 255 * (ink > 100)).getbbox()
        assert box is not None, (text, height)
        assert mask.height == height
        assert box[3] - box[1] >= height - 1, (text, height)
        assert box[0] <= 1, (text, height)
        assert box[2] >= mask.width - 3, (text, height)


def test_nothing_is_cut_off_at_the_sides() -> None:
    """The outermost columns have the edge of a round pen, not the middle of a stroke that was cut off."""
    for text in (*CHARACTERS, "10"):
        mask = lettering(text, height=100, pen=14)
        for left in (0, mask.width - 1):
            column = mask.crop((left, 0, left + 1, mask.height))
            is_stem = text in "1JK10"
            assert ImageStat.Stat(column).mean[0] < (255 if is_stem else 140), (text, left)


@pytest.mark.parametrize("width", [1.0, 0.8, 0.5])
def test_a_narrower_letter_has_strokes_as_thick(width: float) -> None:
    for character in "1AK04":
        mask = lettering(character, height=100, pen=12, width=width)
        row = mask.crop((0, 80 if character in "1K" else 50, mask.width, 81 if character in "1K" else 51))
        runs = _runs([ink > 127 for ink in row.tobytes()])
        assert runs[0] >= 10, (character, runs)

    stem = lettering("1", height=100, pen=12, width=width).crop((0, 60, 200, 61))
    assert sum(ink > 127 for ink in stem.tobytes()) == pytest.approx(12, abs=1)


def test_no_two_characters_look_alike() -> None:
    for one, other in combinations(CHARACTERS, 2):
        masks = [Image.new("L", (40, 40)) for _ in range(2)]
        for mask, character in zip(masks, (one, other), strict=True):
            mask.paste(lettering(character, height=32, pen=5), (4, 4))
        assert ImageStat.Stat(ImageChops.difference(*masks)).sum[0] > 255 * 30, (one, other)


def test_there_are_no_letters_for_words() -> None:
    with pytest.raises(KeyError):
        lettering("Ada", height=20, pen=3)


def _runs(row: list[bool]) -> list[int]:
    runs, length = [], 0
    for inked in [*row, False]:
        if inked:
            length += 1
        elif length:
            runs.append(length)
            length = 0
    return runs


def shown(name: str, width: int = 800) -> bytes:
    mask = name_mask(name, height=52, width=width)
    assert mask is not None
    assert mask.height == 52
    return mask.tobytes()


def test_a_mark_is_drawn_and_each_is_another() -> None:
    assert len({shown(name) for name in ("e", "é", "è", "ê", "ë", "ē", "ĕ", "ė", "ě", "ę")}) == 10
    assert shown("ï") != shown("i"), "the two dots take the place of the one"
    assert shown("Léa") == shown("Le\u0301a")


@pytest.mark.parametrize(
    ("name", "drawn"), [("Groß", "Gross"), ("🤖\N{NO-BREAK SPACE}Vega", "Vega"), ("Anńa 猫", "Ann\u0301a ")]
)
def test_what_has_no_letter_is_spelled_or_left_out(name: str, drawn: str) -> None:
    assert shown(name) == shown(drawn)


@pytest.mark.parametrize("name", ["", "  ", "ジェーン", "🤖"])
def test_a_name_without_letters_is_not_drawn(name: str) -> None:
    assert name_mask(name, height=52, width=800) is None


def test_a_long_name_is_cut_off_where_the_picture_ends() -> None:
    for width in (100, 300):
        mask = name_mask("Maximiliane" * 20, height=52, width=width)
        assert mask is not None
        assert width - 60 < mask.width <= width + 15
    assert shown("M" * 200, 300) == shown("M" * 100, 300) != shown("M" * 3, 300)
