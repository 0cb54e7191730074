"""Registers the lesson."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.features.lesson.actions import LessonActions
from bot.features.lesson.commands import press_learn, sub_commands
from bot.features.lesson.custom_ids import LEARN, OPEN, LearnId
from bot.features.lesson.messages import INVITATION
from bot.features.lesson.store import LessonStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Topic
from bot.render.layouts import Part, button
from bot.render.text.voice import Additions, Voice


def feature(core: Core) -> Feature:
    """`/crib-coach learn`, its buttons, and the ways to it: greeting, lobby and help."""
    actions = LessonActions(core.database.part(LessonStore, "lesson"), core.tables, core.lobbies)
    return Feature(
        name="lesson",
        sub_commands=sub_commands(actions),
        components=(Component("learn", LEARN, partial(press_learn, actions)),),
        additions=Additions(
            lines=((Topic.BETTER, _on_playing_better),),
            in_greeting=(_button,),
            lobby_lines=(_invitation,),
        ),
    )


def _button(voice: Voice) -> Part:
    return button(LearnId(OPEN), voice.gettext(INVITATION))


def _on_playing_better(voice: Voice) -> Iterator[str]:
    yield voice.command("crib-coach learn")


def _invitation(voice: Voice) -> Iterator[str]:
    yield voice.gettext("New here? Three minutes: {learn}", learn=voice.command("crib-coach learn"))
