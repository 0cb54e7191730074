"""Every option of the rules has a ruling: changed alone, it changes a game of the same cards and choices."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import get_type_hints

import pytest

from engine import FirstDeal, Game, NextDeal, Rules
from engine.phases import Result
from engine.secret_events import LoggedEvent
from tests.engine.games import move_of
from tests.engine.rule_options import changed
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


@pytest.mark.parametrize("name", [each.name for each in fields(Rules)])
def test_an_option_changes_the_game_with_each_of_its_values(name: str) -> None:
    by_value: dict[object, list[tuple[Rules, Rules]]] = {}
    for base, other in changed(name, HINTS[name]):
        by_value.setdefault(getattr(other, name), []).append((base, other))

    assert by_value
    for value in by_value.keys() - ELSEWHERE.get(name, set()):
        assert _makes_a_difference(by_value[value][:5]), f"{name}={value} changes nothing"
