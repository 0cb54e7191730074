"""Caches of a process, filled before it forks: catalogues, parts of pictures and of the computer's moves.

Otherwise each of the bots that tests start hundreds of times would fill them.
"""

from __future__ import annotations

from bot.language.languages import LANGUAGES, Language
from bot.model.colours import standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from engine import PACK, PRESETS
from engine.computer import Level
from tests.engine.computer.matches import match


def warm_languages() -> None:
    """Read the catalogues: every start needs all of them, for the names of commands."""
    for code in LANGUAGES:
        language = Language.of(code)
        language.listing([language.number(1), language.percent(1)])


def warm_pictures() -> None:
    """Fill the caches of `bot.render.pictures` with what most games need: boards, and faces of cards."""
    for seats, target in ((2, 61), (2, 121), (3, 61)):
        rules = PRESETS["standard"](seats, target=target)
        colours = standard_colours(rules.sides)
        sides = tuple(
            SideOnBoard(colour=colour, front=5, back=2, games_won=0, has_crib=place == 0)
            for place, colour in enumerate(colours)
        )
        lines = tuple(line.reach for line in rules.skunk_lines)
        draw_board(BoardFacts(target=target, sides=sides, starter=PACK[0], skunk_lines=lines))
    for first in range(0, len(PACK), 12):
        hands = tuple(
            HandInPicture(colour=colours[0], cards=PACK[place : place + 4], points=2, is_crib=False)
            for place in range(first, min(first + 12, len(PACK)), 4)
        )
        draw_show(ShowFacts(starter=PACK[first], hands=hands))


def warm_computers() -> None:
    """Fill the caches of `engine.computer` with what the most frequent rules need."""
    match("short-2", tuple(Level), seed=1)
