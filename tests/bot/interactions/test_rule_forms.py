"""The forms and selects of the rules: they fit into Discord's, and offer what a table can agree on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
import pytest
from discord import app_commands, ui

from bot.interactions import choices
from bot.interactions.modals import amount_modal, count_modal, muggins_modal, points_in
from bot.interactions.rule_forms import answers_in, rule_form
from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_forms import (
    BOXES,
    FORMS,
    RULE_SET,
    RulesTopic,
    filled_in,
    offered,
    preset_value,
    rule_sets,
)
from bot.model.rule_settings import NUMBERS, Setting, changed, values_of, with_preset
from bot.model.table_record import Agreement, Pace
from bot.render.messages.rules_panel import rules_panel_drawing, rules_selects_drawing
from bot.render.text import rules as words_of_rules
from bot.render.text.voice import Voice
from engine import PRESETS, Counting, Game, Preset, Rules, Seat, WrongNumberOfPlayers
from sandbox.validation.modals import validate_modal
from tests.bot.interactions.requests import REGISTRY, asked_of, commanded, pressed, said_to
from tests.bot.model.test_agreements import BASES
from tests.bot.registered import COMMANDS
from tests.bot.render.games import ALOUD, at_the_show, components, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, is_spoken
from tests.engine.tables import PlainChance

TABLES = [*BASES, Agreement.of(pace=Pace.SLOW, seconds=604_799), Agreement.of(his_heels=5)]
MOST_FIELDS, MOST_OPTIONS, LONGEST_LABEL = 5, 10, 45


def _form(agreement: Agreement, topic: RulesTopic, voice: Voice) -> dict[str, Any]:
    return rule_form(record_of(agreement), topic, voice).to_dict()


def _fields(form: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["component"]["custom_id"]: each["component"] for each in form["components"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_fits_and_discord_takes_it(language: str) -> None:
    voice = Voice(Language.of(language))
    for agreement in TABLES:
        for topic in RulesTopic:
            form = _form(agreement, topic, voice)
            validate_modal(form)
            assert len(form["components"]) <= MOST_FIELDS
            assert len(form["title"]) <= LONGEST_LABEL
            for each in form["components"]:
                assert len(each["label"]) <= LONGEST_LABEL, each["label"]
                assert len(each.get("description") or "") <= 100
                options = each["component"].get("options", [])
                assert len(options) <= MOST_OPTIONS
                assert all(len(option["label"]) <= 100 for option in options)


@pytest.mark.parametrize("topic", RulesTopic)
def test_every_word_of_a_form_is_spoken(topic: RulesTopic) -> None:
    for agreement in TABLES:
        form = _form(agreement, topic, PSEUDO_VOICE)
        texts = [form["title"]]
        for each in form["components"]:
            texts += [each["label"], each.get("description") or ""]
            texts += [option["label"] for option in each["component"].get("options", [])]
        assert all(is_spoken(each) for each in texts), texts


def test_the_forms_have_every_setting_of_the_table_once_at_its_present_value() -> None:
    for agreement in TABLES:
        seen: list[str] = []
        for topic in RulesTopic:
            for key, field in _fields(_form(agreement, topic, Voice())).items():
                seen += key.split(",")
                chosen = [option["value"] for option in field.get("options", []) if option.get("default")]
                for name in key.split(","):
                    _is_preset(agreement, name, field, chosen)
        applies = [each.value for each in Setting if offered(agreement, each)]
        chooses = [RULE_SET] if len(rule_sets(agreement)) > 1 else []
        assert sorted(seen) == sorted([*chooses, *applies])


def _is_preset(agreement: Agreement, name: str, field: dict[str, Any], chosen: list[str]) -> None:
    if name == RULE_SET:
        assert chosen == [agreement.preset]
    elif name == "length":
        assert field["value"] == str(agreement.rules.target)
    elif name == "time":
        assert filled_in(agreement, {name: field["value"]}) == agreement
    elif (setting := Setting(name)) in BOXES:
        assert BOXES[setting][name in chosen] == preset_value(agreement, setting)
    else:
        assert chosen == [value for value in [preset_value(agreement, setting)] if value]


def test_a_form_sent_as_it_opened_leaves_every_table_as_it_was() -> None:
    for agreement in TABLES:
        for topic in RulesTopic:
            sent = _sent(_form(agreement, topic, Voice()))
            assert filled_in(agreement, answers_in({"components": sent})) == agreement


def _sent(form: dict[str, Any]) -> list[dict[str, Any]]:
    """Discord's submission when the form is submitted as it opened."""

    def values(field: dict[str, Any]) -> Iterator[tuple[str, object]]:
        chosen = [option["value"] for option in field.get("options", []) if option.get("default")]
        match discord.ComponentType(field["type"]):
            case discord.ComponentType.radio_group:
                yield "value", chosen[0] if chosen else None
            case discord.ComponentType.checkbox_group:
                yield "values", chosen
            case _:
                yield "value", field["value"]

    fields = _fields(form).items()
    return [{"type": 18, "component": {"custom_id": key, **dict(values(field))}} for key, field in fields]


def test_a_box_that_the_form_did_not_have_is_not_taken_for_an_empty_one() -> None:
    two, three = Agreement.of(players=2), Agreement.of(players=3)
    late = answers_in({"components": _sent(_form(two, RulesTopic.DEAL, Voice()))})
    assert "fourth" not in late
    assert filled_in(three, late).rules.crib_from_pack == 1


def test_a_rule_set_for_few_has_no_choice_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "short", replace(PRESETS["short"], players=frozenset({2})))
    form = _form(Agreement.of(preset="short"), RulesTopic.TABLE, Voice())
    validate_modal(form)
    assert list(_fields(form)) == [RULE_SET, "board", "hints"]


def test_the_panel_has_a_button_for_each_form_and_the_way_to_the_selects() -> None:
    drawing = rules_panel_drawing(record_of(Agreement()), Voice())
    pressable = [each["custom_id"] for each in components(drawing) if "custom_id" in each]
    assert pressable == [*(f"crib:k3f9:0:topic:{each.value}" for each in FORMS), *pressable[-2:]]
    assert [each.split(":")[3] for each in pressable[-2:]] == [Verb.SEAT.value, Verb.SELECTS.value]
    assert "No form opens? Use *Selects instead*." in words(drawing)


def _submitted(custom_id: str, **fields: object) -> Any:
    interaction = pressed(custom_id)
    interaction.type = discord.InteractionType.modal_submit
    interaction.data["components"] = [
        {"type": 18, "component": {"custom_id": key, "values" if isinstance(value, list) else "value": value}}
        for key, value in fields.items()
    ]
    return interaction


async def test_a_submitted_form_is_what_the_table_is_to_agree_on() -> None:
    boxes = {"pairs,runs,thirtyone": ["runs"]}
    interaction = _submitted("crib:k3f9:0:form:play", go="atcall", skipped=None, **boxes)
    await REGISTRY.press(interaction)
    answers = {"go": "atcall", "pairs": "no", "runs": "yes", "thirtyone": "no"}
    assert asked_of(interaction) == [("tables.fill_in", "k3f9", answers)]


async def test_a_rule_set_that_is_gone_is_refused() -> None:
    interaction = _submitted("crib:k3f9:0:form:table", preset="nonsense")
    await REGISTRY.press(interaction)
    assert asked_of(interaction) == []
    assert "earlier game" in said_to(interaction)[0]


_SEATS = (2, 3, 4, 5, 6)


def _duel(seats: int, **changes: object) -> Rules:
    return PRESETS["standard"](seats, **{"target": 31, "his_heels": 3} | changes)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> str:
    """Name of a rule set for two players only, with the words that one needs."""
    monkeypatch.setitem(PRESETS, "duel", Preset("duel", _duel, frozenset({2})))
    monkeypatch.setitem(words_of_rules.PRESET_NAMES, "duel", "Duel")
    monkeypatch.setitem(words_of_rules.PRESET_CHOICES, "duel", "Duel: 2 players, to 31")
    monkeypatch.setitem(words_of_rules.CREDITS, "duel", "A pretend rule set")
    return "duel"


def _offered(agreement: Agreement) -> list[str]:
    """Rule sets in the select of the lobby's *Rules*."""
    drawing = rules_selects_drawing(record_of(agreement), Voice())
    select = next(each for each in components(drawing) if each.get("custom_id", "").endswith(":preset"))
    return [option["value"] for option in select["options"]]


def _commands_with_rules() -> Iterator[app_commands.Command[Any, ..., Any]]:
    for group in COMMANDS:
        for command in group.commands if isinstance(group, app_commands.Group) else ():
            if isinstance(command, app_commands.Command) and command.get_parameter("rules"):
                yield command


def _command(name: str) -> app_commands.Command[Any, ..., Any]:
    return next(each for each in _commands_with_rules() if each.qualified_name == name)


def _values(command: app_commands.Command[Any, ..., Any], option: str) -> list[Any]:
    parameter = command.get_parameter(option)
    return [each.value for each in parameter.choices] if parameter else []


@pytest.mark.parametrize("preset", [*PRESETS, "duel"])
@pytest.mark.usefixtures("duel")
def test_a_rule_set_says_for_whom_it_is_and_has_rules_for_no_others(preset: str) -> None:
    of = PRESETS[preset]
    assert of.name == preset
    assert of.players
    assert of.players <= set(_SEATS)
    assert of().seats == min(of.players)
    for seats in _SEATS:
        if seats in of.players:
            assert of(seats).seats == seats
        else:
            with pytest.raises(WrongNumberOfPlayers) as refused:
                of(seats)
            facts = (refused.value.preset, refused.value.given, refused.value.wanted)
            assert facts == (preset, seats, tuple(sorted(of.players)))
    if of.players not in ({2, 3, 4}, set(_SEATS)):
        for code in LANGUAGES:
            said = Language.of(code).gettext(words_of_rules.PRESET_CHOICES[preset])
            numbers = {int(each) for each in re.findall(r"\d+", said)}
            assert of.players <= numbers, f"{said} names the numbers of players"


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize("players", _SEATS)
def test_the_lobby_offers_the_rule_sets_for_its_number_of_players(players: int) -> None:
    fitting = [name for name, of in PRESETS.items() if players in of.players]
    assert _offered(Agreement.of(players=players)) == fitting
    assert ("duel" in fitting) is (players == 2)


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize("preset", [*PRESETS, "duel"])
def test_the_lobby_offers_the_numbers_of_players_that_its_rule_set_is_for(preset: str) -> None:
    agreement = Agreement.of(preset=preset)
    offered = values_of(agreement, Setting.PLAYERS)
    assert set(map(int, offered)) == PRESETS[preset].players
    assert all(str(changed(agreement, Setting.PLAYERS, each).players) == each for each in offered)


def test_a_choice_from_an_older_panel_that_does_not_fit_is_refused(duel: str) -> None:
    with pytest.raises(WrongNumberOfPlayers):
        with_preset(Agreement.of(players=3), duel)
    with pytest.raises(WrongNumberOfPlayers):
        changed(Agreement.of(preset=duel), Setting.PLAYERS, "3")


def test_every_command_offers_the_rule_sets_for_the_players_that_it_seats() -> None:
    seen = {command.qualified_name: _values(command, "rules") for command in _commands_with_rules()}

    for name, but in (
        ("crib-organise open", {"lowball"}),
        ("crib-coach discards", {"five_card", "lowball", "captains"}),
        ("crib-coach score", ()),
        ("crib new", ()),
    ):
        players = _values(_command(name), "players") or ((2, 4) if "open" in name else _SEATS)
        assert seen.pop(name) == [each.value for each in choices.rule_sets(*players, but=but)], name
    assert not seen


def test_a_command_offers_a_rule_set_for_any_of_its_numbers_of_players(duel: str) -> None:
    of_three = [name for name, of in PRESETS.items() if 3 in of.players]
    assert [each.value for each in choices.rule_sets(3)] == of_three
    last = choices.rule_sets(2, 4)[-1]
    assert (last.name, last.value) == ("Duel: 2 players, to 31", duel)


async def _new(**options: Any) -> Any:
    command, interaction = _command("crib new"), commanded()
    await command.callback(command.parent, interaction, **options)  # type: ignore[call-arg, arg-type]
    return interaction


@pytest.mark.parametrize("options", [{"players": 2}, {}])
async def test_a_new_table_has_as_many_seats_as_its_rule_set_is_for(
    duel: str, options: dict[str, int]
) -> None:
    (call,) = asked_of(await _new(rules=duel, **options))
    assert call[:2] == ("tables.open_table", Agreement.of(players=2, preset=duel))


async def test_a_new_table_for_others_is_refused_in_a_sentence(duel: str) -> None:
    interaction = await _new(rules=duel, players=3)
    assert asked_of(interaction) == []
    assert "Duel rules are for 2 players, not 3." in said_to(interaction)[0]


def test_a_table_agreed_on_before_its_rule_set_was_for_fewer_can_still_be_shown(duel: str) -> None:
    before = replace(Agreement.of(players=3), preset=duel)
    assert before.is_changed
    assert _offered(before)


def test_a_game_names_its_rule_set_if_it_is_for_so_many(duel: str) -> None:
    assert repr(Game.new(PRESETS[duel](), chance=PlainChance(1))).startswith("<Game duel for 2")
    assert repr(Game.new(_duel(3), chance=PlainChance(1))).startswith("<Game custom for 3")


_PRICED = Rules(counting=Counting.ALOUD, muggins=True, wrong_claims=5)
_AT = ComponentId(game="k3f9", deal=1, verb=Verb.COUNT)


def _texts(modal: ui.Modal) -> list[str]:
    [label] = modal.to_components()
    field: dict[str, Any] = label["component"]
    return [modal.title, label["label"], label["description"], field.get("placeholder") or ""]


def test_a_modal_is_spoken_and_nothing_of_it_is_cut_off() -> None:
    for modal in (
        muggins_modal(_AT, ALOUD.rules, PSEUDO_VOICE),
        muggins_modal(_AT, _PRICED, PSEUDO_VOICE),
        count_modal(_AT, at_the_show(ALOUD).view(Seat(1)), PSEUDO_VOICE),
        *(amount_modal(_AT, setting, PSEUDO_VOICE) for setting in NUMBERS),
    ):
        title, label, description, placeholder = _texts(modal)
        for each in (title, label, description, placeholder):
            assert is_spoken(each, "Ada", "Ben"), each
        assert max(len(title), len(label)) <= LONGEST_LABEL
        assert max(len(description), len(placeholder)) <= 100


@pytest.mark.parametrize(
    ("components", "typed"),
    [
        ([{"type": 18, "component": {"type": 4, "custom_id": "points", "value": "12"}}], "12"),
        ([{"type": 18, "component": {"type": 4, "custom_id": "other", "value": "12"}}], ""),
        ([{"type": 10, "content": "Points"}], ""),
    ],
    ids=["label", "another field", "text"],
)
def test_what_was_typed_is_found_in_its_field_and_nowhere_else(
    components: list[dict[str, Any]], typed: str
) -> None:
    assert points_in({"components": components}) == typed
