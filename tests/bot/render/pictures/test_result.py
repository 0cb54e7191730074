"""The picture of a result: its curve follows the chances; its size is limited."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from bot.model.colours import Colour, standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.panels import WIDTH
from bot.render.pictures.piecepack import draw_piecepack_board
from bot.render.pictures.result import PLAQUE_HEIGHT, Chances, ResultFacts, draw_result, point_of
from engine import card

SWING = (0.56, 0.70, 0.35, 0.62, 0.10, 0.05, 1.0)
"""The first side's chance: it leads, falls behind, leads again, and wins from far behind."""

TWO = tuple((each, 1 - each) for each in SWING)
THREE: tuple[Chances, ...] = (
    (0.50, 0.30, 0.20),
    (0.05, 0.70, 0.25),
    (0.50, 0.20, 0.30),
    (0.25, 0.15, 0.60),
    (0.0, 1.0, 0.0),
)

Pixels = npt.NDArray[np.int16]


def result(
    chances: tuple[Chances, ...], *, is_piecepack: bool = False, turn: int | None = None
) -> ResultFacts:
    count = len(chances[0]) if chances else 2
    sides = tuple(
        SideOnBoard(
            colour=colour,
            front=121 if number == 0 else 80 + 12 * number,
            back=115 - 7 * number,
            games_won=number + 1,
            has_crib=number == 0,
        )
        for number, colour in enumerate(standard_colours(count))
    )
    board = BoardFacts(target=121, sides=sides, starter=card("5D"), skunk_lines=(61, 91))
    return ResultFacts(board=board, is_piecepack=is_piecepack, chances=chances, turn=turn)


@lru_cache(maxsize=8)
def pixels(facts: ResultFacts) -> Pixels:
    picture = Image.open(BytesIO(draw_result(facts))).convert("RGBA").convert("RGB")
    return np.asarray(picture).astype(np.int16)


def is_painted(patch: Pixels, colour: Colour) -> npt.NDArray[np.bool_]:
    near: npt.NDArray[np.bool_] = np.abs(patch - np.array(colour.rgb)).max(axis=-1) < 24
    return near


@pytest.mark.parametrize("is_piecepack", [False, True])
def test_the_curve_swings_around_the_middle_as_the_chances_do(is_piecepack: bool) -> None:
    facts = result(TWO, is_piecepack=is_piecepack)
    picture = pixels(facts)
    for part in range(4 * (len(SWING) - 1)):
        moment = part // 4
        chance = np.interp(part / 4 + 0.125, range(len(SWING)), SWING)
        x, edge = point_of(0, float(chance), facts=facts)
        left, right = (point_of(each, 0.5, facts=facts)[0] for each in (moment, moment + 1))
        x = left + (right - left) * (part % 4 + 0.5) / 4
        top, middle, bottom = (round(point_of(0, each, facts=facts)[1]) for each in (1.0, 0.5, 0.0))
        column = picture[top:bottom, round(x)]
        ahead, behind = (is_painted(column, each) for each in (Colour.RED, Colour.BLUE))
        height = round(edge) - middle
        painted, other = (ahead, behind) if height < 0 else (behind, ahead)

        assert not other.any(), part
        assert painted.sum() == pytest.approx(abs(height), abs=9), part
        if abs(height) > 12:
            rows = np.flatnonzero(painted) + top - middle
            assert rows.min() >= min(height, 0) - 2
            assert rows.max() <= max(height, 0) + 2


def test_each_deal_has_a_dot_on_the_curve() -> None:
    facts = result(TWO)
    for moment, chance in enumerate(SWING):
        x, y = (round(each) for each in point_of(moment, chance, facts=facts))

        assert pixels(facts)[y - 1 : y + 2, x - 1 : x + 2].min() > 200, moment


def test_more_sides_have_a_line_each() -> None:
    facts = result(THREE)
    picture = pixels(facts)
    for side, colour in enumerate(standard_colours(3)):
        for moment, chances in enumerate(THREE[:-1]):
            x, y = (round(each) for each in point_of(moment, chances[side], facts=facts))

            assert is_painted(picture[y - 1 : y + 2, x - 1 : x + 2], colour).all(), (side, moment)


def test_another_chance_is_another_picture() -> None:
    changed = (*TWO[:2], (0.36, 0.64), *TWO[3:])

    assert draw_result(result(TWO)) != draw_result(result(changed))


def test_the_deal_that_turned_the_game_is_marked_from_its_beginning_to_its_end() -> None:
    plain, marked = (pixels(result(TWO, turn=turn)) for turn in (None, 3))
    facts = result(TWO)
    columns = np.flatnonzero((plain != marked).any(axis=(0, 2)))
    start, end = (point_of(moment, 0.5, facts=facts)[0] for moment in (2, 3))

    assert columns.min() == pytest.approx(start, abs=2)
    assert columns.max() == pytest.approx(end, abs=2)


@pytest.mark.parametrize("chances", [(), ((0.56, 0.44),)])
def test_without_a_course_there_is_the_board_alone(chances: tuple[Chances, ...]) -> None:
    facts = result(chances)

    assert draw_result(facts) == draw_board(facts.board)
    assert draw_result(replace(facts, is_piecepack=True)) == draw_piecepack_board(facts.board)


@pytest.mark.parametrize("is_piecepack", [False, True])
def test_the_board_stands_above_as_it_was(is_piecepack: bool) -> None:
    facts = result(TWO, is_piecepack=is_piecepack)
    alone = pixels(replace(facts, chances=()))
    above = pixels(facts)[: len(alone)]

    assert len(pixels(facts)) - len(alone) - PLAQUE_HEIGHT in range(20)
    # Sprites may be reduced to a colour of the plaque that comes nearer.
    assert (alone != above).any(axis=2).mean() < 0.01
    assert np.abs(alone - above).mean() < 0.2


FOUR = tuple((0.4, 0.3, 0.2, 0.1) if each % 2 else (0.1, 0.2, 0.3, 0.4) for each in range(12))


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(result(TWO, turn=3), id="two"),
        pytest.param(result(TWO, is_piecepack=True, turn=3), id="piecepack"),
        pytest.param(result(THREE, turn=1), id="three", marks=pytest.mark.deep),
        pytest.param(result(FOUR), id="four", marks=pytest.mark.deep),
    ],
)
def test_a_picture_is_small_and_the_same_each_time(facts: ResultFacts) -> None:
    picture = draw_result(facts)
    opened = Image.open(BytesIO(picture))

    assert opened.format == "PNG"
    assert opened.width == WIDTH <= 1100
    assert len(picture) <= 40_000
    assert draw_result(facts) == picture


def test_board_and_plaque_are_seen_on_every_background() -> None:
    picture = Image.open(BytesIO(draw_result(result(TWO)))).convert("RGBA")
    alpha = np.asarray(picture.getchannel("A"))
    between = len(pixels(result(()))) + 3

    assert not alpha[between].any(), "between them the page is seen"
    assert (alpha[12 : between - 12, 12:-12] == 255).all()
    assert (alpha[between + 16 : -12, 12:-12] == 255).all()
