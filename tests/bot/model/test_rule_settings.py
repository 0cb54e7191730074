"""Every option of the engine can be agreed on alone, and a change keeps all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from bot.model.errors import NumberOutOfRange
from bot.model.rule_settings import (
    DERIVED,
    OTHER,
    Setting,
    changed,
    value_of,
    values_of,
    with_preset,
)
from bot.model.table_record import Agreement
from engine import PRESETS, FirstDeal, Rules, RulesError
from tests.engine.games import PRESET_SEATS

OF_THE_GAME = {"three_for_last", "captain", "low_wins"}
"""Fields of `Rules` that come with the rule set alone."""

BASES = [
    Agreement.of(players=players, preset=preset, muggins=muggins)
    for preset, players in PRESET_SEATS
    for muggins in (False, preset != "lowball")
]


def _fields(before: Rules, after: Rules) -> set[str]:
    return {each.name for each in fields(Rules) if getattr(before, each.name) != getattr(after, each.name)}


def _changes() -> Iterator[tuple[Setting, Agreement, Agreement]]:
    for base in BASES:
        for setting in Setting:
            for value in values_of(base, setting):
                if value != OTHER:
                    yield setting, base, changed(base, setting, value)


def test_every_field_of_the_rules_can_be_set_or_follows_from_another() -> None:
    touched: set[str] = set()
    for _, before, after in _changes():
        touched |= _fields(before.rules, after.rules)

    assert touched == {each.name for each in fields(Rules)} - OF_THE_GAME
    only_by_players = {
        name
        for setting, before, after in _changes()
        if setting is not Setting.PLAYERS
        for name in _fields(before.rules, after.rules)
    }
    assert touched - only_by_players == DERIVED | {"seats"}


def test_a_named_dealer_is_not_offered_since_nobody_can_name_one() -> None:
    usual = Agreement()
    before = replace(usual, rules=replace(usual.rules, first_deal=FirstDeal.NAMED))

    assert values_of(usual, Setting.FIRST_DEAL) == ("cut", "random")
    with pytest.raises(RulesError):
        changed(usual, Setting.FIRST_DEAL, "named")
    assert values_of(before, Setting.FIRST_DEAL) == ("cut", "random", "named")
    assert changed(before, Setting.FIRST_DEAL, "cut") == usual


def test_a_setting_changes_its_own_fields_alone() -> None:
    own = {
        Setting.PLAYERS: {"seats", "partners", "dealt", "discarded", "spared", "crib_from_pack"},
        Setting.COUNTING: {"counting", "muggins", "wrong_claims"},
        Setting.LENGTH: {"target", "start", "captain_target"},
    }
    seen: dict[Setting, set[str]] = {}
    for setting, before, after in _changes():
        moved = _fields(before.rules, after.rules)
        assert len(moved) <= 1 or moved <= own[setting], (setting, moved)
        seen.setdefault(setting, set()).update(moved)
        assert before.preset == after.preset
    assert len(seen) == len(Setting)


@pytest.mark.parametrize("setting", Setting)
def test_what_was_set_is_what_is_shown(setting: Setting) -> None:
    for base in BASES:
        for value in values_of(base, setting):
            if value != OTHER:
                assert value_of(changed(base, setting, value), setting) == value


def test_a_shotgun_game_of_another_length_has_thirty_one_to_go_as_well() -> None:
    shotgun = with_preset(Agreement(), "shotgun")
    shorter = changed(shotgun, Setting.LENGTH, "61")

    assert (shotgun.rules.start, shotgun.rules.target) == (90, 121)
    assert (shorter.rules.start, shorter.rules.target) == (30, 61)
    assert changed(changed(shotgun, Setting.LENGTH, "31"), Setting.LENGTH, "121") == shotgun
    assert not shorter.is_changed
    assert with_preset(shorter, "standard").rules.start == 0


def test_a_rule_set_keeps_players_counting_and_time() -> None:
    before = Agreement.of(players=4, partners=False, muggins=True, seconds=40, hints=True)
    after = with_preset(before, "family")

    assert after.rules == PRESETS["family"](4, partners=False, counting=before.rules.counting, muggins=True)
    assert (after.preset, after.seconds, after.hints) == ("family", 40, True)


def test_muggins_comes_with_a_price_that_the_table_can_change() -> None:
    chosen = changed(Agreement(), Setting.COUNTING, "muggins")
    dearer = changed(chosen, Setting.WRONG_CLAIMS, "5")

    assert (chosen.rules.wrong_claims, dearer.rules.wrong_claims) == (2, 5)
    assert value_of(dearer, Setting.COUNTING) == "muggins"
    assert with_preset(dearer, "family").rules.wrong_claims == 5
    assert changed(dearer, Setting.COUNTING, "aloud").rules.wrong_claims == 0
    assert values_of(Agreement(), Setting.WRONG_CLAIMS) == ()
    assert not dearer.is_changed, "every table states it"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (Setting.WRONG_CLAIMS, "2"),
        (Setting.PARTNERS, "yes"),
        (Setting.FOURTH, "yes"),
        (Setting.SKUNKS, OTHER),
        (Setting.HEELS, "9"),
    ],
)
def test_what_cannot_be_is_refused(setting: Setting, value: str) -> None:
    with pytest.raises(RulesError):
        changed(Agreement(), setting, value)


@pytest.mark.parametrize(
    ("setting", "value", "first", "last"),
    [
        (Setting.LENGTH, "30", 31, 999),
        (Setting.LENGTH, "1000", 31, 999),
        (Setting.TIME, "14", 15, 604_800),
        (Setting.TIME, "604801", 15, 604_800),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_range(
    setting: Setting, value: str, first: int, last: int
) -> None:
    with pytest.raises(NumberOutOfRange) as refused:
        changed(Agreement(), setting, value)
    assert (refused.value.first, refused.value.last) == (first, last)


def test_any_length_and_time_can_be_set() -> None:
    assert changed(Agreement(), Setting.LENGTH, "77").rules.target == 77
    assert changed(Agreement(), Setting.TIME, "40").time_to_move == 40
    assert changed(Agreement(), Setting.TIME, "7200").time_to_move == 7_200


def test_what_no_option_names_has_no_value() -> None:
    assert value_of(Agreement.of(his_heels=5), Setting.HEELS) == ""
    assert value_of(Agreement(), Setting.HEELS) in values_of(Agreement(), Setting.HEELS)
