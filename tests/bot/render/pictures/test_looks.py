"""Each picture looks as it did when somebody last looked at it, and is small.

`tests/data/pictures` has the pictures at half their size. Set WRITE_GOLDEN=1 to write them again, and look at
them: what holds for every position is measured beside this file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bot.model.colours import Colour, standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.cards import card_back, card_face, plain_card
from bot.render.pictures.lettering import lettering
from bot.render.pictures.names import name_mask
from bot.render.pictures.panels import WIDTH
from bot.render.pictures.piecepack import draw_piecepack_board
from bot.render.pictures.result import ResultFacts, draw_result
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from engine import PACK, card, cards

_FOLDER = Path(__file__).parents[3] / "data" / "pictures"

_PAGE = "#313338"
"""The page of Discord's dark theme."""

_TILE = 8
"""Pixels of a square in which two pictures are compared, so that a small stroke is not lost in the whole."""

_TOLERANCE = 6.0
"""Mean difference of a tile, of 255, that rounding in another version of Pillow or numpy may cause."""


def board(sides: int, target: int = 121) -> BoardFacts:
    """A board in the middle of a match, with every mark that a board can have."""
    return BoardFacts(
        target=target,
        sides=tuple(
            SideOnBoard(
                colour=colour,
                front=(target * (5 + side)) // 9,
                back=(target * (4 + side)) // 9 - side,
                games_won=(side + 1) % 3,
                has_crib=side == 1,
            )
            for side, colour in enumerate(standard_colours(sides))
        ),
        starter=card("JH"),
        skunk_lines=(91, 61) if target == 121 else (),
    )


def begun() -> BoardFacts:
    """A board on which nobody has scored, in two other colours."""
    sides = (
        SideOnBoard(colour=colour, front=0, back=0, games_won=0, has_crib=colour is Colour.PINK)
        for colour in (Colour.PINK, Colour.PURPLE)
    )
    return BoardFacts(target=121, sides=tuple(sides), starter=None, skunk_lines=(91, 61))


def show(rows: int, long: int) -> ShowFacts:
    """A show of so many hands of `long` cards, the crib last."""
    hands = ("5H 5C JD QS 3C", "2D 3S 4H 8C QD", "AD TC 6S 7H JS", "KC 9S 8D 2H 4C", "9D 9C KH AS 6D")[-rows:]
    colours = standard_colours(2)
    return ShowFacts(
        starter=card("5D"),
        hands=tuple(
            HandInPicture(
                colour=colours[row % 2],
                cards=cards(hand)[:long],
                points=7 * row + 3,
                is_crib=row == rows - 1,
            )
            for row, hand in enumerate(hands)
        ),
    )


def result(sides: int, *, is_piecepack: bool = False) -> ResultFacts:
    """A game that turned round; the first side has won."""
    leads = (0.5, 0.7, 0.3, 0.62, 0.08, 0.05, 1.0)
    chances = tuple((each, *[(1 - each) / (sides - 1)] * (sides - 1)) for each in leads)
    first, *others = board(sides).sides
    there = replace(board(sides), sides=(replace(first, front=121, back=115), *others))
    return ResultFacts(board=there, is_piecepack=is_piecepack, chances=chances, turn=5)


DRAWN: dict[str, Callable[[], bytes]] = {
    **{f"board-{sides}": lambda sides=sides: draw_board(board(sides)) for sides in (2, 3, 4, 5)},  # type: ignore[misc]
    "board-61": lambda: draw_board(board(2, target=61)),
    "board-begun": lambda: draw_board(begun()),
    "piecepack": lambda: draw_piecepack_board(board(2)),
    "piecepack-61": lambda: draw_piecepack_board(board(2, target=61)),
    "piecepack-begun": lambda: draw_piecepack_board(begun()),
    **{
        f"show-{rows}-{long}": lambda rows=rows, long=long: draw_show(show(rows, long))  # type: ignore[misc]
        for rows, long in ((2, 4), (3, 5), (4, 4), (5, 5))
    },
    **{f"result-{sides}": lambda sides=sides: draw_result(result(sides)) for sides in (2, 3)},  # type: ignore[misc]
    "result-piecepack": lambda: draw_result(result(2, is_piecepack=True)),
}
"""The pictures that are sent, by their names."""


def opened(picture: bytes) -> Image.Image:
    """A picture on Discord's page."""
    sprite = Image.open(BytesIO(picture)).convert("RGBA")
    page = Image.new("RGB", sprite.size, _PAGE)
    page.paste(sprite, (0, 0), sprite)
    return page


def cards_on_a_sheet(draw: Callable[..., Image.Image], width: int) -> Image.Image:
    """Every card and the back, one suit a row."""
    sprites = [draw(each, width) for each in PACK] + [card_back(width)]
    height = sprites[0].height
    whole = Image.new("RGB", (13 * width, 5 * height), _PAGE)
    for index, sprite in enumerate(sprites):
        whole.paste(sprite, (index % 13 * width, index // 13 * height), sprite)
    return whole


def stacked(pieces: Iterable[Image.Image]) -> Image.Image:
    """Pieces of pictures, one below another."""
    those = list(pieces)
    whole = Image.new("RGB", (max(each.width for each in those), sum(each.height for each in those)), _PAGE)
    below = 0
    for each in those:
        whole.paste(each, (0, below))
        below += each.height
    return whole


def plates(draw: Callable[[BoardFacts], bytes]) -> Image.Image:
    """The upper edge of boards of each colour, with every number of games won that looks different."""
    colours, facts = list(Colour), begun()
    boards = []
    for games in range(0, 14, 2):
        pair = (colours[games // 2 % len(colours)], colours[(games // 2 + 1) % len(colours)])
        sides = (
            replace(side, colour=colour, games_won=games + place, front=17 * games + place, back=5 * games)
            for place, (side, colour) in enumerate(zip(facts.sides, pair, strict=True))
        )
        boards.append(opened(draw(replace(facts, sides=tuple(sides)))))
    return stacked(each.crop((0, 0, each.width, 150)) for each in boards)


def points() -> Image.Image:
    """The right edge of shows of all points that a hand can have, and of a hand to be counted."""
    first = show(2, 4)
    shows = []
    for told in range(-1, 30, 6):
        both = zip((told if told >= 0 else None, told + 1), first.hands, strict=True)
        hands = tuple(replace(hand, points=each) for each, hand in both)
        shows.append(opened(draw_show(replace(first, hands=hands))))
    return stacked(each.crop((each.width - 250, 0, each.width, each.height)) for each in shows)


def letters() -> Image.Image:
    """The figures and letters of pictures, and names with marks and without letters of ours."""
    masks = [lettering("0123456789AJQK+", height=60, pen=9, width=width) for width in (1.0, 0.6)]
    for name in (
        "Ada",
        "Zoë O'Neill",
        "eéèêëēĕėěę ïi",
        "Groß Anńa 猫",
        "🤖\N{NO-BREAK SPACE}Vega",
        "Maximiliane" * 9,
    ):
        mask = name_mask(name, height=52, width=600)
        assert mask is not None
        masks.append(mask)
    return stacked(each.convert("RGB") for each in masks)


SHEETS: dict[str, Callable[[], Image.Image]] = {
    "cards": lambda: cards_on_a_sheet(card_face, 130),
    "plain-cards": lambda: cards_on_a_sheet(plain_card, 60),
    "plates": lambda: plates(draw_board),
    "piecepack-plates": lambda: plates(draw_piecepack_board),
    "points": points,
    "letters": letters,
}
"""Pieces of pictures in more of their states."""

_DEAR = {"board-3", "board-4", "board-5", "plates", "piecepack-plates", "points"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.deep if name in _DEAR else ()) for name in (*DRAWN, *SHEETS)],
)
def test_a_picture_looks_as_it_did(name: str) -> None:
    drawn = opened(DRAWN[name]()) if name in DRAWN else SHEETS[name]()
    drawn = drawn.resize((drawn.width // 2, drawn.height // 2), Image.Resampling.BOX)
    path = _FOLDER / f"{name}.png"
    if os.environ.get("WRITE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn.save(path, optimize=True)
    with Image.open(path) as kept:
        before = kept.convert("RGB")
    assert before.size == drawn.size

    difference = np.abs(np.asarray(drawn, np.int16) - np.asarray(before, np.int16)).mean(axis=2)
    high, wide = (length // _TILE * _TILE for length in difference.shape)
    tiles = difference[:high, :wide].reshape(high // _TILE, _TILE, wide // _TILE, _TILE).mean(axis=(1, 3))
    worst = np.unravel_index(tiles.argmax(), tiles.shape)
    assert tiles.max() < _TOLERANCE, f"see {name}.png at x {worst[1] * _TILE}, y {worst[0] * _TILE}"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in {"board-2", "show-3-5"} else pytest.mark.deep) for name in DRAWN],
)
def test_a_picture_is_small_and_the_same_each_time(name: str) -> None:
    drawn = DRAWN[name]()
    picture = Image.open(BytesIO(drawn))
    assert len(drawn) <= 41_000
    assert (picture.format, picture.mode, picture.width) == ("PNG", "P", WIDTH)
    assert picture.height <= 1_000
    assert DRAWN[name]() == drawn


@pytest.mark.parametrize("name", ["", "  ", "ジェーン", "🤖"])
def test_a_name_without_letters_is_not_drawn(name: str) -> None:
    assert name_mask(name, height=52, width=800) is None


def test_a_mark_may_be_a_character_of_its_own() -> None:
    one, other = (name_mask(name, height=52, width=800) for name in ("Léa", "Le\u0301a"))
    assert one is not None
    assert other is not None
    assert one.tobytes() == other.tobytes()


def test_there_are_no_letters_for_words() -> None:
    with pytest.raises(KeyError):
        lettering("Ada", height=20, pen=3)
