"""What a table agrees on: every option of the rules can be chosen by itself, in a form too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.errors import NumberOutOfRange, WrongLength, WrongTime
from bot.model.rule_forms import (
    BOXES,
    FORMS,
    RULE_SET,
    Kind,
    filled_in,
    length_in,
    offered,
    preset_value,
    time_in,
)
from bot.model.rule_settings import (
    DERIVED,
    NUMBERS,
    OTHER,
    TIMES,
    Setting,
    changed,
    value_of,
    values_of,
    with_preset,
)
from bot.model.table_record import Agreement, Pace
from bot.render.text.rules import turn_text
from bot.render.text.voice import Voice
from engine import PRESETS, TWO_HANDED, Counting, FirstDeal, NextDeal, Rules, RulesError
from tests.engine.games import PRESET_SEATS

OF_THE_GAME = {"three_for_last", "captain", "low_wins"}
"""Fields of `Rules` that come with the rule set alone."""

BASES = [
    *(Agreement.of(players=players, preset=preset) for preset, players in PRESET_SEATS),
    *(Agreement.of(preset=preset, muggins=True) for preset in PRESETS if preset != "lowball"),
    *(Agreement.of(players=players, muggins=True) for players in (3, 4)),
]
"""Every rule set with each number of players, and with muggins with one of them."""


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


def test_every_setting_is_in_one_field_of_one_form() -> None:
    named = [each for form in FORMS.values() for field in form for each in field.settings]
    assert sorted(named, key=list(Setting).index) == list(Setting)
    assert {field.settings[0] for form in FORMS.values() for field in form if field.kind is Kind.TEXT} == set(
        NUMBERS
    )


def test_a_box_has_both_values_of_its_setting_and_any_other_field_has_one_setting() -> None:
    in_boxes = set()
    for field in (each for form in FORMS.values() for each in form):
        if field.kind is Kind.BOXES:
            in_boxes |= set(field.settings)
        else:
            assert len(field.settings) == 1
    assert in_boxes == set(BOXES)
    for setting, values in BOXES.items():
        base = next(each for each in BASES if values_of(each, setting))
        assert set(values) == set(values_of(base, setting))


@pytest.mark.parametrize("setting", Setting)
def test_every_value_can_be_reached_by_the_forms_and_is_what_they_open_with_then(setting: Setting) -> None:
    for base in BASES:
        for value in values_of(base, setting):
            if value == OTHER or setting is Setting.TIME:
                continue
            after = filled_in(base, {setting.value: value})
            assert after == (base if value == value_of(base, setting) else changed(base, setting, value))
            if offered(base, setting):
                assert preset_value(after, setting) == value


def test_partners_and_the_price_of_claims_are_set_together_with_what_they_need() -> None:
    two = Agreement()
    assert preset_value(two, Setting.PARTNERS) == "yes"
    assert preset_value(two, Setting.WRONG_CLAIMS) == "2"
    alone = filled_in(two, {"players": "4", "partners": "no"})
    assert (alone.players, alone.rules.partners) == (4, False)
    dear = filled_in(two, {"wrongclaims": "5", "counting": "muggins"})
    assert (dear.rules.muggins, dear.rules.wrong_claims) == (True, 5)
    assert filled_in(two, {"players": "2", "partners": "no", "wrongclaims": "5", "fourth": "yes"}) == two


def test_a_rule_set_comes_first_and_again_only_where_it_is_another() -> None:
    changed_one = filled_in(Agreement(), {"heels": "3"})
    assert filled_in(changed_one, {RULE_SET: "standard"}) == changed_one
    other = filled_in(changed_one, {RULE_SET: "parlour", "players": "3"})
    assert (other.preset, other.players, other.rules.his_heels) == ("parlour", 3, 1)


def test_what_is_unlike_every_option_stays_unless_it_is_answered() -> None:
    odd = Agreement.of(his_heels=5)
    assert preset_value(odd, Setting.HEELS) == ""
    assert filled_in(odd, {"nobs": "0"}).rules.his_heels == 5
    assert filled_in(odd, {"heels": "2"}).rules.his_heels == 2


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("90", 90),
        (" 90 s ", 90),
        ("90s.", 90),
        ("5 min", 300),
        ("5 Minutes", 300),
        ("12 h", 43_200),
        ("2 days", 172_800),
        ("2 j", 172_800),
        ("1 heure", 3_600),
        ("1,001 s", 1_001),
        ("1\N{NARROW NO-BREAK SPACE}001\N{NO-BREAK SPACE}s", 1_001),
    ],
)
def test_a_time_may_be_typed_with_its_unit(typed: str, seconds: int) -> None:
    assert time_in(typed) == seconds


@pytest.mark.parametrize("typed", ["", "14", "8 days", "2 weeks", "soon", "-5 min", "5 min 30", "²"])
def test_what_is_no_time_for_a_turn_is_refused(typed: str) -> None:
    with pytest.raises(WrongTime) as refused:
        filled_in(Agreement(), {"time": typed})
    assert refused.value.text == typed


@pytest.mark.parametrize("typed", ["", "30", "1000", "12 1", "lots", "-61", "²³"])
def test_what_is_no_length_is_refused_with_the_lengths(typed: str) -> None:
    with pytest.raises(WrongLength) as refused:
        length_in(typed)
    assert (refused.value.text, refused.value.first, refused.value.last) == (typed, 31, 999)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_time_is_read_as_it_is_shown(language: str) -> None:
    voice = Voice(Language.of(language))
    for seconds in (15, 90, 119, 120, 1_001, 3_600, 5_400, 43_200, 86_400, 604_799, 604_800):
        assert time_in(turn_text(seconds, voice)) == seconds


def test_a_time_on_offer_is_agreed_on_as_such() -> None:
    for name, (pace, own) in TIMES.items():
        seconds = str(own or pace.seconds)
        base = replace(Agreement(), pace=Pace.SLOW, seconds=77)
        assert value_of(filled_in(base, {"time": seconds}), Setting.TIME) == name
    assert filled_in(Agreement.of(seconds=120), {"time": "2 minutes"}) == Agreement.of(seconds=120)
    assert filled_in(Agreement(), {"time": "45 min"}).pace is Pace.SLOW


def test_a_value_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RulesError):
        filled_in(Agreement(), {"heels": "9"})
    with pytest.raises(KeyError):
        filled_in(Agreement(), {RULE_SET: "nonsense"})


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
