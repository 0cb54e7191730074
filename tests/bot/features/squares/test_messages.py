"""The screens of squares: every word through the voice, short enough for a phone, in all languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from bot.features.squares.games import SquaresGame, SquaresRecord
from bot.features.squares.messages import (
    SquaresResult,
    _coloured,
    board_drawing,
    result_drawing,
    share_drawing,
    share_text,
)
from bot.language.languages import LANGUAGES, Language
from bot.render.drawing import Drawing
from bot.render.messages.board import COLUMNS
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import PACK, card, count_squares
from tests.bot.render.games import EMOJIS, components, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, unspoken

DAY = date(2026, 11, 27)
CARDS = tuple(sorted(PACK)[24:41])
RESULT = SquaresResult(
    day=DAY,
    grid=CARDS[:16],
    starter=card("JH"),
    count=count_squares(CARDS[:16], card("JH")),
    best=300,
    record=SquaresRecord(finished=1200, won=1000, streak=3, longest=90),
)


def screens(voice: Voice) -> Iterator[tuple[str, Drawing]]:
    """Every screen."""
    for number in (0, 7, 15):
        game = SquaresGame(day=DAY, cells=tuple(range(number)))
        yield "board", board_drawing(game, CARDS[: number + 1], voice)
    lost = replace(RESULT.count, rows=(0, 0, 0, 0), columns=(0, 0, 0, 1))
    for count, best in (
        (RESULT.count, 300),
        (RESULT.count, 1),
        (RESULT.count, RESULT.count.total),
        (lost, 9),
    ):
        result = replace(RESULT, count=count, best=best)
        for is_today in (True, False):
            yield "result", result_drawing(result, voice, is_today=is_today)
        yield "share", share_drawing("Ada", result, voice)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_screen_is_within_the_limits(code: str) -> None:
    for faces in (Faces(), Faces(EMOJIS)):
        for name, drawing in screens(Voice(Language.of(code), faces)):
            assert beyond_limits(drawing) == [], name


def test_every_word_goes_through_the_voice() -> None:
    for name, drawing in screens(PSEUDO_VOICE):
        assert unspoken(drawing, "Ada", PSEUDO_VOICE.language.date(DAY)) == [], name


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_line_of_the_grid_fits_on_a_phone(code: str) -> None:
    said = words(result_drawing(RESULT, Voice(Language.of(code)), is_today=True))
    table = said.split("```")[1].strip("\n").splitlines()
    assert len(table) == 6
    assert max(map(len, table)) <= COLUMNS


def test_a_free_cell_has_its_row_and_column_and_a_filled_one_its_card() -> None:
    game = SquaresGame(day=DAY, cells=(6,))
    buttons = [each for each in components(board_drawing(game, CARDS[:2], Voice())) if each["type"] == 2]
    assert [each["label"] for each in buttons[:6]] == ["1·1", "1·2", "1·3", "1·4", "2·1", "2·2"]
    assert buttons[6]["label"].startswith(Voice().faces.plain(CARDS[0]))
    assert [each["disabled"] for each in buttons] == [cell == 6 for cell in range(16)]


def test_a_result_says_won_short_and_heels() -> None:
    said = words(result_drawing(replace(RESULT, best=RESULT.count.total), Voice(), is_today=True))
    assert "won (61 or more)" in said
    assert "My search found nothing better." in said
    assert "His heels: +2." in said
    lost = replace(RESULT, count=replace(RESULT.count, rows=(14,) * 4, columns=(0, 0, 0, 2), heels=0))
    said = words(result_drawing(lost, Voice(), is_today=True))
    assert "3 short of 61" in said
    assert "His heels" not in said
    assert "beats the best" in words(result_drawing(replace(lost, best=57), Voice(), is_today=True))


def test_colours_follow_the_points() -> None:
    assert _coloured((0, 1, 2, 4, 5, 7, 8, 11, 12, 29)) == "⬜⬜🟧🟧🟨🟨🟩🟩🟦🟦"
    assert "3 days 🔥" in share_text(RESULT, Voice())
