"""*Rules*: the host's private panel for changing the agreement, in forms or in selects.

A button for each topic opens a form (`bot.interactions.rule_forms`). Selects are for apps that show no such
forms, and for one setting at a time: one has the rule sets, one the settings, and one the chosen setting's
values, which stays within Discord's limits of components and options. Everybody else reads the rules
(`bot.render.text.rules`).
"""

from __future__ import annotations

from typing import Final

import discord

from bot.model.custom_ids import Verb
from bot.model.rule_forms import RulesTopic
from bot.model.rule_settings import OTHER, Setting, value_of, values_of
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, address, button, container, layout, row, select, subtext, text
from bot.render.text.rule_forms import topic_text
from bot.render.text.rules import (
    PRESET_CHOICES,
    credit,
    rules_lines,
    rules_title,
    setting_text,
    value_text,
)
from bot.render.text.voice import Voice
from engine import presets_for


def rules_panel_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """The panel with a button for each form."""
    return layout(
        container(
            _rules(record, voice),
            row(
                *(
                    button(address(record.game, 0, Verb.TOPIC, each.value), topic_text(each, voice))
                    for each in RulesTopic
                )
            ),
            text(subtext(voice.gettext("No form opens? Use *Selects instead*."))),
            row(
                button(address(record.game, 0, Verb.SEAT), voice.gettext("My seat")),
                button(address(record.game, 0, Verb.SELECTS), voice.gettext("Selects instead")),
            ),
            colour=BAIZE,
        )
    )


def rules_selects_drawing(record: TableRecord, voice: Voice, setting: Setting | None = None) -> Drawing:
    """The panel of selects, with the values of `setting` to choose from."""
    return layout(
        container(
            _rules_in_sentences(record, voice),
            _presets(record, voice),
            _settings(record, setting, voice),
            _values(record, setting, voice) if setting is not None else None,
            row(
                button(address(record.game, 0, Verb.SEAT), voice.gettext("My seat")),
                button(address(record.game, 0, Verb.RULES), voice.gettext("Forms instead")),
            ),
            colour=BAIZE,
        )
    )


_MOST_LINES: Final = 8
"""Limit of the rules' lines in a list above the forms; more would leave a phone no room for the buttons."""


def _rules(record: TableRecord, voice: Voice) -> Part | None:
    agreed = record.agreement
    lines = rules_lines(agreed, voice)
    if len(lines) > _MOST_LINES:
        return _rules_in_sentences(record, voice)
    return text(rules_title(agreed, voice), *lines, subtext(credit(agreed.preset, voice)))


def _rules_in_sentences(record: TableRecord, voice: Voice) -> Part | None:
    """The rules in small type, which leaves a phone room for the selects."""
    agreed = record.agreement
    lines = (line.removeprefix("- ") for line in rules_lines(agreed, voice))
    return text(rules_title(agreed, voice), subtext(" ".join(lines)), subtext(credit(agreed.preset, voice)))


def _presets(record: TableRecord, voice: Voice) -> Part:
    """The rule sets for the number of players of this table."""
    options = (
        discord.SelectOption(
            label=voice.gettext(PRESET_CHOICES[preset])[:100],
            value=preset,
            default=preset == record.agreement.preset,
        )
        for preset in presets_for(record.agreement.players)
    )
    return select(address(record.game, 0, Verb.PRESET), voice.gettext("Choose a rule set"), options)


def _settings(record: TableRecord, chosen: Setting | None, voice: Voice) -> Part:
    """The settings that apply to this table, with their current values."""
    options = (
        discord.SelectOption(
            label=setting_text(each, voice)[:100],
            value=each.value,
            description=value_text(each, value_of(record.agreement, each), voice, record.agreement.rules)[
                :100
            ],
            default=each is chosen,
        )
        for each in Setting
        if values_of(record.agreement, each)
    )
    return select(address(record.game, 0, Verb.SETTING), voice.gettext("Change one rule"), options)


def _values(record: TableRecord, setting: Setting, voice: Voice) -> Part:
    now = value_of(record.agreement, setting)
    values = values_of(record.agreement, setting)
    if OTHER in values and now not in values:
        # The host's own number precedes "Another number…", so that the list shows the current value.
        values = (*values[:-1], now, OTHER)
    options = (
        discord.SelectOption(
            label=value_text(setting, value, voice, record.agreement.rules)[:100],
            value=value,
            default=value == now,
        )
        for value in values
    )
    return select(
        address(record.game, 0, Verb.SET, setting.value),
        voice.gettext("{setting}: choose", setting=setting_text(setting, voice)),
        options,
    )
