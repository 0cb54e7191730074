"""The piecepack board: positions of pawns, legibility, and the size of its file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageChops, ImageDraw

from bot.model.colours import Colour
from bot.render.pictures.board import BoardFacts, SideOnBoard
from bot.render.pictures.canvas import Canvas
from bot.render.pictures.panels import WIDTH
from bot.render.pictures.piecepack import (
    FOOT,
    HEIGHT,
    HOLES,
    PiecepackSuit,
    circuits_made,
    draw_piecepack_board,
    empty_piecepack_board,
    place_of,
    suit_outline,
)
from bot.render.pictures.sprites import BRASS
from engine import card

PHONE = 340
"""Width of a picture on a phone, in CSS pixels."""

_GROUPS = 6
_FIVE = 5
_ROWS = ((196, 254), (314, 372))


def side(colour: Colour, front: int, back: int, *, games_won: int = 0, has_crib: bool = False) -> SideOnBoard:
    return SideOnBoard(colour=colour, front=front, back=back, games_won=games_won, has_crib=has_crib)


def board(front: int = 0, back: int = 0, others: int = 0, *, target: int = 121) -> BoardFacts:
    sides = (side(Colour.RED, front, back), side(Colour.BLUE, others, max(others - 7, 0)))
    return BoardFacts(target=target, sides=sides, starter=None, skunk_lines=())


Pixels = npt.NDArray[np.int16]


@lru_cache(maxsize=4)
def pixels(facts: BoardFacts) -> Pixels:
    return _opened(draw_piecepack_board(facts))


@lru_cache(maxsize=4)
def _bare(colours: tuple[Colour, ...], target: int) -> Pixels:
    """The board without pawns."""
    sides = tuple(side(each, 0, 0) for each in colours)
    facts = BoardFacts(target=target, sides=sides, starter=None, skunk_lines=())
    return _opened(Canvas(empty_piecepack_board(facts)).png(compression=5))


def _opened(picture: bytes) -> Pixels:
    opened = Image.open(BytesIO(picture)).convert("RGBA").convert("RGB")
    return np.asarray(opened).astype(np.int16)


def hole_at(number: int) -> int:
    """Horizontal position of a row's hole with this number, from 1: fives of 29 apart, a gap of 31."""
    five, within = divmod(number - 1, _FIVE)
    return 104 + five * (4 * 29 + 31) + within * 29


SPOTS = {("start", 0): (58, 0), ("start", 1): (27, 0), ("goal", 0): (58, 1)} | {
    ("hole", number): (hole_at(number if number <= 30 else 61 - number), int(number > 30))
    for number in range(1, HOLES + 1)
}
"""Horizontal position and row of every spot of a side."""


def seen(facts: BoardFacts, number: int) -> set[tuple[str, int, bool]]:
    """Pawns of a side found in the picture: spot, row, and True for a crown.

    A foot hides its hole; a crown is pale.
    """
    picture, bare = pixels(facts), _bare(tuple(each.colour for each in facts.sides), facts.target)
    found = set()
    for (kind, which), (x, row) in SPOTS.items():
        y = _ROWS[number][row]
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


@pytest.mark.parametrize("number", [0, 1])
def test_a_pawn_stands_where_its_score_says(number: int) -> None:
    for score in (*range(0, 122, 6), 1, 61, 119, 121):
        mine = side(Colour.RED if number == 0 else Colour.BLUE, score, max(score - 2, 0))
        theirs = side(Colour.BLUE if number == 0 else Colour.RED, 0, 0)
        sides = (mine, theirs) if number == 0 else (theirs, mine)
        facts = BoardFacts(target=121, sides=sides, starter=None, skunk_lines=())
        both = {expected(score, 121), expected(max(score - 2, 0), 121)}
        if score == 0:
            both = {("start", 0, False), ("start", 1, False)}

        assert seen(facts, number) == both, score


def test_both_scores_are_read_from_one_picture() -> None:
    for front, other in ((5, 61), (60, 120), (89, 29), (121, 119), (31, 91)):
        facts = board(front, front - 3, other)

        assert expected(front, 121) in seen(facts, 0)
        assert expected(other, 121) in seen(facts, 1)


def test_once_around_is_a_game_of_61() -> None:
    for score in (0, 30, 31, 60, 61):
        facts = board(score, max(score - 4, 0), target=61)

        assert expected(score, 61) in seen(facts, 0)


def test_every_score_has_a_place_of_its_own() -> None:
    for number in (0, 1):
        places = [place_of(score, target=121, side=number) for score in range(122)]

        assert len(set(places)) == 122


def test_other_targets_end_in_the_hole_that_they_name() -> None:
    assert place_of(100, target=100, side=0) == place_of(100, target=121, side=0)
    assert place_of(140, target=100, side=0) == place_of(100, target=100, side=0)


@pytest.mark.parametrize(
    ("score", "circuits"), [(0, 0), (1, 0), (60, 0), (61, 1), (120, 1), (121, 2), (125, 2)]
)
def test_a_circuit_is_made_by_leaving_its_last_hole(score: int, circuits: int) -> None:
    assert circuits_made(score, target=121) == circuits


def test_dice_count_circuits_and_games() -> None:
    plain = board(30, 20)
    assert _changed(plain, board(61, 60, 0)) & _dice_of(0)
    for won in range(1, 12):
        sides = (replace(plain.sides[0], games_won=won), plain.sides[1])
        before = (replace(plain.sides[0], games_won=won - 1), plain.sides[1])
        changed = _changed(replace(plain, sides=before), replace(plain, sides=sides))

        assert changed, won
        assert changed <= _dice_of(0), won


def test_every_number_of_games_has_a_die_of_its_own() -> None:
    plain = board(30, 20)
    sides = [(replace(plain.sides[0], games_won=won), plain.sides[1]) for won in range(14)]
    pictures = {draw_piecepack_board(replace(plain, sides=each)) for each in sides}

    assert len(pictures) == 14


def test_once_around_needs_no_die_for_circuits() -> None:
    picture = pixels(board(61, 55, target=61))
    left, top = 8 * min(_dice_of(0))[0], 10
    dice = picture[top:136, left : left + 60].reshape(-1, 3)

    assert not (np.abs(dice - np.array(BRASS)).max(axis=1) < 12).any()


def test_a_panel_shows_the_score_of_the_front_pawn() -> None:
    panel = {(x, y) for x in range(48) for y in range(16)}

    assert not _changed(board(30, 20), board(30, 25)) & panel
    assert _changed(board(30, 20), board(31, 20)) & panel


def test_each_side_has_coins_of_two_suits() -> None:
    picture = pixels(board())
    marks = []
    for row, _ in _ROWS:
        for five in range(_GROUPS):
            x, y = hole_at(_FIVE * five + 2), row + 29
            coin = picture[y - 9 : y + 10, x - 9 : x + 10].sum(axis=2) < 520
            marks.append(coin)
    differing = [[(one != other).sum() > 40 for other in marks] for one in marks]

    for one in range(2 * _GROUPS):
        for other in range(2 * _GROUPS):
            assert differing[one][other] == (one // 3 != other // 3), (one, other)


def test_the_starter_and_the_crib_are_shown() -> None:
    plain = board(30, 20)

    assert _changed(plain, replace(plain, starter=card("5D")))
    assert _changed(replace(plain, starter=card("5D")), replace(plain, starter=card("5H")))
    for number in (0, 1):
        sides = [replace(each, has_crib=place == number) for place, each in enumerate(plain.sides)]
        assert _changed(plain, replace(plain, sides=tuple(sides)))


def _changed(one: BoardFacts, other: BoardFacts) -> set[tuple[int, int]]:
    """Cells of eight pixels in which two pictures differ, as column and row."""
    differs = (pixels(one) != pixels(other)).any(axis=2)
    return {(int(x) // 8, int(y) // 8) for y, x in np.argwhere(differs)}


def _dice_of(number: int) -> set[tuple[int, int]]:
    left = (50, 105)[number] - 2
    return {(x, y) for x in range(left, left + 11) for y in range(17)}


def test_the_same_facts_make_the_same_picture() -> None:
    assert draw_piecepack_board(board(88, 81, 70)) == draw_piecepack_board(board(88, 81, 70))


@pytest.mark.parametrize("colours", list(zip(Colour, (*list(Colour)[1:], Colour.RED), strict=True)))
def test_a_picture_is_small_and_legible_in_every_colour(colours: tuple[Colour, Colour]) -> None:
    sides = (
        side(colours[0], 88, 81, games_won=2, has_crib=True),
        side(colours[1], 119, 103, games_won=12),
    )
    facts = BoardFacts(target=121, sides=sides, starter=card("KD"), skunk_lines=())
    picture = draw_piecepack_board(facts)
    opened = Image.open(BytesIO(picture))

    assert (opened.format, opened.size) == ("PNG", (WIDTH, HEIGHT))
    assert WIDTH <= 1100
    assert len(picture) <= 32_000
    assert {each for number in (0, 1) for each in seen(facts, number) if each[2]} >= {("hole", 28, True)}


def test_corners_are_transparent_and_all_else_is_not() -> None:
    alpha = Image.open(BytesIO(draw_piecepack_board(board(8, 2)))).convert("RGBA").getchannel("A")

    for corner in ((0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)):
        assert alpha.getpixel(corner) == 0
    assert alpha.crop((12, 12, WIDTH - 12, HEIGHT - 12)).getextrema() == (255, 255)


def test_a_pawn_is_nine_pixels_wide_on_a_phone_and_hides_no_neighbour() -> None:
    assert FOOT * PHONE / WIDTH >= 9
    places = [place_of(score, target=121, side=0) for score in range(1, HOLES + 1)]
    for one, other in combinations(places, 2):
        assert abs(one.x - other.x) >= FOOT or abs(one.y - other.y) >= FOOT


def test_the_suits_fill_their_square_and_differ() -> None:
    drawn = []
    for suit in PiecepackSuit:
        mask = Image.new("L", (80, 80))
        across = [(round(x * 79), round(y * 79)) for x, y in suit_outline(suit)]
        ImageDraw.Draw(mask).polygon(across, fill=255)
        box = mask.getbbox()
        assert box is not None
        assert min(box[2] - box[0], box[3] - box[1]) > 55, suit
        drawn.append(mask)
    for one, other in combinations(drawn, 2):
        assert np.asarray(ImageChops.difference(one, other)).mean() > 25


@pytest.mark.parametrize("sides", [1, 3])
def test_it_is_for_two_sides(sides: int) -> None:
    facts = replace(board(), sides=tuple(side(colour, 0, 0) for colour in list(Colour)[:sides]))

    with pytest.raises(ValueError, match="two sides"):
        draw_piecepack_board(facts)
