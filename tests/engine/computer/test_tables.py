"""The tables that come with the package are those that the script makes, with chances as published."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.computer import build
from engine.computer.build import Stored, rules_of, tables_of
from engine.computer.chances import MOST_POINTS, Chances, ScoreState
from engine.computer.deals import every_deal
from engine.computer.making.correction import corrected
from engine.computer.making.course import by_role, chances_to_win
from engine.computer.making.discarding import Learned, learn, throws_of
from engine.computer.making.expected import Expected, margin_searched, margins_by_habit, margins_seeing
from engine.computer.making.pegging import pegging
from engine.computer.numbers import Floats
from engine.computer.ranks import RANKS, counts_of, holdings
from engine.computer.tables import (
    DEALER,
    FAMILIES,
    FILE,
    OTHER,
    Discards,
    Family,
    Manner,
    course_of,
    discarding_of,
    family_of,
)
from tests.engine.games import VARIANTS, mostly_deep

CRIBS = {family.discards: family for family in FAMILIES if family.manner is Manner.STANDARD}
FIVE = 4
SMALL = Family(3, partners=False, manner=Manner.LAST_TOO, full_crib=False)


@pytest.mark.parametrize("discards", mostly_deep(CRIBS, ["3"]))
def test_how_players_discard_is_learned_again_as_it_was(discards: str) -> None:
    """There is no chance in it; but for the bias, which comes from the deals that are played.

    With two players the pegging is known: it was fitted to deals between experts.
    """
    shipped, learned = discarding_of(CRIBS[discards]), relearned(CRIBS[discards]).discards

    for each in fields(Discards):
        if each.name != "bias":
            again = getattr(learned, each.name)

            assert again.shape == getattr(shipped, each.name).shape
            np.testing.assert_allclose(again, getattr(shipped, each.name), rtol=1e-5, atol=1e-7)


@lru_cache(maxsize=16)
def relearned(family: Family) -> Learned:
    return learn(family, course_of(family).pegging if family.seats == 2 else None)


@pytest.mark.deep
def test_a_crib_is_worth_more_with_fives_and_less_to_whom_it_is_not() -> None:
    """As published tables tell it: by two ranks, what the whole crib is worth on average, bias included."""
    two = next(family for family in CRIBS.values() if family.seats == 2)
    pairs, bias = holdings(2), np.array([0.5, 0.0])
    table = relearned(two).crib_table(bias)
    fives, king_nine = (int(pairs.find(counts_of(ranks)[None, :])[0]) for ranks in ([4, 4], [12, 8]))

    assert table.shape == (2, len(pairs))
    for role in table:
        assert role.argmax() == fives
        assert 8.0 < role[fives] < 10.0
        assert 3.0 < role[king_nine] < 4.5
    np.testing.assert_allclose(relearned(two).crib_table(np.zeros(2)), table - bias[:, None])


@pytest.mark.deep
def test_the_same_seed_makes_the_same_tables_again_and_another_makes_others() -> None:
    first, again, other = (tables_of(SMALL, deals=300, hands=8, seed=seed) for seed in (5, 5, 6))

    assert {name: each.tobytes() for name, each in first.items()} == {
        name: each.tobytes() for name, each in again.items()
    }
    assert first[f"{SMALL.name}/pegs"].tobytes() != other[f"{SMALL.name}/pegs"].tobytes()
    assert first[f"{SMALL.discards}/keeps"].tobytes() == other[f"{SMALL.discards}/keeps"].tobytes()


@pytest.mark.deep
def test_a_few_deals_come_near_the_shipped_course() -> None:
    made: dict[str, Any] = tables_of(SMALL, deals=3_000, hands=8, seed=9)
    shipped = course_of(SMALL)
    points = np.arange(shipped.pegs.shape[1])

    assert made[f"{SMALL.name}/pegs"] @ points == pytest.approx(shipped.pegs @ points, abs=0.2)
    assert made[f"{SMALL.name}/crib"] @ np.arange(30) == pytest.approx(shipped.crib @ np.arange(30), abs=0.2)


def test_the_tables_are_small_enough_to_come_along() -> None:
    file = files("engine.computer").joinpath(FILE)

    assert len(file.read_bytes()) < 2_000_000


WITHOUT_ENCODINGS = """
import sys

from engine.computer.tables import FAMILIES, course_of


class NoEncodings:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("encodings."):
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, NoEncodings())
course_of(FAMILIES[0])
"""


def test_a_process_that_has_run_out_of_files_reads_the_tables_later() -> None:
    """An encoding that was not found once is never found again by that process."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_ENCODINGS], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", [name for name in VARIANTS if name.endswith("machine")])
def test_every_preset_has_its_tables_for_every_number_of_players(name: str) -> None:
    rules = VARIANTS[name]
    family = family_of(rules)
    discards, course = discarding_of(family), course_of(family)

    assert family in FAMILIES
    assert discards.keeps.shape == (2, 1820)
    assert (discards.keeps > 0).all(), "nothing that may be dealt is ruled out"
    assert discards.throws.shape == (2, 91 if rules.seats == 2 else 13)
    assert course.win.shape == ((122, 122) if family.partners or family.seats == 2 else (0, 0))
    assert course.pegging.shape == (2, 1820)
    assert 0.3 < course.pegging.std() < 1.5, "points: a hand of low cards pegs more than four kings"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_is_that_of_the_rules_that_it_is_made_from(family: Family) -> None:
    assert family_of(rules_of(family)) == family


def test_every_set_of_ranks_that_can_be_dealt_is_learned() -> None:
    five = every_deal(5)

    assert len(five.ways) == 6_175
    assert five.ways.sum() == 2_598_960
    assert five.kept.shape == five.given.shape == five.hand.shape == (6_175, 5)


def test_the_file_has_the_tables_of_every_family(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def tables(family: Family, *, deals: int, hands: int, seed: int) -> Stored:
        asked.append((family, deals, hands, seed))
        return {f"{family.name}/crib": np.arange(len(family.name))}

    file = tmp_path / "tables.npz"
    monkeypatch.setattr(build, "tables_of", tables)
    options = ["--deals", "7", "--hands", "9", "--seed", "3", "--to", str(file)]
    monkeypatch.setattr("sys.argv", ["build", *options])

    assert build.main() == 0
    assert asked == [(family, 7, 9, 3) for family in FAMILIES]
    with np.load(file) as made:
        assert {name: made[name].tolist() for name in made} == {
            f"{family.name}/crib": list(range(len(family.name))) for family in FAMILIES
        }
    assert f"{file.stat().st_size:,} bytes" in capsys.readouterr().out


@pytest.mark.deep
@pytest.mark.parametrize(("family", "times"), [(FAMILIES[0], 40), (FAMILIES[8], 20)], ids=["two", "partners"])
def test_the_pegging_of_each_hand_is_what_players_by_habit_peg(family: Family, times: int) -> None:
    """A sample of 40 deals a hand has a random error of 0.4 points, and the hands differ by 0.6 to 0.8."""
    discards, stored = discarding_of(family), course_of(family).pegging
    played = pegging(rules_of(family), discards, times, np.random.default_rng(1))
    weights = discards.keeps * holdings(4).ways(np.full(RANKS, 4))

    for role in (DEALER, OTHER):
        assert np.average(stored[role], weights=weights[role]) == pytest.approx(0, abs=0.02)
        assert np.corrcoef(stored[role], played[role])[0, 1] > 0.5


@pytest.mark.deep
def test_pegging_is_fitted_to_deals_that_experts_play() -> None:
    """Experts who peg as it is expected of them, but for the aces: each is worth a point more to the dealer.

    They are as lucky as others would be with the same cards, and half as lucky again. A hand of the other
    player has something of its own.
    """
    four, keeps, random = holdings(4), np.ones((2, 1820)), np.random.default_rng(1)
    fives_and_tens = (four.counts[:, 4] > 0) & (four.counts[:, 9] > 0)
    searched = np.stack([2.0 * fives_and_tens, -1.0 * (four.counts[:, 8] >= 2)])
    known = Expected(random.integers(-9, 10, size=(3, 1820, 1820), dtype=np.int8), searched)
    averages = known.averages(keeps)
    dealers, others = random.integers(1820, size=(2, 20_000))
    wanted = searched + np.stack([four.counts[:, 0], np.arange(1820) == 700])
    luck = known.margins[0, dealers, others] - averages[0, DEALER, dealers] + averages[0, OTHER, others]
    pegged = wanted[DEALER, dealers] - wanted[OTHER, others] + 1.5 * luck

    fitted = corrected(keeps, known, np.column_stack([dealers, others, np.rint(pegged).astype(np.intp)]))

    usual = np.average(wanted, axis=1, weights=keeps * four.ways(np.full(RANKS, 4)))
    off_by = fitted - wanted + usual[:, None]
    assert np.sqrt((off_by**2).mean()) < 0.1
    assert abs(off_by[OTHER, 700]) < 0.5


@pytest.mark.deep
def test_who_sees_both_hands_pegs_most_and_who_looks_ahead_more_than_by_habit() -> None:
    every = np.arange(1820)
    likely = holdings(4).ways(np.full(RANKS, 4))
    for hand in (35, 700, 1_400):
        alike = np.full(1820, hand)
        for role, sign, cards in ((DEALER, 1, (alike, every)), (OTHER, -1, (every, alike))):
            by_habit, seeing = sign * margins_by_habit(*cards), sign * margins_seeing(role, *cards)

            assert (seeing >= by_habit).all()
            ahead = margin_searched(role, hand, likely)
            assert np.average(by_habit, weights=likely) < ahead < np.average(seeing, weights=likely)


@pytest.mark.deep
def test_a_factor_for_each_card_tells_what_the_other_discards_beside_a_hand() -> None:
    """Exactly it follows from all hands that can be dealt with the cards that are left."""
    family = next(family for family in CRIBS.values() if family.seats == 2)
    learned, thrown = relearned(family), holdings(2)
    held = counts_of([4, 4, 6, 7, 11, 11])
    usual = thrown.ways(np.full(RANKS, 4) - held)
    exactly = throws_of(learned.dealt, learned.used, thrown, np.full(RANKS, 4) - held) * usual
    for role in (DEALER, OTHER):
        of_role = exactly[role] / exactly[role].sum()
        said, without = (
            throws * usual / (throws * usual).sum()
            for throws in (learned.discards.pairs(role, held), learned.discards.throws[role])
        )

        assert np.abs(said - of_role).sum() < 0.3 * np.abs(without - of_role).sum()


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
def test_a_side_nearer_home_is_never_worse_off_and_who_is_home_has_won(family: Family) -> None:
    course = course_of(family)
    win = course.win

    assert (np.diff(win[:, 1:], axis=0) <= 0).all()
    assert (np.diff(win[1:, :], axis=1) >= 0).all()
    assert ((win >= 0) & (win <= 1)).all()
    assert (win[0, 1:] == 1.0).all()
    assert (win[1:, 0] == 0.0).all()
    assert win[1, 121] > 0.999
    assert win[121, 1] < 0.001
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


# By step: what the dealer's side and the other side have pegged by then.
OTHERS_FIRST = ((0, 1), (2, 1))
DEALER_FIRST = ((1, 0), (1, 0))


@lru_cache(maxsize=16)
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
    alone, partners = (by_role(pegs, 6, share=share) for share in (1, 2))
    assert alone.tolist() == [[0, 0, 0, 0.5, 0.5, 0], [0.5, 0, 0.5, 0, 0, 0]]
    assert partners.tolist() == [[0, 0.25, 0.75, 0, 0, 0], [0.5, 0.5, 0, 0, 0, 0]]
