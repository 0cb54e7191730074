"""The forms of the rules fit into Discord's, in every language, and say what the table has agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.interactions.rule_forms import answers_in, rule_form
from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import Verb
from bot.model.errors import NotHost, WrongTime
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
from bot.model.rule_settings import Setting
from bot.model.table_record import Agreement, Pace, Status
from bot.render.messages.rules_panel import rules_panel_drawing
from bot.render.text.voice import Voice
from engine import PRESETS
from sandbox.validation.modals import validate_modal
from tests.bot.interactions.asking import Room, asked_by
from tests.bot.interactions.requests import REGISTRY, asked_of, pressed
from tests.bot.model.test_rule_settings import BASES
from tests.bot.render.games import components, record_of, words
from tests.bot.render.pseudo import PSEUDO_VOICE, is_spoken
from tests.bot.seating import ADA, BEN

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
    assert "earlier game" in str(interaction.response.send_message.await_args)


async def test_only_the_host_opens_a_form_and_only_before_the_game() -> None:
    room, game = await Room.lobby(Agreement())
    host, guest = asked_by(ADA), asked_by(BEN)
    await room.tables.open_form(host, game, RulesTopic.PLAY)
    assert host.ask.await_count == 1
    await room.tables.open_form(guest, game, RulesTopic.PLAY)
    assert guest.ask.await_count == 0
    with pytest.raises(NotHost):
        await room.tables.fill_in(guest, game, {"pairs": "no"})
    with pytest.raises(WrongTime):
        await room.tables.fill_in(host, game, {"pairs": "no", "time": "soon"})
    record = await room.sessions.record(game)
    assert (record.agreement, record.status) == (Agreement(), Status.GATHERING)
    await room.tables.fill_in(host, game, {"pairs": "no"})
    assert not (await room.sessions.record(game)).agreement.rules.pairs_in_play
