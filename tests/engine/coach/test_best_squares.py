"""The search for the best squares: what it finds can be reached, is the same each time, and is good."""

from __future__ import annotations

from random import Random

from engine import CELLS, SquaresDeck, card, cards, count_squares
from engine.coach import best_squares
from engine.coach.best_squares import _annealed, _points_of

DECK = SquaresDeck.of(b"seed")


def test_it_rises_to_one_total_that_no_random_grid_beats() -> None:
    found = [*best_squares(DECK)]
    assert found == sorted(found)
    assert found == [*best_squares(DECK)]
    random = Random(1)
    totals = [
        count_squares(DECK.grid(random.sample(range(CELLS), CELLS)), DECK.starter).total for _ in range(300)
    ]
    assert found[-1] > max(totals)


def test_a_turned_jack_is_in_the_total() -> None:
    evens = cards("2C 4C 6C 8C  2D 4D 6D 8D  2H 4H 6H 8H  2S 4S 6S 8S")
    *_, best = best_squares(SquaresDeck(evens, card("JH")))
    assert best == 67  # pairs royal in the columns and flushes in the rows: nothing else scores


def test_the_running_total_is_that_of_the_grid() -> None:
    bits = range(1 << CELLS)
    each_card_twice = [sum(number for number in range(CELLS) if mask >> number & 1) for mask in bits]
    assert _annealed(each_card_twice, Random(1)) == 2 * sum(range(CELLS))


def test_every_four_cards_have_their_points() -> None:
    points = _points_of(DECK)
    grid = count_squares(DECK.dealt, DECK.starter)
    assert tuple(points[0b1111 << 4 * row] for row in range(4)) == grid.rows
    assert tuple(points[0b0001000100010001 << column] for column in range(4)) == grid.columns
