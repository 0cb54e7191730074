"""The modals that ask for a number: the count of a hand, points missed (muggins), a setting's value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import TextStyle, ui

from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_settings import NUMBERS, Setting
from bot.render.text.count_prompt import count_prompt, count_title
from bot.render.text.rules import setting_text
from bot.render.text.voice import Voice
from engine import MOST_AT_SHOW, PlayerView, Rules

FIELD = "points"
"""The custom_id of a modal's one field."""

_LONGEST_TITLE = 45
"""Discord's limit (characters) of a modal's title."""
_LONGEST_DESCRIPTION = 100
"""Discord's limit (characters) of the description under a label."""


def count_modal(at: ComponentId, view: PlayerView, voice: Voice) -> ui.Modal:
    """Asks a player to count their hand or crib.

    The custom_id names the hand, so that a repeated submission does not count the crib after it.
    """
    description = count_prompt(view, voice)
    points = replace(at, verb=Verb.POINTS, argument=str(len(view.table.shown)))
    return _number_modal(count_title(view, voice), points, description, voice)


def muggins_modal(at: ComponentId, rules: Rules, voice: Voice) -> ui.Modal:
    """Asks an opponent how many points were missed."""
    description = voice.gettext("How many points were missed? You get one call, so be right.")
    if price := rules.wrong_claims:
        description = voice.gettext(
            "How many points were missed? You get one call, and a false one costs {points}.", points=price
        )
    return _number_modal(voice.gettext("Muggins!"), replace(at, verb=Verb.TAKE), description, voice)


def amount_modal(at: ComponentId, setting: Setting, voice: Voice) -> ui.Modal:
    """Asks the host for the number of a setting."""
    numbers, title = NUMBERS[setting], setting_text(setting, voice)
    description = (
        voice.gettext("Seconds for a turn, {first} to {last}", first=numbers[0], last=numbers[-1])
        if setting is Setting.TIME
        else voice.gettext("Points to win, {first} to {last}", first=numbers[0], last=numbers[-1])
    )
    modal = ui.Modal(title=title[:_LONGEST_TITLE], custom_id=str(replace(at, verb=Verb.AMOUNT)))
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=FIELD, style=TextStyle.short, min_length=1, max_length=len(str(numbers[-1]))
    )
    modal.add_item(
        ui.Label(
            text=title[:_LONGEST_TITLE],
            description=description[:_LONGEST_DESCRIPTION],
            component=field,
        )
    )
    return modal


def points_in(data: dict[str, Any]) -> str:
    """The text of the modal's field, from the data of its interaction."""
    for label in data.get("components", []):
        field = label.get("component", {})
        if field.get("custom_id") == FIELD:
            return str(field.get("value", ""))
    return ""


def _number_modal(title: str, address: ComponentId, description: str, voice: Voice) -> ui.Modal:
    modal = ui.Modal(title=title[:_LONGEST_TITLE], custom_id=str(address))
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=FIELD,
        style=TextStyle.short,
        placeholder=voice.gettext("0 to {most}", most=voice.number(MOST_AT_SHOW)),
        min_length=1,
        max_length=2,
    )
    label = voice.gettext("Points")
    modal.add_item(ui.Label(text=label, description=description[:_LONGEST_DESCRIPTION], component=field))
    return modal
