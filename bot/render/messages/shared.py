"""The button *Show everybody* on an ephemeral message: it posts the message in the channel."""

from __future__ import annotations

from bot.model.custom_ids import CustomId
from bot.render.drawing import Component, Drawing
from bot.render.layouts import Part, button, layout, row
from bot.render.text.voice import Voice


def show_everybody(share: CustomId, voice: Voice) -> Part:
    """The button, for a row with others."""
    return button(share, voice.gettext("Show everybody"))


def with_show_everybody(drawing: Drawing, share: CustomId, voice: Voice) -> Drawing:
    """The drawing, which is one container, with the button at its end."""
    [framed] = drawing.layout.to_components()
    parts: list[Component] = [*framed["components"]]
    added = row(show_everybody(share, voice))
    assert added is not None, "the row has a button"
    return layout({**framed, "components": [*parts, added]}, files=drawing.files)
