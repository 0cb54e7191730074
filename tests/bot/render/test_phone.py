"""Estimates of heights on a phone."""

from __future__ import annotations

import pytest

from bot.model.custom_ids import Verb
from bot.render.drawing import DrawnFile
from bot.render.layouts import address, button, link, row, text
from bot.render.phone import picture_rows, rows_in, rows_of


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("", 0.0),
        ("a" * 33, 1.0),
        ("a" * 34, 2.0),
        (f"{'a' * 17} {'b' * 17} {'c' * 17}", 3.0),
        (f"{'a' * 16} {'b' * 16}", 1.0),
        (f"{'a' * 16}\N{NO-BREAK SPACE}{'b' * 16} {'c' * 16}", 2.0),
        ("\N{ROBOT FACE}" * 17, 2.0),
        (f"-# {'a' * 43}", 0.83),
        (f"-# {'a' * 44}", 1.66),
        (f"-# [{'a' * 20}](<https://example.org/{'b' * 40}>) · `{'c' * 10}`", 0.83),
        ("-# </crib fair:123456789012345678>", 0.83),
        (f"-# {'a' * 20} <#123456789012345678>", 0.83),
        (f"-# {'a' * 33} <#123456789012345678>", 1.66),
        (f"## {'a' * 25}", 1.44),
        (f"**{'a' * 33}** <:five_of_hearts:123456789012345678>".replace(" ", ""), 1.0),
    ],
)
def test_a_line_wraps_between_words_by_their_columns_without_markup(line: str, rows: float) -> None:
    assert rows_in([line]) == pytest.approx(rows)


def test_buttons_wrap_and_a_link_has_an_arrow() -> None:
    at = address("k3f9", 1, Verb.REMATCH)
    pressed = [button(at, "Rematch"), button(at, "Review")]
    assert rows_of(row(*pressed)) == pytest.approx(2.33)
    assert rows_of(row(*pressed, link("https://example.org", "Table"))) == pytest.approx(2.33)
    assert rows_of(row(*pressed, link("https://example.org", "The table"))) == pytest.approx(4.66)
    assert rows_of(row(*pressed, button(at, "The table"))) == pytest.approx(2.33)
    assert rows_of(text("a", "b")) == pytest.approx(2.0)
    assert rows_of(None) == 0


def test_a_picture_is_as_wide_as_the_message() -> None:
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (584).to_bytes(4) + (440).to_bytes(4)
    assert picture_rows(DrawnFile(name="a.png", content=header, description="A.")) == pytest.approx(10.0)
