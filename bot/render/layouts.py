"""The parts that every drawing is made of: containers, texts, pictures, rows of buttons.

All buttons and selects are handled by their custom_ids alone.
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
"""A table at play."""
GOLD = discord.Colour(0xE3B341)
"""A game won."""
RED = discord.Colour(0xC13D3F)
"""A game called off, a move refused."""
BAIZE = discord.Colour(0x4A7BD0)
"""What only one player sees."""

MOST_TEXT = 4_000
"""Characters of text that Discord takes in one message of components."""


def layout(*parts: Part | None, files: tuple[DrawnFile, ...] = ()) -> Drawing:
    """A message of these parts, with the `files` that they show; a part that is `None` is left out."""
    return Drawing(Layout(part for part in parts if part is not None), files)


def container(*parts: Part | None, colour: discord.Colour = FELT) -> ui.Container[Any]:
    """A framed block of these parts; what is `None` is left out."""
    return ui.Container(*(part for part in parts if part is not None), accent_colour=colour)


def text(*lines: str | None) -> ui.TextDisplay[Any] | None:
    """The lines that are not empty, or nothing at all."""
    content = "\n".join(line for line in lines if line)
    return ui.TextDisplay(content) if content else None


def picture(file: DrawnFile) -> ui.MediaGallery[Any]:
    """A picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file.url, description=file.description))


def rule() -> ui.Separator[Any]:
    """A thin line."""
    return ui.Separator()


def row(*buttons: Part | None) -> ui.ActionRow[Any] | None:
    """A row of at most five buttons, or of one select; nothing when there is none."""
    present = [each for each in buttons if each is not None]
    return ui.ActionRow(*present) if present else None


def button(
    address: ComponentId,
    label: str,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: discord.PartialEmoji | str | None = None,
) -> ui.Button[Any]:
    """A button that asks for what its address says."""
    return ui.Button(label=label[:80], style=style, custom_id=str(address), emoji=emoji)


def link(url: str, label: str) -> ui.Button[Any]:
    """A button that leads somewhere."""
    return ui.Button(label=label[:80], url=url)


def select(
    address: ComponentId,
    placeholder: str,
    options: Iterable[discord.SelectOption],
    *,
    number: int = 1,
) -> ui.ActionRow[Any]:
    """A row with a select of exactly `number` of the options."""
    chooser: ui.Select[Any] = ui.Select(
        custom_id=str(address),
        placeholder=placeholder[:150],
        options=list(options),
        min_values=number,
        max_values=number,
    )
    return ui.ActionRow(chooser)


def address(game: str, deal: int, verb: Verb, argument: str = "") -> ComponentId:
    """Where a button or select leads."""
    return ComponentId(game, deal, verb, argument)


def subtext(line: str) -> str:
    """The line in Discord's small grey type; nothing for nothing."""
    return f"-# {line}" if line else ""
