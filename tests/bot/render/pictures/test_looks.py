"""Each picture looks as it did when somebody last looked at it.

`tests/data/pictures` has the pictures at half their size. Set WRITE_GOLDEN=1 to write them again, and look at
them: what else a picture promises (who is where, contrast, size) is measured beside this file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bot.model.colours import standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.cards import card_back, card_face, plain_card
from bot.render.pictures.piecepack import draw_piecepack_board
from bot.render.pictures.result import ResultFacts, draw_result
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from engine import PACK, card, cards

_FOLDER = Path(__file__).parents[3] / "data" / "pictures"

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


def result(sides: int) -> ResultFacts:
    """A game that turned round; the first side has won."""
    leads = (0.5, 0.7, 0.3, 0.62, 0.08, 0.05, 1.0)
    chances = tuple((each, *[(1 - each) / (sides - 1)] * (sides - 1)) for each in leads)
    first, *others = board(sides).sides
    there = replace(board(sides), sides=(replace(first, front=121, back=115), *others))
    return ResultFacts(board=there, is_piecepack=False, chances=chances, turn=5)


def sheet(draw: Callable[..., Image.Image], width: int) -> Image.Image:
    """Every card and the back, one suit a row."""
    sprites = [draw(each, width) for each in PACK] + [card_back(width)]
    height = sprites[0].height
    whole = Image.new("RGB", (13 * width, 5 * height), "#313338")
    for index, sprite in enumerate(sprites):
        whole.paste(sprite, (index % 13 * width, index // 13 * height), sprite)
    return whole


def opened(picture: bytes) -> Image.Image:
    """A picture on the page of Discord's dark theme."""
    sprite = Image.open(BytesIO(picture)).convert("RGBA")
    page = Image.new("RGB", sprite.size, "#313338")
    page.paste(sprite, (0, 0), sprite)
    return page


PICTURES: dict[str, Callable[[], Image.Image]] = {
    **{f"board-{sides}": lambda sides=sides: opened(draw_board(board(sides))) for sides in (2, 3, 4)},  # type: ignore[misc]
    "board-61": lambda: opened(draw_board(board(2, target=61))),
    "piecepack": lambda: opened(draw_piecepack_board(board(2))),
    **{
        f"show-{rows}-{long}": lambda rows=rows, long=long: opened(draw_show(show(rows, long)))  # type: ignore[misc]
        for rows, long in ((2, 4), (3, 5), (4, 4), (5, 5))
    },
    **{f"result-{sides}": lambda sides=sides: opened(draw_result(result(sides))) for sides in (2, 3)},  # type: ignore[misc]
    "cards": lambda: sheet(card_face, 130),
    "plain-cards": lambda: sheet(plain_card, 60),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.deep if name == "board-3" else ()) for name in PICTURES]
)
def test_a_picture_looks_as_it_did(name: str) -> None:
    drawn = PICTURES[name]()
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
