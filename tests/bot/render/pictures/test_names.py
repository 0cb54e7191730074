"""Names in pictures: letters with marks, letters that are none of ours, and names that are too long."""

from __future__ import annotations

import pytest

from bot.render.pictures.names import name_mask


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
    for width in (100, 300, 800):
        mask = name_mask("Maximiliane" * 20, height=52, width=width)
        assert mask is not None
        assert width - 60 < mask.width <= width + 15
    assert shown("M" * 200, 300) == shown("M" * 100, 300) != shown("M" * 3, 300)
