"""Every setting stands in one form, and what a form says of the rules is what the table agrees on."""

from __future__ import annotations

from dataclasses import replace

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
from bot.model.rule_settings import NUMBERS, OTHER, TIMES, Setting, changed, value_of, values_of
from bot.model.table_record import Agreement, Pace
from bot.render.text.rules import turn_text
from bot.render.text.voice import Voice
from engine import Counting, RulesError
from tests.bot.model.test_rule_settings import BASES


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


def test_a_form_sent_as_it_opened_changes_nothing() -> None:
    for base in BASES:
        answers = {each.value: preset_value(base, each) for each in Setting if offered(base, each)}
        answers |= {RULE_SET: base.preset, "time": str(base.time_to_move), "length": str(base.rules.target)}
        assert filled_in(base, answers) == base


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
    with pytest.raises(NumberOutOfRange):
        changed(Agreement(), Setting.LENGTH, "30")
    assert filled_in(Agreement(), {"counting": "aloud"}).rules.counting is Counting.ALOUD
