"""The modals in which a number is asked for: a hand counted aloud, points claimed by muggins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import TextStyle, ui

from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_settings import NUMBERS, Setting
from bot.render.text.count_prompt import count_prompt
from bot.render.text.rules import setting_text
from bot.render.text.voice import Voice
from engine import PlayerView

_FIELD = "points"


def count_modal(at: ComponentId, view: PlayerView) -> ui.Modal:
    """Asks a player what their hand, or crib, is worth."""
    return _number_modal(
        "Count your crib" if _counts_crib(view) else "Count your hand",
        replace(at, verb=Verb.POINTS),
        count_prompt(view),
    )


def muggins_modal(at: ComponentId) -> ui.Modal:
    """Asks an opponent how many points were missed."""
    return _number_modal(
        "Muggins!",
        replace(at, verb=Verb.TAKE),
        "How many points were missed? You peg what you find, and no more than was missed.",
    )


def amount_modal(at: ComponentId, setting: Setting, voice: Voice) -> ui.Modal:
    """Asks the host for the number of a setting."""
    numbers = NUMBERS[setting]
    description = (
        voice.say("Seconds for a turn, {first} to {last}", first=numbers[0], last=numbers[-1])
        if setting is Setting.TIME
        else voice.say("Points to win, {first} to {last}", first=numbers[0], last=numbers[-1])
    )
    modal = ui.Modal(title=setting_text(setting, voice)[:45], custom_id=str(replace(at, verb=Verb.AMOUNT)))
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=_FIELD, style=TextStyle.short, min_length=1, max_length=len(str(numbers[-1]))
    )
    modal.add_item(
        ui.Label(text=setting_text(setting, voice)[:45], description=description[:100], component=field)
    )
    return modal


def points_in(data: dict[str, Any]) -> str:
    """What was typed in the modal's field, from the data of its interaction."""
    for row in data.get("components", []):
        fields = [row["component"]] if "component" in row else row.get("components", [])
        for field in fields:
            if field.get("custom_id") == _FIELD:
                return str(field.get("value", ""))
    return ""


def _number_modal(title: str, address: ComponentId, description: str) -> ui.Modal:
    modal = ui.Modal(title=title, custom_id=str(address))
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=_FIELD,
        style=TextStyle.short,
        placeholder="a number from 0 to 29",
        min_length=1,
        max_length=2,
    )
    modal.add_item(ui.Label(text="Points", description=description[:100], component=field))
    return modal


def _counts_crib(view: PlayerView) -> bool:
    return len(view.table.shown) > view.table.rules.seats
