"""Agreements: the preset's rules, with the requested changes."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from bot.model.table_record import Agreement, Pace
from engine import PRESETS, TWO_HANDED, Counting, NextDeal, Rules, RulesError


def test_without_a_choice_it_is_the_standard_game_of_two() -> None:
    assert Agreement.of() == Agreement()
    assert Agreement().rules == TWO_HANDED


def test_a_change_to_none_leaves_the_preset_as_it_is() -> None:
    assert Agreement.of(players=4, preset="short", target=None, partners=None).rules == PRESETS["short"](4)
    assert Agreement.of(players=4, target=31, partners=False).rules == replace(
        PRESETS["standard"](4), target=31, partners=False
    )


def test_players_who_may_call_muggins_count_aloud() -> None:
    assert Agreement.of(muggins=True).rules.counting is Counting.ALOUD
    assert not Agreement.of(aloud=True).rules.muggins


@pytest.mark.parametrize("name", [field.name for field in fields(Rules) if field.name != "seats"])
def test_every_option_of_the_rules_can_be_agreed_on(name: str) -> None:
    """Fails if a new option would have to be copied to the agreement."""
    asked = getattr(PRESETS["family"](4, partners=False, next_deal=NextDeal.CUT, target=99), name)

    assert getattr(Agreement.of(players=4, **{name: asked}).rules, name) == asked


def test_rules_that_nobody_could_play_are_refused() -> None:
    with pytest.raises(RulesError):
        Agreement.of(players=3, partners=True)
    with pytest.raises(KeyError):
        Agreement.of(preset="house")


def test_the_pace_gives_the_time_unless_seconds_are_agreed_on() -> None:
    assert Agreement.of(pace=Pace.SLOW).time_to_move == 86_400
    assert Agreement.of(seconds=45).time_to_move == 45
