"""`/crib-coach learn`, and the buttons of the lesson."""

from __future__ import annotations

import re

from discord import app_commands

from bot.features.lesson.actions import LessonActions
from bot.features.lesson.custom_ids import AGAIN, GAME, OPEN
from bot.interactions.actions import Interaction, handling
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop


def sub_commands(actions: LessonActions) -> tuple[SubCommand, ...]:
    """`/crib-coach learn`."""

    @app_commands.command(
        name=pgettext_noop("command", "learn"),
        description=gettext_noop("New here? Learn cribbage in three minutes"),
    )
    async def learn(interaction: Interaction) -> None:
        """Open the lesson."""
        async with handling(interaction) as (_, answer):
            await actions.open(answer)

    return (SubCommand("crib-coach", gettext_noop("Play better: hints, counting and reviews"), learn),)


async def press_learn(
    actions: LessonActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button of the lesson."""
    async with handling(interaction) as (_, answer):
        step = match["step"]
        if step == OPEN:
            await actions.open(answer)
        elif step == AGAIN:
            await actions.begin_again(answer)
        elif step == GAME:
            await actions.play(answer)
        else:
            await actions.choose(answer, step, match["choice"] or "")
