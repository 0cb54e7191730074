"""Where pegs and pawns stand on the boards, at every score and for every target."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import combinations
from math import dist

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from bot.model.colours import Colour, standard_colours
from bot.render.pictures.board import Board, BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.canvas import Canvas
from bot.render.pictures.panels import WIDTH
from bot.render.pictures.piecepack import (
    FOOT,
    HOLES,
    circuits_made,
    draw_piecepack_board,
    empty_piecepack_board,
    place_of,
)
from bot.render.pictures.result import ResultFacts, draw_result
from bot.render.pictures.sprites import PEG
from engine import card

NUMBERS = pytest.mark.parametrize(
    "sides", [2, *(pytest.param(sides, marks=pytest.mark.deep) for sides in (3, 4, 5))]
)
TARGETS = (31, 61, 91, 100, 121, 151, 241, 999)

Pixels = npt.NDArray[np.int16]


def side(colour: Colour, front: int, back: int) -> SideOnBoard:
    return SideOnBoard(colour=colour, front=front, back=back, games_won=0, has_crib=False)


def facts(sides: int = 2, *, front: int = 30, back: int = 20, target: int = 121) -> BoardFacts:
    """A board with the same score for every side."""
    those = tuple(side(colour, front, back) for colour in standard_colours(sides))
    return BoardFacts(target=target, sides=those, starter=None, skunk_lines=())


def drawn(those: BoardFacts) -> Image.Image:
    return Image.open(BytesIO(draw_board(those))).convert("RGBA").convert("RGB")


@NUMBERS
def test_both_pegs_stand_where_their_scores_say(sides: int) -> None:
    """The centre of each hole changes when a peg stands in it, and of no other hole."""
    board = Board(121, sides)
    empty = drawn(facts(sides, front=0, back=0))
    for front in range(2, 121, 29):
        picture = drawn(facts(sides, front=front, back=front - 1))
        for number in range(sides):
            changed_holes = {
                place
                for place in range(1, 121)
                if dist(picture.getpixel(at := _pixel(board.at(number, place))), empty.getpixel(at)) > 40  # type: ignore[arg-type]
            }
            assert changed_holes == {front - 1, front}, (number, front)


def _pixel(at: tuple[float, float]) -> tuple[int, int]:
    return (round(at[0]), round(at[1]))


def test_pegs_have_a_place_at_the_start_and_beyond_the_finish() -> None:
    assert draw_board(facts(front=90, back=90)) == draw_board(facts(front=90, back=89))
    board = Board(121, 2)
    assert board.at(0, -1) < board.at(0, 0) < board.at(0, 1)
    assert board.at(0, 121) == board.at(1, 121) == board.at(0, 130)


@NUMBERS
def test_the_tracks_to_every_target_are_on_the_board_with_holes_apart(sides: int) -> None:
    for target in TARGETS:
        board = Board(target, sides)
        tracks = [[board.at(number, place) for place in range(-1, target)] for number in range(sides)]
        assert board.height < 1200
        for one, other in combinations(tracks, 2):
            assert min(dist(left, right) for left in one[::3] for right in other) >= PEG - 1e-9, target
        for track in tracks:
            assert all(20 < x < WIDTH - 20 and board.top < y < board.height - 20 for x, y in track), target
            assert target > 181 or all(dist(*two) >= 12 for two in combinations(track, 2)), target


@NUMBERS
def test_nothing_of_one_position_stays_on_the_next_board(sides: int) -> None:
    """All positions share one empty board, with its plates."""
    before = draw_board(facts(sides, front=108, back=88))
    draw_board(replace(facts(sides, front=7, back=3), starter=card("5H")))
    assert draw_board(facts(sides, front=108, back=88)) == before


def test_the_order_of_skunk_lines_changes_nothing() -> None:
    one, other = (replace(facts(), skunk_lines=lines) for lines in ((91, 61), (61, 91)))
    assert draw_board(one) == draw_board(other)


# The piecepack board


def hole_at(number: int) -> int:
    """Horizontal position of a row's hole with this number, from 1: fives of 29 apart, a gap of 31."""
    five, within = divmod(number - 1, 5)
    return 104 + five * (4 * 29 + 31) + within * 29


ROWS = ((196, 254), (314, 372))
SPOTS = {("start", 0): (58, 0), ("start", 1): (27, 0), ("goal", 0): (58, 1)} | {
    ("hole", number): (hole_at(number if number <= 30 else 61 - number), int(number > 30))
    for number in range(1, HOLES + 1)
}
"""Horizontal position and row of every spot of a side."""


@lru_cache(maxsize=4)
def _bare(target: int) -> Pixels:
    """The board without pawns."""
    return _pixels(Canvas(empty_piecepack_board(facts(front=0, back=0, target=target))).png(compression=5))


def _pixels(picture: bytes) -> Pixels:
    opened = Image.open(BytesIO(picture)).convert("RGBA").convert("RGB")
    return np.asarray(opened).astype(np.int16)


def seen(those: BoardFacts, number: int) -> set[tuple[str, int, bool]]:
    """Pawns of a side found in the picture: spot, row, and True for a crown.

    A foot hides its hole; a crown is pale.
    """
    picture, bare = _pixels(draw_piecepack_board(those)), _bare(those.target)
    found = set()
    for (kind, which), (x, row) in SPOTS.items():
        y = ROWS[number][row]
        foot = (slice(y + 1, y + 5), slice(x - 6, x + 7))
        if np.abs(picture[foot] - bare[foot]).mean() > 20:
            crown = picture[y - 43 : y - 38, x - 3 : x + 4].reshape(-1, 3)
            found.add((kind, which, bool((crown.mean(axis=0) > (200, 180, 110)).all())))
    return found


def expected(score: int, target: int) -> tuple[str, int, bool]:
    if score == 0:
        return ("start", 0, False)
    if score >= target:
        return ("goal", 0, target > 61)
    return ("hole", (score - 1) % HOLES + 1, score > HOLES)


@pytest.mark.parametrize(("number", "target"), [(0, 121), (1, 121), (0, 61)])
def test_a_pawn_stands_where_its_score_says(number: int, target: int) -> None:
    for score in (*range(0, target + 1, 6), 1, 30, 31, 61, min(119, target), target):
        both = [side(colour, 0, 0) for colour in standard_colours(2)]
        both[number] = side(both[number].colour, score, max(score - 2, 0))
        pawns = {expected(each, target) for each in (score, max(score - 2, 0))}
        if score == 0:
            pawns = {("start", 0, False), ("start", 1, False)}

        assert seen(replace(facts(target=target), sides=tuple(both)), number) == pawns, score


def test_every_score_has_a_place_of_its_own_where_no_pawn_hides_its_neighbour() -> None:
    for number in (0, 1):
        assert len({place_of(score, target=121, side=number) for score in range(122)}) == 122
    places = [place_of(score, target=121, side=0) for score in range(1, HOLES + 1)]
    for one, other in combinations(places, 2):
        assert abs(one.x - other.x) >= FOOT or abs(one.y - other.y) >= FOOT
    assert place_of(100, target=100, side=0) == place_of(100, target=121, side=0)
    assert place_of(140, target=100, side=0) == place_of(100, target=100, side=0)


def test_a_circuit_is_made_by_leaving_its_last_hole() -> None:
    scores = (0, 1, 60, 61, 120, 121, 125)
    assert [circuits_made(score, target=121) for score in scores] == [0, 0, 0, 1, 1, 2, 2]


def test_it_is_for_two_sides() -> None:
    with pytest.raises(ValueError, match="two sides"):
        draw_piecepack_board(facts(sides=3))


@pytest.mark.parametrize("chances", [(), ((0.56, 0.44),)])
def test_a_result_without_a_course_is_the_board_alone(chances: tuple[tuple[float, ...], ...]) -> None:
    result = ResultFacts(board=facts(), is_piecepack=False, chances=chances)

    assert draw_result(result) == draw_board(facts())
    assert draw_result(replace(result, is_piecepack=True)) == draw_piecepack_board(facts())
