"""Registers lists of games, and replays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from bot.features.replay.actions import ReplayActions
from bot.features.replay.commands import press_replay, replay_of_a_message, sub_commands, turn_past
from bot.features.replay.custom_ids import PAST
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import REPLAY, ReplayWish, Topic
from bot.render.text.voice import Additions, Voice

_WATCHED = re.compile(rf"(?!replay:[a-z0-9]+:{ReplayWish.CHECK.value}:){REPLAY.pattern}")
"""Pattern of every custom_id of a replay but the check of the deck, which is another feature's."""


def feature(core: Core) -> Feature:
    """`/crib-stats history` and `/crib-coach replay`, the buttons under both, and the menu on a result."""
    actions = ReplayActions(
        core.tables, core.database.store, core.database.standings, core.projection, core.worker
    )
    turn = partial(turn_past, actions)
    return Feature(
        name="replay",
        commands=(replay_of_a_message(actions),),
        sub_commands=sub_commands(actions),
        components=(
            Component("replay", _WATCHED, partial(press_replay, actions)),
            Component("past", PAST, turn),
            Component("cancelled", PAST, turn),
        ),
        additions=Additions(lines=((Topic.BETTER, _help),)),
    )


def _help(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "{replay}: watch it again. {history}: every game.",
        replay=voice.command("crib-coach replay"),
        history=voice.command("crib-stats history"),
    )
