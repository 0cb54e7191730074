"""Measurable properties of the picture of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from math import dist
from random import Random

import pytest
from PIL import Image, ImageChops

from bot.model.colours import Colour, standard_colours
from bot.render.pictures.board import Board, BoardFacts, SideOnBoard, draw_board, wooden_board
from bot.render.pictures.panels import WIDTH
from bot.render.pictures.sprites import PEG, digits, ink_on, peg
from engine import PACK, card

PHONE = 340
"""Width of a picture on a phone, in CSS pixels."""
NUMBERS = pytest.mark.parametrize(
    "sides", [2, *(pytest.param(sides, marks=pytest.mark.deep) for sides in (3, 4, 5))]
)
TARGETS = (31, 61, 91, 100, 121, 151, 241, 999)


def facts(sides: int = 2, *, front: int = 30, back: int = 20, target: int = 121) -> BoardFacts:
    """A board with the same score for every side."""
    return BoardFacts(
        target=target,
        sides=tuple(
            SideOnBoard(colour=colour, front=front, back=back, games_won=0, has_crib=False)
            for colour in standard_colours(sides)
        ),
        starter=None,
        skunk_lines=(91, 61) if target == 121 else (),
    )


def drawn(those: BoardFacts) -> Image.Image:
    return Image.open(BytesIO(draw_board(those))).convert("RGBA")


def changed(one: BoardFacts, other: BoardFacts) -> tuple[int, int, int, int]:
    """Bounding box of the difference between two boards."""
    difference = ImageChops.difference(drawn(one).convert("RGB"), drawn(other).convert("RGB"))
    box = difference.getbbox()
    assert box is not None, "the two pictures are equal"
    return box


def with_first(those: BoardFacts, **changes: object) -> BoardFacts:
    return replace(those, sides=(replace(those.sides[0], **changes), *those.sides[1:]))  # type: ignore[arg-type]


@NUMBERS
def test_both_pegs_stand_where_their_scores_say(sides: int) -> None:
    """The centre of each hole changes when a peg stands in it, and of no other hole."""
    board = Board(121, sides)
    empty = drawn(facts(sides, front=0, back=0)).convert("RGB")
    for front in range(2, 121, 29):
        picture = drawn(facts(sides, front=front, back=front - 1)).convert("RGB")
        for side in range(sides):
            changed_holes = {
                place
                for place in range(1, 121)
                if dist(picture.getpixel(at := _pixel(board.at(side, place))), empty.getpixel(at)) > 40  # type: ignore[arg-type]
            }
            assert changed_holes == {front - 1, front}, (side, front)


def test_both_pegs_stand_before_the_first_hole_when_the_game_begins() -> None:
    board = Board(121, 2)
    start, later = drawn(facts(front=0, back=0)), drawn(facts(front=9, back=4))

    for side in (0, 1):
        for place in (-1, 0):
            centre = _pixel(board.at(side, place))
            assert start.getpixel(centre) != later.getpixel(centre)
    assert board.at(0, -1) < board.at(0, 0) < board.at(0, 1)


def test_both_pegs_stand_one_behind_the_other_where_a_game_begins_on_the_way() -> None:
    begun, one_behind = facts(front=90, back=90), facts(front=90, back=89)

    assert drawn(begun).tobytes() == drawn(one_behind).tobytes()


def test_a_score_past_the_target_stands_in_the_finish() -> None:
    assert Board(121, 2).at(0, 121) == Board(121, 2).at(1, 121) == Board(121, 2).at(0, 130)
    first = with_first(facts(), front=121)
    box = changed(first, with_first(facts(), front=124))

    assert box[3] < Board(121, 2).top, "only the number differs"


@NUMBERS
def test_no_two_tracks_overlap(sides: int) -> None:
    for target in TARGETS:
        board = Board(target, sides)
        places = range(-1, target)
        tracks = [[board.at(side, place) for place in places] for side in range(sides)]

        for one, other in combinations(tracks, 2):
            assert min(dist(left, right) for left in one[::3] for right in other) >= PEG - 1e-9, target


@NUMBERS
def test_the_holes_of_a_track_are_apart_and_on_the_board(sides: int) -> None:
    for target in (31, 61, 91, 121, 181):
        board = Board(target, sides)
        for side in range(sides):
            holes = [board.at(side, place) for place in range(-1, target + 1)]
            assert all(dist(*two) >= 12 for two in combinations(holes, 2)), target
            assert all(20 < x < WIDTH - 20 and board.top < y < board.height - 20 for x, y in holes), target


@pytest.mark.parametrize("target", [61, 121])
def test_holes_are_in_groups_of_five(target: int) -> None:
    board = Board(target, 2)
    apart = [dist(board.at(0, place), board.at(0, place + 1)) for place in range(1, 26)]

    assert {round(each) for number, each in enumerate(apart[:24], start=1) if number % 5} == {board.step}
    assert all(each > 1.4 * board.step for number, each in enumerate(apart[:24], start=1) if number % 5 == 0)


def test_one_street_of_thirty_ends_where_the_track_has_turned() -> None:
    board = Board(121, 2)
    heights = [board.at(0, place)[1] for place in (1, 25, 31, 55, 61, 85, 91, 120)]

    assert heights[0::2] == heights[1::2]
    assert heights == sorted(heights)
    assert board.streets == 4


@NUMBERS
def test_pegs_and_digits_can_be_seen_on_a_phone(sides: int) -> None:
    """At least 9 pixels for a peg, and 18 for a digit."""
    for colour in Colour:
        box = peg(colour).getchannel("A").point(lambda alpha: 255 * (alpha > 200)).getbbox()
        assert box is not None
        assert min(box[2] - box[0], box[3] - box[1]) * PHONE / WIDTH >= 9, colour

    for score in (8, 47, 119):
        shown = drawn(facts(sides, front=score)).convert("RGB")
        ink = ink_on(Colour.RED)
        # The badge left of the number is of the same ink.
        part = shown.crop((20 + (70 if sides < 5 else 45), 0, 20 + 840 // sides, 120))
        other = ImageChops.difference(part, Image.new("RGB", part.size, ink)).convert("L")
        box = other.point(lambda difference: 255 * (difference == 0)).getbbox()
        assert box is not None
        assert (box[3] - box[1]) * PHONE / WIDTH >= 18


@pytest.mark.parametrize(
    "colour", [Colour.RED, *(pytest.param(each, marks=pytest.mark.deep) for each in list(Colour)[1:])]
)
def test_a_peg_stands_out_from_the_lane_that_is_stained_in_its_colour(colour: Colour) -> None:
    """Its colour differs, and its rim is darker than the lane."""
    those = with_first(facts(), colour=colour)
    board, picture = Board(121, 2), drawn(those).convert("RGB")
    between = [sum(each) / 2 for each in zip(board.at(0, 45), board.at(0, 46), strict=True)]
    lane = picture.getpixel((round(between[0]), round(between[1])))
    assert isinstance(lane, tuple)
    assert dist(lane, colour.rgb) > 80

    head = peg(colour)
    solid = [
        (x, y)
        for y in range(head.height)
        for x in range(head.width)
        if head.getpixel((x, y))[3] == 255  # type: ignore[index]
    ]
    darkest = min(sum(head.getpixel(place)[:3]) for place in solid)  # type: ignore[index]
    assert darkest < sum(lane) / 2


@NUMBERS
def test_the_longest_score_leaves_the_badge_free(sides: int) -> None:
    room = (WIDTH - 40 - 82) // sides - 10
    height, badge = {2: (70, 72), 5: (54, 42)}.get(sides, (58, 72))
    widest = max(digits(str(score), height=height, ink=(0, 0, 0)).width for score in range(122))

    assert widest <= room - badge


@NUMBERS
def test_each_score_stands_on_a_plate_in_its_colour(sides: int) -> None:
    shown = drawn(facts(sides)).convert("RGB")

    for number, colour in enumerate(standard_colours(sides)):
        assert shown.getpixel((20 + number * (878 // sides) + 100, 24)) == colour.rgb


@NUMBERS
def test_a_changed_score_changes_its_number_and_its_pegs_only(sides: int) -> None:
    x, y = Board(121, sides).at(0, 15)
    box = changed(with_first(facts(sides), front=13), with_first(facts(sides), front=15))

    assert box[2] <= x + PEG
    assert box[3] <= y + PEG


@NUMBERS
@pytest.mark.parametrize(
    "change", [{"has_crib": True}, {"games_won": 1}, {"games_won": 3}, {"games_won": 12}]
)
def test_crib_and_games_won_stand_on_the_plate_of_the_side(sides: int, change: dict[str, object]) -> None:
    left, top, right, bottom = changed(facts(sides), with_first(facts(sides), **change))

    assert left > 20 + 60
    assert right <= 20 + 878 // sides - 10
    assert top >= 18
    assert bottom <= 130


def test_each_number_of_games_won_looks_different() -> None:
    pictures = {draw_board(with_first(facts(), games_won=games)) for games in range(8)}

    assert len(pictures) == 8


def test_the_starter_is_face_up_when_it_is_cut() -> None:
    pictures = {draw_board(replace(facts(), starter=starter)) for starter in (None, *PACK[::4])}
    assert len(pictures) == 14
    left, _, _, bottom = changed(facts(), replace(facts(), starter=card("5H")))

    assert left >= WIDTH - 20 - 82
    assert bottom <= 130


@pytest.mark.deep
@NUMBERS
def test_skunk_lines_cross_the_track_between_two_holes(sides: int) -> None:
    board, skunk_lines = Board(121, sides), (61, 91, 100, 28, 29)
    plain, lined = (
        drawn(replace(facts(sides, front=121, back=121), skunk_lines=lines)).convert("RGB")
        for lines in ((), skunk_lines)
    )
    for line in skunk_lines:
        start, end = board.before(line)
        middle = (round((start[0] + end[0]) / 2), round((start[1] + end[1]) / 2))
        around = [(middle[0] + x, middle[1] + y) for x in (-2, 0, 2) for y in (-2, 0, 2)]

        assert any(plain.getpixel(at) != lined.getpixel(at) for at in around), line
        assert dist(start, end) == pytest.approx(board.breadth)
        for side in range(sides):
            here, there = board.at(side, line - 1), board.at(side, line)
            assert _is_left(start, end, here) != _is_left(start, end, there), (line, side)


def test_two_skunk_lines_differ_by_the_number_of_bars() -> None:
    plain = drawn(replace(facts(), skunk_lines=()))
    lined = drawn(replace(facts(), skunk_lines=(61, 91)))
    # The palette of each board is its own, so the wood may differ by a shade.
    difference = ImageChops.difference(plain.convert("RGB"), lined.convert("RGB")).convert("L")
    difference = difference.point(lambda each: 255 * (each > 24))

    def wide(line: int) -> int:
        (x, top), (_, bottom) = sorted(Board(121, 2).before(line), key=lambda end: end[1])
        box = difference.crop((round(x) - 20, round(top), round(x) + 20, round(bottom))).getbbox()
        assert box is not None
        return box[2] - box[0]

    assert wide(91) <= 8
    assert wide(61) >= 12
    assert draw_board(replace(facts(), skunk_lines=(91, 61))) == draw_board(
        replace(facts(), skunk_lines=(61, 91))
    )


@NUMBERS
def test_a_board_is_small_enough(sides: int) -> None:
    for those in some_boards(sides, 5):
        picture = draw_board(those)
        opened = Image.open(BytesIO(picture))
        assert len(picture) <= (32 if sides < 5 else 40) * 1024
        assert (opened.format, opened.mode) == ("PNG", "P")
        assert opened.width == WIDTH <= 1100
        assert opened.height <= (760 if sides < 5 else 840)


def test_corners_are_transparent_and_nothing_else_is() -> None:
    alpha = drawn(facts()).getchannel("A")
    last = (alpha.width - 1, alpha.height - 1)

    assert [alpha.getpixel(at) for at in ((0, 0), (last[0], 0), (0, last[1]), last)] == [0] * 4
    assert alpha.crop((12, 12, alpha.width - 12, alpha.height - 12)).getextrema() == (255, 255)


def test_equal_facts_give_equal_pictures() -> None:
    first = draw_board(facts())
    draw_board(facts(front=77))
    wooden_board.cache_clear()

    assert draw_board(facts()) == first


@NUMBERS
def test_every_target_has_a_board(sides: int) -> None:
    for target in TARGETS:
        assert Board(target, sides).height < 1200
    for target in TARGETS[sides - 2 :: 4]:
        picture = drawn(facts(sides, front=target, back=target - 5, target=target))
        assert picture.size == (WIDTH, Board(target, sides).height)


def some_boards(sides: int, number: int) -> Iterator[BoardFacts]:
    random = Random(sides)
    for count in range(number):
        if count % 5 == 0:
            colours = random.sample(list(Colour), sides)
        scores = [random.randrange(110) for _ in range(sides)]
        yield BoardFacts(
            target=121,
            sides=tuple(
                SideOnBoard(
                    colour=colour,
                    front=score + random.randrange(1, 12),
                    back=score,
                    games_won=random.randrange(6),
                    has_crib=place == 0,
                )
                for place, (colour, score) in enumerate(zip(colours, scores, strict=True))
            ),
            starter=random.choice(PACK),
            skunk_lines=(91, 61),
        )


def _pixel(at: tuple[float, float]) -> tuple[int, int]:
    return (round(at[0]), round(at[1]))


def _is_left(start: tuple[float, float], end: tuple[float, float], at: tuple[float, float]) -> bool:
    across, down = end[0] - start[0], end[1] - start[1]
    return across * (at[1] - start[1]) - down * (at[0] - start[0]) > 0


@NUMBERS
def test_nothing_of_one_position_stays_on_the_next_board(sides: int) -> None:
    """All positions share one empty board, with its plates."""
    before = draw_board(facts(sides, front=108, back=88))
    draw_board(replace(facts(sides, front=7, back=3), starter=card("5H")))

    assert draw_board(facts(sides, front=108, back=88)) == before
