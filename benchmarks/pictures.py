"""The cost of drawing boards, shows and results: processor time of this process, and size of the files.

The empty board, which is drawn once for each kind of game, is drawn in advance. Positions, cards and points
come from one seed, and no picture is drawn twice, so that no cache helps. The median counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from benchmarks.figures import Figure, median, milliseconds
from benchmarks.sizes import Sizes
from bot.model.colours import standard_colours
from bot.render.pictures.board import BoardFacts, SideOnBoard, draw_board
from bot.render.pictures.cards import draw_card
from bot.render.pictures.piecepack import draw_piecepack_board
from bot.render.pictures.result import ResultFacts, draw_result
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from engine import PACK

TITLE = "Drawing pictures"

T = TypeVar("T")


def run(sizes: Sizes) -> list[Figure]:
    """Draw boards, shows and results of two, three and four sides."""
    figures = []
    for sides in (2, 3, 4):
        first, *boards = _boards(sides, sizes.pictures + 1)
        figures.append(Figure(f"empty board, {sides} sides, once", milliseconds(_seconds(draw_board, first))))
        aim = ("at most 10 ms", "at most 32 kB")
        figures += _drawn(f"new board, {sides} sides", draw_board, boards, aim=aim)
    for sides in (2, 3, 4):
        example, *shows = _shows(sides, sizes.pictures + 1)
        draw_show(example)
        figures += _drawn(f"show, {sides} sides", draw_show, shows, aim=("at most 20 ms", "at most 30 kB"))
    first, *boards = _boards(2, sizes.pictures + 1)
    figures.append(Figure("empty piecepack board, once", milliseconds(_seconds(draw_piecepack_board, first))))
    aim = ("at most 10 ms", "at most 32 kB")
    figures += _drawn("new piecepack board", draw_piecepack_board, boards, aim=aim)
    for sides in (2, 3, 4):
        example_result, *results = _results(sides, sizes.pictures + 1)
        draw_result(example_result)
        aim = ("at most 25 ms", "at most 40 kB")
        figures += _drawn(f"result, {sides} sides", draw_result, results, aim=aim)
    pack = PACK[: sizes.pictures]
    figures.append(Figure("card as emoji", milliseconds(median(_seconds(draw_card, each) for each in pack))))
    return figures


def _drawn(
    name: str, draw: Callable[[T], bytes], all_facts: Sequence[T], *, aim: tuple[str, str]
) -> list[Figure]:
    seconds = [_seconds(draw, facts) for facts in all_facts]
    size = [len(draw(facts)) / 1024 for facts in all_facts]
    return [
        Figure(name, milliseconds(median(seconds)), aim=aim[0]),
        Figure(f"{name}, file", f"{median(size):.1f} kB", aim=aim[1]),
    ]


def _seconds(draw: Callable[[T], bytes], facts: T) -> float:
    before = time.process_time()
    draw(facts)
    return time.process_time() - before


def _boards(sides: int, number: int) -> Iterator[BoardFacts]:
    random = Random(152)
    for _ in range(number):
        backs = [random.randrange(108) for _ in range(sides)]
        yield BoardFacts(
            target=121,
            sides=tuple(
                SideOnBoard(
                    colour=colour,
                    front=back + random.randrange(1, 13),
                    back=back,
                    games_won=random.randrange(3),
                    has_crib=place == 0,
                )
                for place, (colour, back) in enumerate(zip(standard_colours(sides), backs, strict=True))
            ),
            starter=random.choice(PACK),
            skunk_lines=(91, 61),
        )


def _results(sides: int, number: int) -> Iterator[ResultFacts]:
    random = Random(153)
    for board in _boards(sides, number):
        weights = [[1.0] * sides]
        for _ in range(4 * sides):
            weights.append([each * random.uniform(0.5, 2) for each in weights[-1]])
        shares = [tuple(each / sum(those) for each in those) for those in weights]
        end = tuple(float(side == 0) for side in range(sides))
        yield ResultFacts(board=board, is_piecepack=False, chances=(*shares, end), turn=3)


def _shows(sides: int, number: int) -> Iterator[ShowFacts]:
    random = Random(152)
    colours = standard_colours(sides)
    for _ in range(number):
        starter, *cards = random.sample(PACK, 4 * sides + 5)
        yield ShowFacts(
            starter=starter,
            hands=tuple(
                HandInPicture(
                    colour=colours[row % sides],
                    cards=tuple(cards[4 * row : 4 * row + 4]),
                    points=random.randrange(25),
                    is_crib=row == sides,
                )
                for row in range(sides + 1)
            ),
        )
