"""Registers the honest deck's explanation and check."""

from __future__ import annotations

from functools import partial

from bot.features.fair.actions import DeckActions
from bot.features.fair.commands import ask_for_word, check, give_word, set_waiting, sub_command
from bot.features.fair.custom_ids import CHECK, WAITING
from bot.features.fair.messages import word_button
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Verb
from bot.render.text.voice import Additions, Voice
from engine import NOTED_DIGITS


def feature(core: Core) -> Feature:
    """`/crib fair`, *Fair?*, and the head of the log on a game's last message."""
    actions = DeckActions(core.tables, core.database.store, core.lobbies, core.worker)
    return Feature(
        name="fair",
        sub_commands=(sub_command(actions),),
        components=(
            Component("replay", CHECK, partial(check, actions)),
            Component("fair", WAITING, partial(set_waiting, actions)),
        ),
        verbs={Verb.DECK: partial(ask_for_word, actions), Verb.WORD: partial(give_word, actions)},
        additions=Additions(any_time=("fair",), in_own_seat=(word_button,), on_last_message=(head_line,)),
    )


def head_line(head: str | None, voice: Voice) -> str:
    """The line with the beginning of the log's `head`; empty without a deck."""
    return "" if head is None else f"{voice.command('crib fair')} `{head[:NOTED_DIGITS]}`"
