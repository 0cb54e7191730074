"""Registers the honest deck's explanation and check."""

from __future__ import annotations

from functools import partial

from bot.features.fair.actions import DeckActions
from bot.features.fair.commands import CHECK, check, sub_command
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.render.text.additions import Additions
from bot.render.text.voice import Voice

HEAD_SHOWN = 24
"""Hexadecimal digits of the head that fit a phone's line: 96 bits, so no other log can be made to match."""


def feature(core: Core) -> Feature:
    """`/crib fair`, *Fair?*, and the head of the log on a game's last message."""
    actions = DeckActions(core.tables, core.database.store, core.lobbies, core.worker)
    return Feature(
        name="fair",
        sub_commands=(sub_command(actions),),
        components=(Component("replay", CHECK, partial(check, actions)),),
        additions=Additions(any_time=("fair",), on_last_message=(head_line,)),
    )


def head_line(head: str | None, voice: Voice) -> str:
    """The line with the beginning of the log's `head`; empty without a deck."""
    return "" if head is None else f"{voice.command('crib fair')} `{head[:HEAD_SHOWN]}`"
