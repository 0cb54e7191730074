"""Cribbage squares: the count of a grid beside one by hand, and the deck of a seed."""

from __future__ import annotations

import pytest

from engine import CELLS, PACK, Card, Cards, SquaresCount, SquaresDeck, card, cards, count_squares, spell

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
