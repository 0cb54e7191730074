"""Chances to win by score: certain at the ends, increasing towards home, and close to published figures."""

from __future__ import annotations

import numpy as np
import pytest

from engine.computer.chances import MOST_POINTS, Chances, ScoreState
from engine.computer.tables import FAMILIES, Family, Manner, course_of

MEASURED = """
dealer      0    10    20    30    40    50    60    70    80    90    96   100   104   108   112   116   120
     0  0.559 0.359 0.191 0.082 0.026 0.005 0.001 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    10  0.736 0.555 0.361 0.192 0.073 0.018 0.003 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    20  0.875 0.752 0.574 0.359 0.167 0.057 0.015 0.002 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    30  0.957 0.894 0.765 0.559 0.330 0.159 0.057 0.011 0.001 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    40  0.990 0.965 0.896 0.759 0.567 0.355 0.157 0.037 0.005 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000
    50  0.998 0.991 0.968 0.911 0.799 0.598 0.321 0.109 0.028 0.004 0.001 0.000 0.000 0.000 0.000 0.000 0.000
    60  1.000 0.999 0.995 0.980 0.932 0.795 0.543 0.292 0.126 0.025 0.004 0.001 0.000 0.000 0.000 0.000 0.000
    70  1.000 1.000 1.000 0.997 0.983 0.927 0.800 0.614 0.355 0.089 0.019 0.005 0.001 0.001 0.000 0.000 0.000
    80  1.000 1.000 1.000 1.000 0.998 0.989 0.960 0.875 0.616 0.216 0.078 0.040 0.022 0.011 0.003 0.000 0.000
    90  1.000 1.000 1.000 1.000 1.000 1.000 0.996 0.968 0.822 0.510 0.348 0.271 0.199 0.111 0.033 0.003 0.000
    96  1.000 1.000 1.000 1.000 1.000 1.000 0.999 0.990 0.929 0.772 0.658 0.577 0.461 0.282 0.093 0.010 0.000
   100  1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.997 0.974 0.906 0.842 0.777 0.652 0.430 0.160 0.022 0.000
   104  1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.999 0.994 0.975 0.948 0.906 0.797 0.571 0.244 0.040 0.000
   108  1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.999 0.996 0.987 0.962 0.879 0.675 0.324 0.058 0.001
   112  1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.995 0.979 0.917 0.737 0.389 0.092 0.005
   116  1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.997 0.988 0.950 0.821 0.555 0.284 0.101
   120  1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.980 0.620
"""
"""The chance that the dealer wins a game to 121, before a deal: the dealer's score down, the pone's across.

From 200,000 deals that another program played against itself; single figures are good to 0.002.
"""

TWO_SIDES = [family for family in FAMILIES if family.partners or family.seats == 2]
STANDARD = Family(2, partners=False, manner=Manner.STANDARD, full_crib=True)
two_sides = pytest.mark.parametrize("family", TWO_SIDES, ids=lambda family: family.name)


def test_the_chance_to_win_before_a_deal_is_as_measured_elsewhere() -> None:
    scores, *rows = [
        list(map(float, line.replace("dealer", "0").split())) for line in MEASURED.strip().split("\n")
    ]
    needs = 121 - np.array(scores[1:], dtype=int)
    measured = np.array([row[1:] for row in rows])
    ours = course_of(STANDARD).win[np.ix_(needs, needs)]
    differences = np.abs(ours - measured)

    assert measured.shape == (17, 17)
    assert differences.mean() < 0.01
    assert differences.max() < 0.06
    assert 0.555 <= ours[0, 0] <= 0.565


@two_sides
def test_a_side_nearer_home_is_never_worse_off(family: Family) -> None:
    win = course_of(family).win

    assert (np.diff(win[:, 1:], axis=0) <= 0).all()
    assert (np.diff(win[1:, :], axis=1) >= 0).all()
    assert ((win >= 0) & (win <= 1)).all()


@two_sides
def test_who_is_home_has_won(family: Family) -> None:
    win = course_of(family).win

    assert (win[0, 1:] == 1.0).all()
    assert (win[1:, 0] == 0.0).all()
    assert win[1, 121] > 0.999
    assert win[121, 1] < 0.001


@two_sides
def test_a_deal_is_described_by_chances_that_add_up(family: Family) -> None:
    course = course_of(family)

    for chances in (*course.pegs, *course.hands, course.crib):
        assert chances.sum() == pytest.approx(1.0, abs=1e-5)
        assert (chances >= 0).all()


@two_sides
def test_after_the_hands_the_crib_is_all_that_is_left(family: Family) -> None:
    chances = Chances(course_of(family), partners=family.partners)
    needs = np.arange(1, 122)
    far = np.full_like(needs, 40)
    by_own = chances.after_hands(needs, far)
    by_others = chances.after_hands(far, needs)

    assert (np.diff(by_own) <= 1e-12).all()
    assert (np.diff(by_others) >= -1e-12).all()
    assert chances.after_hands(np.array([0, -7, 5]), np.array([9, 9, 0])).tolist() == [1.0, 1.0, 0.0]


@two_sides
@pytest.mark.parametrize("dealing", [True, False])
@pytest.mark.parametrize(("mine", "theirs"), [(121, 121), (60, 30), (12, 40), (25, 6), (3, 3)])
def test_more_points_in_hand_or_crib_are_never_worth_less(
    family: Family, dealing: bool, mine: int, theirs: int
) -> None:
    chances = Chances(course_of(family), partners=family.partners)
    grid = chances.by_hand_and_crib(ScoreState(mine, theirs, dealing=dealing))

    assert grid.shape == (MOST_POINTS, MOST_POINTS)
    assert ((grid >= -1e-6) & (grid <= 1 + 1e-6)).all()
    assert (np.diff(grid, axis=0) >= -1e-6).all()
    assert (np.diff(grid, axis=1) * (1 if dealing else -1) >= -1e-6).all()


@two_sides
def test_before_the_play_a_hand_that_is_enough_wins_unless_the_others_come_first(family: Family) -> None:
    chances = Chances(course_of(family), partners=family.partners)

    pone = chances.by_hand_and_crib(ScoreState(2, 121, dealing=False))
    dealer = chances.by_hand_and_crib(ScoreState(2, 1, dealing=True))

    assert (pone[2:] > 0.999).all()
    assert (dealer[29] < 0.9).all()


def test_close_to_home_it_matters_most_who_deals_and_who_counts_first() -> None:
    win = course_of(STANDARD).win

    assert win[121, 121] < 0.6
    assert win[5, 5] < 0.5, "the pone counts first"
    assert win[121 - 96, 121 - 96] > 0.6
