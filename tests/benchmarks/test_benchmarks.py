"""Each benchmark runs, with tiny sizes. Figures are not checked: machines differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import deck
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.sizes import SMALL
from tests.engine.games import mostly_deep


@pytest.mark.sockets
@pytest.mark.parametrize("name", mostly_deep(BENCHMARKS, ["counting", "folding"]))
def test_a_benchmark_runs_and_says_what_it_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--small", name])
    printed = capsys.readouterr().out
    assert BENCHMARKS[name].title in printed
    assert len(printed.splitlines()) > 4


def p_values() -> dict[str, float]:
    figures = deck.run(replace(SMALL, deals=5_000))
    return {each.name.removesuffix(", p"): float(each.value) for each in figures if each.name.endswith(", p")}


@pytest.mark.deep
def test_an_honest_deck_is_as_fair_and_one_that_is_not_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual mistake is each card swapped with any, not with those that are left."""
    fair = p_values()
    assert len(fair) == 6
    assert min(fair.values()) > 0.001
    monkeypatch.setattr("engine.fair.draws.draw", lambda _, numbers: next(numbers) % 52)
    monkeypatch.setattr("engine.fair.FairChance.pick", lambda _, choices, label: choices[len(label)])
    wrong = p_values()
    assert wrong["places"] == wrong["neighbours"] == wrong["hands"] == wrong["places to cut"] == 0


def test_of_a_test_half_the_values_lie_below_its_median() -> None:
    """Against a table: a chi-squared of 10 exceeds 9.342 half the time, and 29.588 once in a thousand."""
    assert deck.p_value(9.342, 10) == pytest.approx(0.5, abs=0.005)
    assert deck.p_value(29.588, 10) == pytest.approx(0.001, abs=0.0002)
