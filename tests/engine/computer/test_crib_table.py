"""The computer's values of cribs beside D. Hessel's published ones.

His table (`data/hessel_cribs.csv`) has the average crib (points) of a game between good players for each two
discarded ranks, in one's own crib and in the opponent's. He let players learn from one another as
`engine.computer.making` does, without flushes.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from math import exp
from pathlib import Path
from statistics import fmean

import pytest

from engine import PACK, TWO_HANDED, Cards
from engine.computer.making.discarding import SOFTNESS
from engine.computer.throws import thrower_for
from tests.engine.tables import PlainChance

DATA = Path(__file__).parent / "data" / "hessel_cribs.csv"
DEALS = 1_000
ROLES = {"dealer": True, "pone": False}


@cache
def published() -> dict[str, dict[str, float]]:
    with DATA.open() as file:
        rows = list(csv.DictReader(file))
    return {role: {row["pair"]: float(row[role]) for row in rows} for role in ROLES}


@cache
def ours(role: str) -> dict[str, float]:
    """The average crib for each pair over seeded deals, by how readily it is discarded from each of them."""
    weights: defaultdict[str, float] = defaultdict(float)
    cribs: defaultdict[str, float] = defaultdict(float)
    dealer = ROLES[role]
    dice = PlainChance(91)
    for _ in range(DEALS):
        dealt = tuple(sorted(dice.shuffled(PACK)[:6]))
        throws = thrower_for(TWO_HANDED).throws(dealt, own_crib=dealer, dealer=dealer, score=None)
        best = max(throw.points for throw in throws)
        for throw in throws:
            weight = exp((throw.points - best) / SOFTNESS)
            weights[pair_of(throw.given)] += weight
            cribs[pair_of(throw.given)] += weight * abs(throw.crib)
    return {pair: cribs[pair] / weights[pair] for pair in weights}


def pair_of(given: Cards) -> str:
    return "".join(each.rank.letter for each in sorted(given))


@pytest.mark.parametrize("role", ROLES)
def test_the_average_crib_is_near_the_published_one(role: str) -> None:
    differences = {pair: ours(role)[pair] - known for pair, known in published()[role].items()}

    assert len(differences) == len(ours(role)) == 91
    assert abs(fmean(differences.values())) < 0.1
    assert fmean(map(abs, differences.values())) < 0.25
    assert max(map(abs, differences.values())) < 0.9


@pytest.mark.parametrize("role", ROLES)
def test_the_best_and_the_worst_pairs_are_the_published_ones(role: str) -> None:
    known = published()[role]
    best = sorted(known, key=known.__getitem__)

    assert max(ours(role), key=ours(role).__getitem__) == "55"
    assert fmean(ours(role)[pair] for pair in best[-10:]) > fmean(ours(role)[pair] for pair in best[:10]) + 3
    assert {"23", "78", "5J"} <= set(sorted(ours(role), key=ours(role).__getitem__)[-20:])


def test_a_pair_is_worth_less_in_ones_own_crib_than_it_costs_in_an_opponents() -> None:
    """An opponent who does not deal discards what does least; a dealer what does most."""
    more = [ours("pone")[pair] > ours("dealer")[pair] for pair in published()["pone"]]

    assert sum(more) > 80
