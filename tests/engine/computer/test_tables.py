"""The tables that come with the package are those that the script makes, and every table has some."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.computer import build
from engine.computer.build import Stored, rules_of, tables_of
from engine.computer.deals import every_deal
from engine.computer.making.correction import corrected
from engine.computer.making.discarding import Learned, _throws, learn
from engine.computer.making.expected import Expected, _by_habit, _searched, _seeing
from engine.computer.making.pegging import pegging
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
from tests.engine.games import VARIANTS

CRIBS = {family.discards: family for family in FAMILIES if family.manner is Manner.STANDARD}
FIVE = 4
SMALL = Family(3, partners=False, manner=Manner.LAST_TOO, full_crib=False)


@pytest.mark.parametrize("discards", CRIBS)
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


@cache
def relearned(family: Family) -> Learned:
    return learn(family, course_of(family).pegging if family.seats == 2 else None)


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


def test_the_same_seed_makes_the_same_tables_again_and_another_makes_others() -> None:
    first, again, other = (tables_of(SMALL, deals=300, hands=8, seed=seed) for seed in (5, 5, 6))

    assert {name: each.tobytes() for name, each in first.items()} == {
        name: each.tobytes() for name, each in again.items()
    }
    assert first[f"{SMALL.name}/pegs"].tobytes() != other[f"{SMALL.name}/pegs"].tobytes()
    assert first[f"{SMALL.discards}/keeps"].tobytes() == other[f"{SMALL.discards}/keeps"].tobytes()


def test_a_few_deals_come_near_the_shipped_course() -> None:
    made: dict[str, Any] = tables_of(SMALL, deals=3_000, hands=8, seed=9)
    shipped = course_of(SMALL)
    points = np.arange(shipped.pegs.shape[1])

    assert made[f"{SMALL.name}/pegs"] @ points == pytest.approx(shipped.pegs @ points, abs=0.2)
    assert made[f"{SMALL.name}/crib"] @ np.arange(30) == pytest.approx(shipped.crib @ np.arange(30), abs=0.2)


def test_the_tables_are_small_enough_to_come_along() -> None:
    file = files("engine.computer").joinpath(FILE)

    assert len(file.read_bytes()) < 2_000_000


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


@pytest.mark.parametrize("discards", CRIBS)
def test_good_players_keep_fives_from_an_opponents_crib(discards: str) -> None:
    family = CRIBS[discards]
    throws = discarding_of(family).throws[OTHER]
    with_five = holdings(2 if family.seats == 2 else 1).counts[:, FIVE] > 0

    assert throws[with_five].max() < throws[~with_five].mean()


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


@pytest.mark.parametrize(("family", "times"), [(FAMILIES[0], 40), (FAMILIES[8], 20)], ids=["two", "partners"])
def test_the_pegging_of_each_hand_is_what_players_by_habit_peg(family: Family, times: int) -> None:
    """A sample of 40 deals a hand has a random error of 0.4 points, and the hands differ by 0.6 to 0.8."""
    discards, stored = discarding_of(family), course_of(family).pegging
    played = pegging(rules_of(family), discards, times, np.random.default_rng(1))
    weights = discards.keeps * holdings(4).ways(np.full(RANKS, 4))

    for role in (DEALER, OTHER):
        assert np.average(stored[role], weights=weights[role]) == pytest.approx(0, abs=0.02)
        assert np.corrcoef(stored[role], played[role])[0, 1] > 0.5


def test_low_cards_peg_more_than_tens() -> None:
    of_two = course_of(FAMILIES[0]).pegging
    low, high = (
        int(holdings(4).find(counts_of(ranks)[None, :])[0]) for ranks in ([0, 1, 2, 4], [9, 10, 11, 12])
    )

    assert (of_two[:, low] > of_two[:, high] + 0.5).all()


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


def test_who_sees_both_hands_pegs_most_and_who_looks_ahead_more_than_by_habit() -> None:
    every = np.arange(1820)
    likely = holdings(4).ways(np.full(RANKS, 4))
    for hand in (35, 700, 1_400):
        alike = np.full(1820, hand)
        for role, sign, cards in ((DEALER, 1, (alike, every)), (OTHER, -1, (every, alike))):
            by_habit, seeing = sign * _by_habit(*cards), sign * _seeing(role, *cards)

            assert (seeing >= by_habit).all()
            ahead = _searched(role, hand, likely)
            assert np.average(by_habit, weights=likely) < ahead < np.average(seeing, weights=likely)


def test_a_factor_for_each_card_tells_what_the_other_discards_beside_a_hand() -> None:
    """Exactly it follows from all hands that can be dealt with the cards that are left."""
    family = next(family for family in CRIBS.values() if family.seats == 2)
    learned, thrown = relearned(family), holdings(2)
    held = counts_of([4, 4, 6, 7, 11, 11])
    usual = thrown.ways(np.full(RANKS, 4) - held)
    exactly = _throws(learned.dealt, learned.used, thrown, np.full(RANKS, 4) - held) * usual
    for role in (DEALER, OTHER):
        of_role = exactly[role] / exactly[role].sum()
        said, without = (
            throws * usual / (throws * usual).sum()
            for throws in (learned.discards.pairs(role, held), learned.discards.throws[role])
        )

        assert np.abs(said - of_role).sum() < 0.3 * np.abs(without - of_role).sum()
