"""The forms in which the host sets the rules: radio groups, boxes to tick, text inputs, and their answers.

A field's custom_id names its settings, those of boxes separated by commas, so that a form submitted late
tells an empty box from one that it did not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import TextStyle, ui

from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_forms import (
    BOXES,
    FORMS,
    RULE_SET,
    Field,
    Kind,
    RulesTopic,
    offered,
    preset_value,
    rule_sets,
)
from bot.model.rule_settings import NUMBERS, Setting
from bot.model.table_record import TableRecord
from bot.render.text.rule_forms import boxes_text, hint_text, ticked_text, topic_text
from bot.render.text.rules import PRESET_CHOICES, setting_text, turn_text, value_text
from bot.render.text.voice import Voice

LONGEST_NUMBER = len(str(NUMBERS[Setting.LENGTH][-1]))
"""Characters that a length may have."""
LONGEST_TIME = 20
"""Characters that a time may have, with its unit."""


def rule_form(record: TableRecord, topic: RulesTopic, voice: Voice) -> ui.Modal:
    """The topic's form, opened at the table's present rules."""
    address = ComponentId(record.game, 0, Verb.FORM, topic.value)
    modal = ui.Modal(title=topic_text(topic, voice), custom_id=str(address))
    if topic is RulesTopic.TABLE and len(rule_sets(record.agreement)) > 1:
        modal.add_item(_rule_set(record, voice))
    for field in FORMS[topic]:
        if (label := _label(record, topic, field, voice)) is not None:
            modal.add_item(label)
    return modal


def answers_in(data: dict[str, Any]) -> dict[str, str]:
    """The answers of a submitted form by key, from the data of its interaction; a skipped field has none."""
    found: dict[str, str] = {}
    for label in data.get("components", []):
        field = label.get("component", {})
        key, value = str(field.get("custom_id", "")), field.get("value")
        if "values" in field:
            ticked = set(field["values"])
            boxes = {each.value: each for each in BOXES}
            found |= {one: BOXES[boxes[one]][one in ticked] for one in key.split(",") if one in boxes}
        elif isinstance(value, str):
            found[key] = value
    return found


def _rule_set(record: TableRecord, voice: Voice) -> ui.Label[Any]:
    options = [
        discord.RadioGroupOption(
            label=voice.gettext(PRESET_CHOICES[name]), value=name, default=name == record.agreement.preset
        )
        for name in rule_sets(record.agreement)
    ]
    return ui.Label(
        text=voice.gettext("Rule set"),
        component=ui.RadioGroup(custom_id=RULE_SET, options=options, required=False),
    )


def _label(record: TableRecord, topic: RulesTopic, field: Field, voice: Voice) -> ui.Label[Any] | None:
    """The field with its label; None if nothing in it applies to the table."""
    settings = [each for each in field.settings if offered(record.agreement, each)]
    if not settings:
        return None
    key, name = ",".join(each.value for each in settings), setting_text(settings[0], voice)
    component: ui.Item[Any]
    match field.kind:
        case Kind.RADIO:
            component = ui.RadioGroup(
                custom_id=key, options=list(_radios(record, settings[0], voice)), required=False
            )
        case Kind.TEXT:
            component = _text(record, settings[0], key, voice)
        case Kind.BOXES:
            name = boxes_text(topic, voice)
            component = ui.CheckboxGroup(
                custom_id=key,
                options=[
                    discord.CheckboxGroupOption(
                        label=ticked_text(each, voice),
                        value=each.value,
                        default=preset_value(record.agreement, each) == BOXES[each][1],
                    )
                    for each in settings
                ],
                required=False,
            )
    return ui.Label(text=name, description=hint_text(field, voice), component=component)


def _radios(record: TableRecord, setting: Setting, voice: Voice) -> Iterator[discord.RadioGroupOption]:
    now = preset_value(record.agreement, setting)
    for value in offered(record.agreement, setting):
        label = value_text(setting, value, voice, record.agreement.rules)
        yield discord.RadioGroupOption(label=label, value=value, default=value == now)


def _text(record: TableRecord, setting: Setting, key: str, voice: Voice) -> ui.TextInput[Any]:
    is_time = setting is Setting.TIME
    agreed = record.agreement
    return ui.TextInput(
        custom_id=key,
        style=TextStyle.short,
        default=turn_text(agreed.time_to_move, voice) if is_time else str(agreed.rules.target),
        min_length=1,
        max_length=LONGEST_TIME if is_time else LONGEST_NUMBER,
    )
