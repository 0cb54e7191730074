"""Discarding: every choice counted exactly, what a player would say first, and cribs as published."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import lru_cache
from itertools import combinations
from math import comb, exp
from pathlib import Path
from statistics import fmean

import pytest

from engine import PACK, TWO_HANDED, Cards, Rules, cards, count, spell
from engine.computer.chances import ScoreState
from engine.computer.making.discarding import SOFTNESS
from engine.computer.tables import knows_course
from engine.computer.throws import Throw, thrower_for
from tests.engine.computer.matches import TABLES
from tests.engine.tables import PlainChance

WELL_KNOWN = """
4H 5C 6D 6S JH KC   JH KC   JH KC    a double run with fifteens stays together
2C 5H 5C 5S 9H JD   2C 9H   2C 9H    nobody parts with three fives and a jack
2H 3C 7D 7S 8H 8C   2H 3C   2H 3C    nor with sevens and eights, in either crib
2H 3C 9D JH QC KS   2H 3C   9D KS    a two and a three are for one's own crib
2D 3S 5H 5C 8H KC   2D 3S   8H KC    and so they are here; an opponent gets an eight and a king
5D 9H TC JD QS KH   9H TC   9H KH    apart they are worth little to an opponent
2D 3S 4H 4C TH KC   TH KC   TH KC
"""
"""Six cards, what the dealer discards, what the pone does."""


def table_throws(rules: Rules, dealt: Cards, *, dealer: bool, own_crib: bool) -> tuple[Throw, ...]:
    score = ScoreState(rules.target, rules.target, dealing=own_crib) if rules.sides == 2 else None
    return thrower_for(rules).throws(dealt, own_crib=own_crib, dealer=dealer, score=score)


def dealt_from(rules: Rules, seed: int) -> Cards:
    return tuple(sorted(PlainChance(seed).shuffled(PACK)[: rules.dealt]))


@pytest.mark.parametrize("line", WELL_KNOWN.strip().split("\n"))
@pytest.mark.parametrize("dealer", [True, False], ids=["dealer", "pone"])
def test_what_a_player_would_discard_comes_first(line: str, dealer: bool) -> None:
    words = line.split()
    expected = cards(" ".join(words[6:8] if dealer else words[8:10]))
    throws = table_throws(TWO_HANDED, cards(" ".join(words[:6])), dealer=dealer, own_crib=dealer)

    assert max(throws, key=lambda throw: throw.points).given == expected
    assert max(throws, key=lambda throw: throw.winning or 0.0).given == expected


@pytest.mark.parametrize("table", [table for table in TABLES if "muggins" not in table])
def test_every_choice_is_there_with_its_hand_counted_over_all_starters(table: str) -> None:
    rules = TABLES[table]
    for seed in range(2):
        dealt = dealt_from(rules, seed)
        unseen = [each for each in PACK if each not in dealt]
        throws = table_throws(rules, dealt, dealer=False, own_crib=False)

        assert len(unseen) == 52 - rules.dealt
        assert {throw.given for throw in throws} == set(combinations(dealt, rules.discarded))
        assert len(throws) == comb(rules.dealt, rules.discarded)
        for throw in throws:
            worth = [count(throw.kept, starter=each, rules=rules).points for each in unseen]

            assert sorted((*throw.kept, *throw.given)) == list(dealt)
            assert (throw.lowest, throw.highest) == (min(worth), max(worth))
            assert throw.average == pytest.approx(fmean(worth))
            assert throw.points == pytest.approx(throw.average + throw.crib + throw.pegging)


@pytest.mark.parametrize("table", [table for table in TABLES if "muggins" not in table])
def test_a_crib_is_worth_something_to_its_owner_and_costs_the_others(table: str) -> None:
    rules = TABLES[table]
    for seed in range(2, 6):
        dealt = dealt_from(rules, seed)
        own = table_throws(rules, dealt, dealer=True, own_crib=True)
        others = table_throws(rules, dealt, dealer=False, own_crib=False)

        assert all(1.0 < throw.crib < 12.0 for throw in own)
        assert all(-12.0 < throw.crib < 0.0 for throw in others)
        for throw in (*own, *others):
            assert (throw.winning is None) == (rules.sides > 2 or not knows_course(rules))
            assert throw.winning is None or 0.0 < throw.winning < 1.0


@pytest.mark.parametrize("partner", [True, False])
def test_partners_discard_for_their_own_sides_crib(partner: bool) -> None:
    """Five and jack are for one's own; a partner of the dealer has a share in the crib, an opponent pays."""
    rules = TABLES["short-4"]
    throws = table_throws(rules, cards("2H 5C 8D 9S KD"), dealer=False, own_crib=partner)
    by_card = {spell(throw.given): throw.crib for throw in throws}

    assert (by_card["5C"] > by_card["KD"]) is partner
    assert all((crib > 0) is partner for crib in by_card.values())


@pytest.mark.parametrize("dealer", [True, False])
def test_two_cards_of_one_suit_and_a_jack_are_worth_a_little_more_in_a_crib(dealer: bool) -> None:
    throws = table_throws(TWO_HANDED, cards("2H 3H 9C 9H JD QD"), dealer=dealer, own_crib=dealer)
    crib = {spell(throw.given): abs(throw.crib) for throw in throws}

    assert 0 < crib["2H 9H"] - crib["2H 9C"] < 0.1
    assert crib["9H JD"] > crib["9H QD"]


def test_the_end_of_the_game_decides_and_not_the_points() -> None:
    """The pone counts first: with two to go it keeps what counts two for sure, and pays in the crib."""
    dealt = cards("5H 5C 6D 7S 9H KC")
    near = ScoreState(2, 60, dealing=False)
    throws = thrower_for(TWO_HANDED).throws(dealt, own_crib=False, dealer=False, score=near)

    assert max(throws, key=lambda throw: throw.winning or 0.0).lowest >= 2
    assert all(throw.winning is not None and 0.0 <= throw.winning <= 1.0 for throw in throws)


def test_a_throw_does_not_print_its_cards() -> None:
    throw = table_throws(TWO_HANDED, cards("5H 5C 6D 7S 9H KC"), dealer=True, own_crib=True)[0]

    assert "card(" not in repr(throw)


DATA = Path(__file__).parent / "data" / "hessel_cribs.csv"
DEALS = 1_000
ROLES = {"dealer": True, "pone": False}


@lru_cache(maxsize=4)
def published() -> dict[str, dict[str, float]]:
    with DATA.open() as file:
        rows = list(csv.DictReader(file))
    return {role: {row["pair"]: float(row[role]) for row in rows} for role in ROLES}


@lru_cache(maxsize=4)
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


@pytest.mark.deep
@pytest.mark.parametrize("role", ROLES)
def test_the_average_crib_is_near_the_published_one(role: str) -> None:
    differences = {pair: ours(role)[pair] - known for pair, known in published()[role].items()}

    assert len(differences) == len(ours(role)) == 91
    assert abs(fmean(differences.values())) < 0.1
    assert fmean(map(abs, differences.values())) < 0.25
    assert max(map(abs, differences.values())) < 0.9


@pytest.mark.deep
@pytest.mark.parametrize("role", ROLES)
def test_the_best_and_the_worst_pairs_are_the_published_ones(role: str) -> None:
    known = published()[role]
    best = sorted(known, key=known.__getitem__)

    assert max(ours(role), key=ours(role).__getitem__) == "55"
    assert fmean(ours(role)[pair] for pair in best[-10:]) > fmean(ours(role)[pair] for pair in best[:10]) + 3
    assert {"23", "78", "5J"} <= set(sorted(ours(role), key=ours(role).__getitem__)[-20:])


@pytest.mark.deep
def test_a_pair_is_worth_less_in_ones_own_crib_than_it_costs_in_an_opponents() -> None:
    """An opponent who does not deal discards what does least; a dealer what does most."""
    more = [ours("pone")[pair] > ours("dealer")[pair] for pair in published()["pone"]]

    assert sum(more) > 80
