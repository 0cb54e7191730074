"""Cribbage squares: the count of a grid beside one by hand, the deck of a seed, and the best grid."""

from __future__ import annotations

from random import Random

import pytest

from engine import CELLS, PACK, Card, Cards, SquaresCount, SquaresDeck, card, cards, count_squares, spell
from engine.coach import best_squares
from engine.coach.best_squares import annealed, points_of

BY_HAND = (
    (
        cards("5H 5S 5D JC  2H 4H 6H 8H  AC 3D 9S QC  7D 7S KD TH"),
        card("5C"),
        SquaresCount(
            # 29; fifteens 4, a run, and four hearts without the starter; fifteens 4; fifteens 4 and a pair
            rows=(29, 4 + 3 + 4, 4, 4 + 2),
            # fifteens and fives; the same and 3-4-5 twice; fifteens 6 and fives; fifteens 6, T-J-Q, his nobs
            columns=(4 + 2, 4 + 2 + 6, 6 + 2, 6 + 3 + 1),
            heels=0,
        ),
        86,
    ),
    (
        cards("2C 4C 6C 8C  2D 4D 6D 8D  2H 4H 6H 8H  2S 4S 6S 8S"),
        card("JH"),
        # flushes of four, and of five with the starter; four of a kind in each column; a jack turned is 2
        SquaresCount(rows=(4, 4, 5, 4), columns=(12, 12, 12, 12), heels=2),
        67,
    ),
)


@pytest.mark.parametrize(("grid", "starter", "expected", "total"), BY_HAND)
def test_a_grid_counts_as_by_hand(grid: Cards, starter: Card, expected: SquaresCount, total: int) -> None:
    counted = count_squares(grid, starter)
    assert counted == expected
    assert (counted.total, counted.is_won) == (total, True)


def test_sixty_one_win_and_sixty_do_not() -> None:
    assert SquaresCount(rows=(15, 15, 15, 0), columns=(14, 0, 0, 0), heels=2).is_won
    assert not SquaresCount(rows=(15, 15, 15, 0), columns=(13, 0, 0, 0), heels=2).is_won


def test_a_seed_has_one_deck_of_seventeen_cards_on_every_machine() -> None:
    deck = SquaresDeck.of(b"seed")
    assert len({*deck.dealt, deck.starter} & {*PACK}) == CELLS + 1
    assert spell((*deck.dealt, deck.starter)) == "JD 4S 2C TD 4C AC 8H 4H 5D AD TS 8D 9H 5C AS QH JS"
    assert SquaresDeck.of(b"other") != deck


def test_a_deck_prints_no_card() -> None:
    assert repr(SquaresDeck.of(b"seed")) == "SquaresDeck()"


def test_cards_lie_where_they_were_placed() -> None:
    deck = SquaresDeck.of(b"seed")
    grid = deck.grid((5, *(each for each in range(CELLS) if each != 5)))
    assert (grid[5], grid[0], grid[15]) == (deck.dealt[0], deck.dealt[1], deck.dealt[15])


DECK = SquaresDeck.of(b"seed")


@pytest.mark.deep
def test_it_rises_to_one_total_that_no_random_grid_beats() -> None:
    found = [*best_squares(DECK)]
    assert found == sorted(found)
    assert found == [*best_squares(DECK)]
    random = Random(1)
    totals = [
        count_squares(DECK.grid(random.sample(range(CELLS), CELLS)), DECK.starter).total for _ in range(300)
    ]
    assert found[-1] > max(totals)


@pytest.mark.deep
def test_a_turned_jack_is_in_the_total() -> None:
    evens = cards("2C 4C 6C 8C  2D 4D 6D 8D  2H 4H 6H 8H  2S 4S 6S 8S")
    *_, best = best_squares(SquaresDeck(evens, card("JH")))
    assert best == 67  # pairs royal in the columns and flushes in the rows: nothing else scores


def test_the_running_total_is_that_of_the_grid() -> None:
    bits = range(1 << CELLS)
    each_card_twice = [sum(number for number in range(CELLS) if mask >> number & 1) for mask in bits]
    assert annealed(each_card_twice, Random(1)) == 2 * sum(range(CELLS))


def test_every_four_cards_have_their_points() -> None:
    points = points_of(DECK)
    grid = count_squares(DECK.dealt, DECK.starter)
    assert tuple(points[0b1111 << 4 * row] for row in range(4)) == grid.rows
    assert tuple(points[0b0001000100010001 << column] for column in range(4)) == grid.columns
