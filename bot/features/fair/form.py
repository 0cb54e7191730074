"""The form that shows a player's note, and takes their word for the deck."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import TextStyle, ui

from bot.interactions.modals import FIELD
from bot.model.custom_ids import ComponentId, Verb
from bot.render.text.voice import Voice
from engine.fair import LONGEST_WORD, SHORTEST_WORD


def word_modal(at: ComponentId, note: str, voice: Voice) -> ui.Modal:
    """Asks for a word; its custom_id has the note, so that a changed table refuses the word."""
    submission = replace(at, verb=Verb.WORD, argument=note)
    modal = ui.Modal(title=voice.gettext("An honest deck"), custom_id=str(submission))
    modal.add_item(ui.TextDisplay(f"{voice.gettext('Your note. Keep a picture of this first:')}\n`{note}`"))
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=FIELD, style=TextStyle.short, min_length=SHORTEST_WORD, max_length=LONGEST_WORD
    )
    modal.add_item(
        ui.Label(
            text=voice.gettext("Your word"),
            description=voice.gettext("Hit keys at random; never one that you used before."),
            component=field,
        )
    )
    return modal
