"""Every option of the rules changes a game, and has its place in the computer's families."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any, get_type_hints

import pytest

from engine import PRESETS, FirstDeal, Game, NextDeal, NoComputerFamily, Rules
from engine.computer import family_of
from engine.computer.tables import FAMILIES, knows_course
from engine.phases import Result
from engine.secret_events import LoggedEvent
from tests.engine.games import PRESET_SEATINGS, SEATINGS, mostly_deep, move_of
from tests.engine.rule_options import BASES, changed
from tests.engine.tables import PlainChance

HINTS = get_type_hints(Rules)

ELSEWHERE: dict[str, set[object]] = {"next_deal": set(NextDeal), "first_deal": {FirstDeal.NAMED}}
"""Values that matter before a game alone, to the program that begins it and may say who deals."""

_SEEDS = 60
"""Number of games of the same rules in which a change is looked for."""


@lru_cache(100)
def _played(rules: Rules, seed: int) -> tuple[tuple[LoggedEvent, ...], Result | None]:
    """All that happens in a game behind its rules, and its result; equal rulings make equal games."""
    game, dice = Game.new(rules, chance=PlainChance(seed)), PlainChance(seed + 1_000_000)
    while not game.is_over:
        game.apply(move_of(game, game.table.waiting_for[0], dice))
    return game.log[1:], game.table.result


def _makes_a_difference(pairs: list[tuple[Rules, Rules]]) -> bool:
    return any(_played(base, seed) != _played(other, seed) for seed in range(_SEEDS) for base, other in pairs)


@pytest.mark.parametrize("name", mostly_deep(HINTS, HINTS.keys() - {"crib_flush", "skunks"}))
def test_an_option_changes_the_game_with_each_of_its_values(name: str) -> None:
    by_value: dict[object, list[tuple[Rules, Rules]]] = {}
    for base, other in changed(name, HINTS[name]):
        by_value.setdefault(getattr(other, name), []).append((base, other))

    assert by_value
    for value in by_value.keys() - ELSEWHERE.get(name, set()):
        assert _makes_a_difference(by_value[value][:5]), f"{name}={value} changes nothing"


IN_A_FAMILY = {
    *("seats", "partners", "crib_from_pack"),
    *("go_scoring", "pairs_in_play", "runs_in_play", "thirty_one_plus_last"),
}
"""Options for which there are tables; combinations without any are played by looking ahead, for points."""

WITHOUT_FIGURES: dict[str, Any] = {"play_out": True, "low_wins": False, "captain": None}
"""Options of which no table knows what is pegged, or what it is worth, unless they have this value."""

REFUSED = {"dealt", "discarded", "spared"}
"""Options that the computer does not play, but for the five cards of the old game."""

ALIKE = {
    "target": "the chance to win goes by the holes that are left; far from home it plays for points",
    "captain_target": "it plays for points, which count by their share of each side's target",
    "players_a_side": "no table knows six players, and it plays for points",
    "three_for_last": "nothing is decided before it",
    "start": "the chance to win goes by the holes that are left",
    "his_heels": "chance alone pegs them, and up to two they shift a deal by less than a fifth of a point",
    "heels_claimed": "it always claims them",
    "his_nobs": "hands and cribs are counted by the rules themselves",
    "flush": "hands and cribs are counted by the rules themselves",
    "crib_flush": "hands and cribs are counted by the rules themselves",
    "starter_cut": "it never changes a score",
    "first_deal": "nothing is decided before it",
    "next_deal": "nothing is decided before it",
    "skunks": "it plays to win, and not to save itself from a skunk",
    "match_points": "it plays to win each game",
    "counting": "it says what it sees in its hand",
    "muggins": "it says what it sees of its cards' worth, and takes what it notices that others miss",
    "wrong_claims": "it claims no more than the truth",
}
"""Options that need no table of their own, and why."""


def test_every_option_is_in_one_of_these() -> None:
    names = sorted((*IN_A_FAMILY, *WITHOUT_FIGURES, *REFUSED, *ALIKE))

    options = sorted(field.name for field in fields(Rules))
    lacking = set(options) - set(names)
    assert not lacking, (
        f"say in one of the four tables above how the computer takes {', '.join(sorted(lacking))}"
    )
    assert names == options, "each option is in one table, and each name is an option's"


@pytest.mark.parametrize("name", sorted(IN_A_FAMILY))
def test_an_option_with_tables_has_another_family_or_no_figures_or_is_refused(name: str) -> None:
    for base, other in changed(name, HINTS[name]):
        try:
            assert family_of(other) != family_of(base) or not knows_course(other)
        except NoComputerFamily:
            continue


@pytest.mark.parametrize("name", sorted(WITHOUT_FIGURES))
def test_an_option_without_figures_has_the_family_that_comes_nearest(name: str) -> None:
    usual = WITHOUT_FIGURES[name]
    found = [
        (base, other)
        for base, other in changed(name, HINTS[name])
        if knows_course(base) and getattr(base, name) == usual
    ]

    assert found
    for base, other in found:
        assert family_of(other) == family_of(base)
        assert not knows_course(other)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_an_option_without_tables_is_refused(name: str) -> None:
    old = (2, 5, 2, 0, 0)  # the old five-card game
    changes = [other for base, other in changed(name, HINTS[name]) if base in BASES]
    refused = [
        each
        for each in changes
        if (each.seats, each.dealt, each.discarded, each.spared, each.crib_from_pack) != old
    ]

    assert refused
    for other in refused:
        with pytest.raises(NoComputerFamily) as refusal:
            family_of(other)
        assert name in refusal.value.options


@pytest.mark.parametrize("name", sorted(ALIKE))
def test_an_option_that_needs_no_tables_has_the_same(name: str) -> None:
    found = list(changed(name, HINTS[name]))

    assert found
    for base, other in found:
        assert family_of(other) == family_of(base)
        assert knows_course(other) == (knows_course(base) and other.his_heels <= 2)


@pytest.mark.parametrize(("preset", "seating"), PRESET_SEATINGS)
def test_all_that_can_be_chosen_today_has_a_family(preset: str, seating: str) -> None:
    """Its course is known too, unless it is another game than the usual one."""
    seats, shared = SEATINGS[seating]
    rules = PRESETS[preset](seats, **shared)

    assert family_of(rules) in FAMILIES
    assert knows_course(rules) == (preset == "shotgun" or not rules.is_variant)


def test_no_course_is_known_where_low_wins_from_wherever_it_starts() -> None:
    assert knows_course(PRESETS["standard"](2, start=60))
    assert not knows_course(PRESETS["lowball"](2, start=60))
