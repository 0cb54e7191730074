"""The modals in which a number is asked for: a hand counted aloud, points claimed by muggins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import TextStyle, ui

from bot.model.custom_ids import ComponentId, Verb
from bot.render.text.count_prompt import count_prompt
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
