"""The play as a table agrees with `engine.pegging`, card after card."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engine import Card, Rank, Suit, pegging
from engine.computer.ranks import NO_RANK, RANKS
from engine.computer.series import SeriesTable, series_table
from engine.pegging import THIRTY_ONE
from engine.presets import standard
from engine.rules import Rules
from engine.scores import total

CARDS = [Card(Rank(rank + 1), Suit.HEARTS) for rank in range(RANKS)]
VARIANTS = list(product((True, False), repeat=2))


@pytest.mark.parametrize(("pairs", "runs"), VARIANTS)
def test_every_card_on_random_series_scores_what_pegging_says(pairs: bool, runs: bool) -> None:
    table = series_table(pairs=pairs, runs=runs)
    rules = standard(2, pairs_in_play=pairs, runs_in_play=runs)
    random = np.random.default_rng(31)
    longest = 0
    for _ in range(60):
        for bias in (0.0, 0.3, 0.9):
            longest = max(longest, len(follow(table, rules, bias, random)))

    assert longest >= 9


def follow(table: SeriesTable, rules: Rules, bias: float, random: np.random.Generator) -> list[int]:
    """A series up to its end: at every card all thirteen are compared; the more bias, the lower it runs."""
    series: list[int] = []
    number = 0
    while True:
        count = pegging.running_count(of_ranks(series))
        can = [rank for rank in range(RANKS) if pegging.is_playable(CARDS[rank], count)]

        assert table.count[number] == count
        assert table.number(series) == number
        assert table.playable[number].tolist() == [rank in can for rank in range(RANKS + 1)]
        held = [rank for rank in can if series.count(rank) < 4]

        assert {rank: table.points[number, rank] for rank in held} == {
            rank: total(pegging.scores_in_play(of_ranks([*series, rank]), rules)) for rank in held
        }
        assert not table.points[number][~table.playable[number]].any()

        if not held:
            return series
        likely = np.exp(-bias * np.array(held))
        series.append(int(random.choice(held, p=likely / likely.sum())))
        number = int(table.after[number, series[-1]])


def of_ranks(series: list[int]) -> tuple[Card, ...]:
    return tuple(CARDS[rank] for rank in series if rank != NO_RANK)


@pytest.mark.parametrize("pairs", [True, False])
def test_the_longest_run_is_found_in_any_order(pairs: bool) -> None:
    table = series_table(pairs=pairs, runs=True)

    assert table.points[table.number([6, 0, 5, 1, 4, 2]), 3] == 7
    assert table.points[table.number([2, 1, 0, 12]), 3] == 0
    assert table.points[table.number([3, 2, 4, 2]), 3] == 3


def test_a_double_pair_royal_is_twelve_and_nothing_goes_past_thirty_one() -> None:
    table = series_table(pairs=True, runs=True)
    three_sevens = table.number([6, 6, 6])

    assert table.points[three_sevens, 6] == 12
    assert table.count[table.number([6, 6, 6, 6])] == 28
    assert table.points[table.number([6, 6, 6, 6]), 2] == 2
    assert table.count.max() == THIRTY_ONE
    assert not table.playable[table.number([6, 6, 6, 6]), 3:].any()
