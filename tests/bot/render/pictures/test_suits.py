from itertools import pairwise

import pytest

from bot.render.pictures.suits import Polygon, outline
from engine import Suit

EVERY_SUIT = pytest.mark.parametrize("suit", Suit)


@EVERY_SUIT
def test_a_pip_fills_its_square_and_stays_within_it(suit: Suit) -> None:
    across = [x for polygon in outline(suit) for x, _ in polygon]
    down = [y for polygon in outline(suit) for _, y in polygon]

    assert 0 <= min(across) < 0.05
    assert 0.95 < max(across) <= 1
    assert 0 <= min(down) < 0.05
    assert 0.95 < max(down) <= 1


@EVERY_SUIT
def test_a_pip_is_the_same_on_both_sides(suit: Suit) -> None:
    def rounded(points: Polygon, *, mirrored: bool) -> set[tuple[float, float]]:
        return {(round(1 - x if mirrored else x, 6), round(y, 6)) for x, y in points}

    points = tuple(point for polygon in outline(suit) for point in polygon)
    assert rounded(points, mirrored=True) == rounded(points, mirrored=False)


def test_the_suits_cover_the_square_each_in_its_own_way() -> None:
    bodies = {suit: outline(suit)[0] for suit in Suit}
    areas = [abs(_area(body)) for body in bodies.values()]

    assert len({round(area, 3) for area in areas}) == 4
    assert [len(outline(suit)) for suit in Suit] == [5, 1, 1, 2], "clubs, diamonds, hearts, spades"


def _area(polygon: Polygon) -> float:
    return sum(x * below - next_x * y for (x, y), (next_x, below) in pairwise((*polygon, polygon[0]))) / 2
