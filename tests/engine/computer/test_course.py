"""Results of the deals played for the tables, on deals that can be counted by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engine.computer.making.course import _by_role, chances_to_win
from engine.computer.numbers import Floats

# By step: what the dealer's side and the other side have pegged by then.
OTHERS_FIRST = ((0, 1), (2, 1))
DEALER_FIRST = ((1, 0), (1, 0))


@cache
def chances(*deals: tuple[tuple[int, int], ...]) -> Floats:
    return chances_to_win(np.array(deals, dtype=np.int16).transpose(1, 0, 2))


@pytest.mark.parametrize(
    ("mine", "theirs", "chance"),
    [
        (1, 1, 0.0),  # the others are home first, though the dealer's side pegs more
        (2, 2, 1.0),  # the others are not home, and the dealer's side is
        (2, 1, 0.0),
        (3, 2, 1.0),  # neither is: then 1 and 1 are needed, and the other side deals
        (4, 2, 0.0),  # then 2 and 1 are needed: the other side, which deals, is home with its 2
        (0, 9, 1.0),
    ],
)
def test_who_first_has_what_they_need_wins_and_the_deal_passes(mine: int, theirs: int, chance: float) -> None:
    assert chances(OTHERS_FIRST)[mine, theirs] == chance


def test_a_chance_is_the_average_of_the_deals() -> None:
    win = chances(OTHERS_FIRST, DEALER_FIRST)
    assert win[1, 1] == 0.5
    assert win[1, 2] == 1.0
    assert win[2, 2] == 0.5 + 0.5 * (1 - win[2, 1])
    assert (win[1:, 0] == 0).all(), "who is home has won before the deal"


def test_no_chance_is_beyond_certain_and_further_is_never_nearer() -> None:
    win = chances(OTHERS_FIRST, DEALER_FIRST, ((0, 2), (5, 4)))
    assert ((win >= 0) & (win <= 1)).all()
    assert win[10, 121] > win[121, 121] > win[121, 10]


def test_points_are_the_dealer_s_or_the_others_and_half_of_what_partners_peg() -> None:
    pegs = np.array([[3, 2], [4, 0]], dtype=np.uint8)
    alone, partners = (_by_role(pegs, 6, share=share) for share in (1, 2))
    assert alone.tolist() == [[0, 0, 0, 0.5, 0.5, 0], [0.5, 0, 0.5, 0, 0, 0]]
    assert partners.tolist() == [[0, 0.25, 0.75, 0, 0, 0], [0.5, 0.5, 0, 0, 0, 0]]
