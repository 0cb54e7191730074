"""The components of all drawings: containers, texts, pictures, rows of buttons, selects.

They have the form of Discord's API. All buttons and selects are persistent: a press is dispatched by its
custom_id alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import discord
from discord import ButtonStyle, ComponentType

from bot.model.custom_ids import ComponentId, CustomId, Verb
from bot.render.drawing import Component, Drawing, DrawnFile, Layout, size_of

Part: TypeAlias = Component

FELT = discord.Colour(0x2F8F5B)
"""A game in progress."""
GOLD = discord.Colour(0xB5831A)
"""A game won."""
RED = discord.Colour(0xC13D3F)
"""A game called off, a move refused."""
BAIZE = discord.Colour(0x4A7BD0)
"""Content for one player only."""

MOST_TEXT = 4_000
"""Discord's limit of characters of all text in one Components V2 message; we apply it to bytes."""


def layout(*parts: Part | None, files: tuple[DrawnFile, ...] = ()) -> Drawing:
    """A message of these parts, with the `files` that they show; None is left out."""
    return Drawing(Layout(part for part in parts if part is not None), files)


def container(*parts: Part | None, colour: discord.Colour = FELT) -> Part:
    """A framed block of these parts; None is left out."""
    return {
        "type": ComponentType.container.value,
        "accent_color": colour.value,
        "spoiler": False,
        "components": [part for part in parts if part is not None],
    }


def text(*lines: str | None) -> Part | None:
    """A text display of the non-empty lines; None if there are none."""
    content = "\n".join([line for line in lines if line])
    return {"type": ComponentType.text_display.value, "content": content} if content else None


def length_of(parts: Iterable[Part | None]) -> int:
    """Length of these parts' text, for the limit `MOST_TEXT`."""
    return sum(size_of(part.get("content", "")) for part in parts if part is not None)


def picture(file: DrawnFile) -> Part:
    """A picture with its alt text."""
    item = {"media": {"url": file.url}, "description": file.description, "spoiler": False}
    return {"type": ComponentType.media_gallery.value, "items": [item]}


def rule() -> Part:
    """A thin separator line."""
    return {"type": ComponentType.separator.value, "divider": True, "spacing": 1}


def row(*buttons: Part | None) -> Part | None:
    """A row of at most five buttons, or of one select; None if it would be empty."""
    present = [each for each in buttons if each is not None]
    return {"type": ComponentType.action_row.value, "components": present} if present else None


def button(
    address: CustomId,
    label: str,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
    enabled: bool = True,
) -> Part:
    """A button with the custom_id `address`; the label may be empty beside an emoji."""
    made: Part = {
        "type": ComponentType.button.value,
        "style": style.value,
        "disabled": not enabled,
        "custom_id": str(address),
    }
    if label:
        made["label"] = label[:80]
    if emoji is not None:
        made["emoji"] = emoji.to_dict()
    return made


def link(url: str, label: str) -> Part:
    """A link button."""
    return {
        "type": ComponentType.button.value,
        "style": ButtonStyle.link.value,
        "label": label[:80],
        "disabled": False,
        "url": url,
    }


def select(
    address: CustomId,
    placeholder: str,
    options: Iterable[discord.SelectOption],
    *,
    number: int = 1,
) -> Part:
    """A row with a select that takes exactly `number` options."""
    chooser: Part = {
        "type": ComponentType.string_select.value,
        "custom_id": str(address),
        "placeholder": placeholder[:150],
        "min_values": number,
        "max_values": number,
        "disabled": False,
        "required": True,
        "options": [option.to_dict() for option in options],
    }
    return {"type": ComponentType.action_row.value, "components": [chooser]}


def address(game: str, deal: int, verb: Verb, argument: str = "") -> ComponentId:
    """The custom_id of a button or select of a game."""
    return ComponentId(game, deal, verb, argument)


def subtext(line: str) -> str:
    """The line as Discord's subtext (small and grey); empty for an empty line."""
    return f"-# {line}" if line else ""
