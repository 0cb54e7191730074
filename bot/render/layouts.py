"""The components that every drawing is made of: containers, texts, pictures, rows of buttons, selects.

All buttons and selects are persistent: a press is dispatched by its custom_id alone, so no callback is set
here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import discord
from discord import ButtonStyle, ui

from bot.model.custom_ids import ComponentId, Verb
from bot.render.drawing import Drawing, DrawnFile, Layout

Part: TypeAlias = ui.Item[Any]

FELT = discord.Colour(0x2F8F5B)
"""A game in progress."""
GOLD = discord.Colour(0xE3B341)
"""A game won."""
RED = discord.Colour(0xC13D3F)
"""A game called off, a move refused."""
BAIZE = discord.Colour(0x4A7BD0)
"""What only one player sees."""

MOST_TEXT = 4_000
"""Discord's limit on the characters of all text in one Components V2 message."""


def layout(*parts: Part | None, files: tuple[DrawnFile, ...] = ()) -> Drawing:
    """A message of these parts, with the `files` that they show; a part that is `None` is left out."""
    return Drawing(Layout(part for part in parts if part is not None), files)


def container(*parts: Part | None, colour: discord.Colour = FELT) -> ui.Container[Any]:
    """A framed block of these parts; `None` is left out."""
    return ui.Container(*(part for part in parts if part is not None), accent_colour=colour)


def text(*lines: str | None) -> ui.TextDisplay[Any] | None:
    """A text display of the lines that are not empty; `None` if there are none."""
    content = "\n".join(line for line in lines if line)
    return ui.TextDisplay(content) if content else None


def picture(file: DrawnFile) -> ui.MediaGallery[Any]:
    """A picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file.url, description=file.description))


def rule() -> ui.Separator[Any]:
    """A thin separator line."""
    return ui.Separator()


def row(*buttons: Part | None) -> ui.ActionRow[Any] | None:
    """A row of at most five buttons, or of one select; `None` if it would be empty."""
    present = [each for each in buttons if each is not None]
    return ui.ActionRow(*present) if present else None


def button(
    address: ComponentId,
    label: str,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: discord.PartialEmoji | str | None = None,
) -> ui.Button[Any]:
    """A button with the custom_id `address`."""
    return ui.Button(label=label[:80], style=style, custom_id=str(address), emoji=emoji)


def link(url: str, label: str) -> ui.Button[Any]:
    """A link button."""
    return ui.Button(label=label[:80], url=url)


def select(
    address: ComponentId,
    placeholder: str,
    options: Iterable[discord.SelectOption],
    *,
    number: int = 1,
) -> ui.ActionRow[Any]:
    """A row with a select in which exactly `number` options are chosen."""
    chooser: ui.Select[Any] = ui.Select(
        custom_id=str(address),
        placeholder=placeholder[:150],
        options=list(options),
        min_values=number,
        max_values=number,
    )
    return ui.ActionRow(chooser)


def address(game: str, deal: int, verb: Verb, argument: str = "") -> ComponentId:
    """The custom_id of a button or select of a game."""
    return ComponentId(game, deal, verb, argument)


def subtext(line: str) -> str:
    """The line as Discord's subtext (small and grey); empty for an empty line."""
    return f"-# {line}" if line else ""
